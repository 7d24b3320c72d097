#!/usr/bin/env bash
# Makes sure the pinned Azurite (tests/support/azurite; about 170 MB) is installed under
# build/azurite, and prints the path of its table service's main.js, the only line of its output.
#
# usage: main_js=$(scripts/azurite.sh)
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/npm_install.sh" tests/support/azurite build/azurite \
  node_modules/azurite/dist/src/table/main.js
