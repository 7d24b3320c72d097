#!/usr/bin/env bash
# Installs the pinned Azurite (tests/support/azurite; about 170 MB) under build/azurite if it is
# missing. Its only output line is the path of the table service's main.js.
#
# usage: main_js=$(scripts/azurite.sh)
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/npm_install.sh" tests/support/azurite build/azurite \
  node_modules/azurite/dist/src/table/main.js
