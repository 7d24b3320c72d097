#!/usr/bin/env bash
# Makes sure the pinned Azurite (tests/support/azurite) is installed under build/azurite, and prints
# the path of its table service's main.js as the last line of standard output.
#
# usage: main_js=$(scripts/azurite.sh)
#
# Installed already, it uses no network. The lock names versions and checksums but no registry: npm
# asks the one that it is configured for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

pinned=tests/support/azurite
home=$PWD/build/azurite
main_js=$home/node_modules/azurite/dist/src/table/main.js

mkdir -p "$home"
exec 9>"$home/.lock" # two runs at once: the second waits and finds it done
flock 9

if ! cmp -s "$pinned/package-lock.json" "$home/installed.lock" || [[ ! -f $main_js ]]; then
  echo "azurite: installing the pinned Azurite under build/azurite (about 170 MB)" >&2
  rm -f "$home/installed.lock"
  cp "$pinned/package.json" "$pinned/package-lock.json" "$home/"
  (cd "$home" && npm ci --omit=dev --no-audit --no-fund --ignore-scripts --loglevel=error >&2)
  cp "$pinned/package-lock.json" "$home/installed.lock"
fi

echo "$main_js"
