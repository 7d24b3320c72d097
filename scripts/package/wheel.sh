#!/usr/bin/env bash
# Makes the Python wheel of a platform. Needs Debian's python3-setuptools and python3-wheel.
#
# usage: scripts/package/wheel.sh OUTPUT PLATFORM FOLDER
#   OUTPUT    the folder of the new .whl file
#   PLATFORM  a tag of pip, such as manylinux_2_34_x86_64
#   FOLDER    the folder of aztables.so, aztables-server and, if it has one, LICENSES.txt
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if (($# != 3)); then
  sed -n '/^# usage/,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
output=$(realpath "$1") platform=$2 folder=$3
version=$(scripts/package/version.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp -r scripts/package/python/. LICENSE "$work/"
sed -i "s/\"VERSION\"/\"$version\"/" "$work/sqlite_aztables/__init__.py"
for file in aztables.so aztables-server LICENSES.txt; do
  if [[ -f $folder/$file ]]; then cp "$folder/$file" "$work/sqlite_aztables/"; fi
done
cd "$work"
WHEEL_VERSION=$version WHEEL_PLATFORM=$platform \
  /usr/bin/python3 setup.py --quiet bdist_wheel --dist-dir "$output" >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
echo "sqlite_aztables-$version-py3-none-$platform.whl"
