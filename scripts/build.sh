#!/usr/bin/env bash
# Builds the extension: build/aztables.so (Release). Installs what is missing first.
#
# usage: scripts/build.sh
#
# A build folder that scripts/test.sh configured keeps its tests. Run again, it builds what changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/deps.sh build

options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
if ! grep -qs '^AZTABLES_TESTS:' build/CMakeCache.txt; then options+=(-DAZTABLES_TESTS=OFF); fi
cmake -S . -B build -G Ninja "${options[@]}"
cmake --build build

if [[ ! -f build/aztables.so ]]; then
  echo "build: no build/aztables.so came out" >&2
  exit 1
fi
echo "built build/aztables.so; load it in the sqlite3 shell with: .load build/aztables"
