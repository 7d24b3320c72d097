#!/usr/bin/env bash
# Installs the pinned hosts on Node (tests/support/node_hosts; about 380 MB) under build/node_hosts if
# missing: official binaries of Node 22 and 24, and better-sqlite3, compiled for Node 22. Its only output
# line is the folder, or nothing if the platform has no such binaries.
#
# usage: folder=$(scripts/node_hosts.sh)
#
# No package's script runs, so better-sqlite3 is compiled here, with its own options and the headers of
# the pinned Node. Once everything is installed, this script uses no network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ $(uname -sm) != "Linux x86_64" ]]; then
  echo "node_hosts: the pinned binaries are for Linux on x86-64; the test in them will be skipped" >&2
  exit 0
fi

home=build/node_hosts
sqlite3_c=$(scripts/npm_install.sh tests/support/node_hosts "$home" \
  node_modules/better-sqlite3/deps/sqlite3/sqlite3.c)
exec 9>"$home/.build.lock" # a concurrent run waits and finds it done
flock 9

if ! cmp -s "$home/installed.lock" "$home/compiled.lock"; then
  echo "node_hosts: compiling better-sqlite3, about 25 s" >&2
  package=$home/node_modules/better-sqlite3
  mapfile -t defines < <(sed -n "s/^ *'\([A-Z].*\)',$/-D\1/p" "$package/deps/defines.gypi")
  common=(-O1 -w -DNDEBUG -fPIC -fvisibility=hidden)
  cc "${common[@]}" "${defines[@]}" -c "$sqlite3_c" -o "$home/sqlite3.o" >&2
  c++ "${common[@]}" -std=c++20 -fno-rtti -DNODE_GYP_MODULE_NAME=better_sqlite3 -DBUILDING_NODE_EXTENSION \
    -isystem "$home/node_modules/node-22/include/node" -I "$package/deps/sqlite3" \
    -c "$package/src/better_sqlite3.cpp" -o "$home/better_sqlite3.o" >&2
  c++ -shared -Wl,-Bsymbolic "$home/better_sqlite3.o" "$home/sqlite3.o" -o "$home/better_sqlite3.node" >&2
  cp "$home/installed.lock" "$home/compiled.lock"
fi

echo "$PWD/$home"
