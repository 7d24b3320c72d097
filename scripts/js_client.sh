#!/usr/bin/env bash
# Installs the pinned JavaScript clients (tests/clients/js) under build/js_client if they are missing.
# Its only output line is the path of the current client's package.json.
#
# usage: scripts/js_client.sh
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/npm_install.sh" tests/clients/js build/js_client \
  node_modules/@azure/data-tables/package.json
