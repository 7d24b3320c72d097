#!/usr/bin/env bash
# Compares measurements of one run and prints ratios. It asserts no times.
#
# usage: scripts/bench.sh [OPTION...]                  our SQL against the JavaScript client, libcurl and
#                                                      a native table; --help shows the options
#        scripts/bench.sh scans [OPTION...]            long scans in ranges of keys against one chain of pages,
#                                                      with 14 distributions of keys; --help shows the options
#        scripts/bench.sh reads|services|writes [ARGUMENT...]   a program of tests/bench, without .py
#
# The first form takes about 10 minutes, with --quick about one. It writes bench.md, bench.csv and
# SVG plots to build/bench. Builds a release first. `scripts/bench.sh services --entities 20000` is
# quick, and so is `scripts/bench.sh writes --rows 20000 --rounds 1`. `scripts/bench.sh scans` takes
# about 10 minutes, with --pages 100 about two. With --order, --reverse or --last it reads in the order
# of keys, from the last row to the first, or the last row.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=ratios
if (($# > 0)) && [[ $1 != -* ]]; then
  program=$1
  shift
fi
if [[ ! -f tests/bench/$program.py ]]; then
  sed -n '/^# usage/,/^#$/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi

if [[ $program == ratios || $program == scans ]]; then
  scripts/deps.sh bench
  scripts/build.sh >/dev/null
  cmake -S . -B build -DAZTABLES_BENCH=ON >/dev/null
  cmake --build build --target page_server raw_requests sql_host >/dev/null
  if [[ $program == ratios ]]; then scripts/js_client.sh >/dev/null; fi
else
  scripts/deps.sh azurite
  scripts/build.sh >/dev/null
  AZTABLES_AZURITE=$(scripts/azurite.sh | tail -n 1)
  export AZTABLES_AZURITE
fi
exec /usr/bin/python3 "tests/bench/$program.py" "$@"
