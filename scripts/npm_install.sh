#!/usr/bin/env bash
# Installs the npm packages that a folder of this repository pins in another folder, if missing.
#
# usage: scripts/npm_install.sh PINNED HOME ENTRY
#   PINNED  the folder with package.json and package-lock.json
#   HOME    the folder of node_modules, under build/
#   ENTRY   a file of a complete installation in HOME; its path is the only output line
#
# Once the packages are installed, it uses no network. The lock files have versions and checksums, but
# no registry: npm uses its configured one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if (($# != 3)); then
  sed -n '/^# usage/,/^#$/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
pinned=$1 home=$PWD/$2 entry=$PWD/$2/$3

mkdir -p "$home"
exec 9>"$home/.lock" # a concurrent run waits and finds it done
flock 9

if ! cmp -s "$pinned/package-lock.json" "$home/installed.lock" || [[ ! -f $entry ]]; then
  echo "npm_install: installing what $pinned pins under ${home#"$PWD/"}" >&2
  rm -f "$home/installed.lock"
  cp "$pinned/package.json" "$pinned/package-lock.json" "$home/"
  (cd "$home" && npm ci --omit=dev --no-audit --no-fund --ignore-scripts --loglevel=error >&2)
  cp "$pinned/package-lock.json" "$home/installed.lock"
fi

echo "$entry"
