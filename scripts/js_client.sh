#!/usr/bin/env bash
# Makes sure the pinned JavaScript clients (tests/clients/js) are installed under build/js_client, and
# prints the path of the current one's package.json, the only line of its output.
#
# usage: scripts/js_client.sh
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/npm_install.sh" tests/clients/js build/js_client \
  node_modules/@azure/data-tables/package.json
