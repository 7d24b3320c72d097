#!/usr/bin/env bash
# Makes the npm packages: sqlite-aztables, and one for each platform with the extension and the server.
#
# usage: scripts/package/npm.sh OUTPUT PLATFORM=FOLDER...
#   OUTPUT           the folder of the new .tgz files
#   PLATFORM=FOLDER  linux-x64 or linux-arm64, and the folder of its aztables.so, aztables-server and,
#                    if it has one, LICENSES.txt
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

output=$(realpath "${1:?usage: scripts/package/npm.sh OUTPUT PLATFORM=FOLDER...}")
shift
version=$(scripts/package/version.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pack() { # FOLDER
  (cd "$1" && npm pack --silent --pack-destination "$output")
}

mkdir "$work/main"
cp scripts/package/npm/* LICENSE "$work/main/"
sed -i "s/\"VERSION\"/\"$version\"/" "$work/main/package.json"
pack "$work/main"

for item; do
  platform=${item%%=*} folder=${item#*=}
  package=$work/$platform
  mkdir "$package"
  cp LICENSE "$package/"
  for file in aztables.so aztables-server LICENSES.txt; do
    if [[ -f $folder/$file ]]; then cp "$folder/$file" "$package/"; fi
  done
  cat >"$package/package.json" <<END
{
  "name": "sqlite-aztables-$platform",
  "version": "$version",
  "description": "The files of sqlite-aztables for $platform",
  "license": "MIT",
  "os": ["${platform%-*}"],
  "cpu": ["${platform#*-}"],
  "libc": ["glibc"],
  "exports": { "./aztables.so": "./aztables.so", "./aztables-server": "./aztables-server" }
}
END
  pack "$package"
done
