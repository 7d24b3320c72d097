#!/usr/bin/env bash
# Runs clang-tidy (.clang-tidy) over C++ files with the compile commands of build/lint, which it
# configures and does not build.
#
# usage: scripts/lint.sh [BASE]   files that differ from the commit BASE; default: changes of the
#                                 last commit and uncommitted ones. For a changed header it
#                                 checks the files that include it.
#        scripts/lint.sh --all    every file
#
# Without clang-tidy it only prints what to install.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tidy=$(command -v clang-tidy-14 || command -v clang-tidy || true)
if [[ -z $tidy ]]; then
  echo "lint: clang-tidy is missing, nothing was checked; on Debian 12: apt-get install clang-tidy"
  exit 0
fi
# clang-tidy cannot read GCC's precompiled headers, and build/ has some.
mkdir -p build
cmake -S . -B build/lint -G Ninja -DAZTABLES_TESTS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >build/lint.log

changed() { # the files that differ from BASE, including new ones
  local base=${1:-}
  if [[ -z $base ]]; then # the empty tree represents the state before the first commit
    base=$(git rev-parse --quiet --verify HEAD~1 || git hash-object -t tree /dev/null)
  fi
  git diff --name-only --diff-filter=d "$base" --
  git ls-files --others --exclude-standard
}

if [[ ${1:-} == --all ]]; then
  candidates=$(find ext tests -name '*.cc')
else
  candidates=$(changed "${1:-}" | grep -E '^(ext|include|tests)/.*\.(cc|h)$' || true)
  for header in $(grep '\.h$' <<<"$candidates" || true); do
    name=$(basename "$header")
    candidates+=$'\n'$(grep -rlE --include='*.cc' "^#include \"([^\"]*/)?$name\"" ext tests || true)
  done
fi

mapfile -t files < <(grep '\.cc$' <<<"$candidates" | sort -u || true)
if ((${#files[@]} == 0)); then
  echo "lint: no files to check"
  exit 0
fi

echo "lint: ${#files[@]} files"
# The commands are g++'s: clang may not know all of its warning options.
if printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" \
  "$tidy" -p build/lint --quiet --extra-arg=-Wno-unknown-warning-option 2>build/lint.log; then
  echo "lint: ok"
else
  grep -vE 'warnings? (generated|treated)' build/lint.log >&2 || true
  echo "lint: FAILED" >&2
  exit 1
fi
