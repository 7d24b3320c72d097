#!/usr/bin/env bash
# Builds the extension and runs sql/tour.sql in the sqlite3 shell on the embedded store, a file in a
# temporary folder. It needs no account, no network and no other program.
#
# usage: scripts/demo.sh             on the embedded store
#        scripts/demo.sh --azurite   on Azurite, which is installed and started on a free loopback port
#
# The tour runs in build/, so its `.load ./aztables` finds the extension. AZTABLES_CONNECTION_DEMO
# contains the connection string. A failure shows Azurite's log.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tour=(sqlite3 -batch -bail -init /dev/null :memory: '.read ../sql/tour.sql')
case ${1:-} in
  '')
    scripts/deps.sh demo
    scripts/build.sh
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    echo "demo: running sql/tour.sql on the embedded store $folder/demo.db"
    cd build
    AZTABLES_CONNECTION_DEMO="LocalStore=$folder/demo.db" "${tour[@]}"
    ;;
  --azurite)
    scripts/deps.sh azurite
    scripts/build.sh
    main_js=$(scripts/azurite.sh | tail -n 1)
    echo "demo: running sql/tour.sql on Azurite"
    cd build
    AZTABLES_AZURITE=$main_js /usr/bin/python3 ../tests/support/on_service.py azurite "${tour[@]}"
    ;;
  *)
    echo "usage: scripts/demo.sh [--azurite]" >&2
    exit 2
    ;;
esac
echo "demo: done"
