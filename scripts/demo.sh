#!/usr/bin/env bash
# From a fresh clone to the tour: builds the extension, starts Azurite on a free loopback port, runs
# sql/tour.sql against it in the sqlite3 shell, and stops Azurite again.
#
# usage: scripts/demo.sh
#
# The tour runs in build/, so its `.load ./aztables` finds the extension; AZTABLES_CONNECTION_DEMO
# holds the connection string. On failure Azurite's log is shown.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/deps.sh demo
scripts/build.sh
main_js=$(scripts/azurite.sh | tail -n 1)

echo "demo: running sql/tour.sql against Azurite"
cd build
AZTABLES_AZURITE=$main_js /usr/bin/python3 ../tests/support/azurite/azurite.py -- \
  sqlite3 -batch -bail -init /dev/null :memory: '.read ../sql/tour.sql'
echo "demo: done"
