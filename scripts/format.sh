#!/usr/bin/env bash
# Formats the C and C++ code of ext, include and tests by .clang-format.
#
# usage: scripts/format.sh           rewrites the files
#        scripts/format.sh --check   changes nothing; lists differences, exit 1 if there are any
#
# Versions of clang-format differ in details. Version 14 (Debian 12) is the reference; with another
# version --check reports that it skips the check.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
if [[ -n $mode && $mode != --check ]]; then
  echo "usage: scripts/format.sh [--check]" >&2
  exit 2
fi

format=$(command -v clang-format-14 || command -v clang-format || true)
if [[ -z $format ]]; then
  echo "format: clang-format is missing; on Debian 12: apt-get install clang-format" >&2
  exit 1
fi
version=$("$format" --version | sed -E 's/.*version ([0-9]+).*/\1/')
if [[ $version != 14 ]]; then
  echo "format: clang-format is version $version, the reference is 14"
  if [[ $mode == --check ]]; then
    echo "format: the check is skipped"
    exit 0
  fi
fi

mapfile -t files < <(find ext include tests -type f \
  \( -name '*.cc' -o -name '*.h' -o -name '*.c' \) | sort)
if ((${#files[@]} == 0)); then
  echo "format: no files"
  exit 0
fi

if [[ -z $mode ]]; then
  "$format" -i "${files[@]}"
  echo "format: ${#files[@]} files are formatted"
  exit 0
fi

# One line per file with the position of its first difference.
differences=$("$format" --dry-run --Werror "${files[@]}" 2>&1 |
  grep -E '^[^ ]+:[0-9]+:[0-9]+: error:' | cut -d: -f1,2 | sort -t: -k1,1 -u || true)
if [[ -n $differences ]]; then
  printf '%s: differs from the format\n' "$differences" | sed '$!s/$/: differs from the format/'
  echo "format: run scripts/format.sh"
  exit 1
fi
echo "format: ok (${#files[@]} files)"
