#!/usr/bin/env bash
# Makes sure the npm packages that a folder of this repository pins are installed under another one.
#
# usage: scripts/npm_install.sh PINNED HOME ENTRY
#   PINNED  the folder with package.json and package-lock.json
#   HOME    where node_modules goes, under build/
#   ENTRY   a file in HOME that an installation has; its path is printed, the only line of output
#
# Installed already, it uses no network. A lock names versions and checksums but no registry: npm
# asks the one that it is configured for.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if (($# != 3)); then
  sed -n '/^# usage/,/^#$/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
pinned=$1 home=$PWD/$2 entry=$PWD/$2/$3

mkdir -p "$home"
exec 9>"$home/.lock" # two runs at once: the second waits and finds it done
flock 9

if ! cmp -s "$pinned/package-lock.json" "$home/installed.lock" || [[ ! -f $entry ]]; then
  echo "npm_install: installing what $pinned pins under ${home#"$PWD/"}" >&2
  rm -f "$home/installed.lock"
  cp "$pinned/package.json" "$pinned/package-lock.json" "$home/"
  (cd "$home" && npm ci --omit=dev --no-audit --no-fund --ignore-scripts --loglevel=error >&2)
  cp "$pinned/package-lock.json" "$home/installed.lock"
fi

echo "$entry"
