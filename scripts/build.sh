#!/usr/bin/env bash
# Installs missing packages, then builds the extension, build/aztables.so, the shell, build/aztables, and
# the server, build/aztables-server (Release).
#
# usage: scripts/build.sh
#
# A build folder that scripts/test.sh configured keeps its tests. Later runs build only changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/deps.sh build

options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
if ! grep -qs '^AZTABLES_TESTS:' build/CMakeCache.txt; then
  options+=(-DAZTABLES_TESTS=OFF -DCMAKE_UNITY_BUILD=ON) # as scripts/test.sh, which uses the folder later
fi
cmake -S . -B build -G Ninja "${options[@]}"
cmake --build build

for product in build/aztables.so build/aztables build/aztables-server; do
  if [[ ! -f $product ]]; then
    echo "build: the build did not produce $product" >&2
    exit 1
  fi
done
echo "built build/aztables.so; load it in the sqlite3 shell with: .load build/aztables"
echo "built build/aztables, the sqlite3 shell with the extension loaded"
echo "built build/aztables-server; see build/aztables-server --help"
