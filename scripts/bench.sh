#!/usr/bin/env bash
# Compares measurements of one run and prints ratios. It asserts no times.
#
# usage: scripts/bench.sh [NAME [ARGUMENT...]]     NAME: a program of tests/bench, without .py; default: all
#
# Builds a release first. `scripts/bench.sh services --entities 20000` is quick, and so is
# `scripts/bench.sh writes --rows 20000 --rounds 1`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scripts/deps.sh azurite
scripts/build.sh >/dev/null
AZTABLES_AZURITE=$(scripts/azurite.sh | tail -n 1)
export AZTABLES_AZURITE
if (($# > 0)); then
  /usr/bin/python3 "tests/bench/$1.py" "${@:2}"
else
  for program in tests/bench/*.py; do /usr/bin/python3 "$program"; done
fi
