#!/usr/bin/env bash
# Checks that a bare Debian with a clone of HEAD runs the demo and all tests. It makes a minimal root under
# build/fresh, clones HEAD to /src in it, and runs the scripts there (see scripts/bare_root.sh).
#
# usage: scripts/fresh.sh [--keep] [--build SUITE]      (as root)
#   --keep         keep build/fresh for inspection; by default a success deletes it
#   --build SUITE  only builds there, with g++ and with clang++, and runs the demo; SUITE: trixie for
#                  Debian 13, bookworm for Debian 12
#
# The output is in build/fresh-NAME.log.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/bare_root.sh

root=$PWD/build/fresh
keep=
suite=bookworm
jobs=(demo test)
while (($# > 0)); do
  case $1 in
    --keep) keep=1 ;;
    --build)
      suite=${2:?--build needs a suite}
      jobs=(demo clang)
      shift
      ;;
    *)
      sed -n '/^# usage/,/^set/s/^# \{0,1\}//p' "$0" >&2
      exit 2
      ;;
  esac
  shift
done
declare -A commands=(
  [demo]='scripts/demo.sh'
  [test]='scripts/test.sh'
  [clang]='apt-get install -y -qq clang >/dev/null && cmake -S . -B build/clang -G Ninja
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ &&
    cmake --build build/clang && cd build/clang && ./aztables-server --version &&
    AZTABLES_CONNECTION_DEMO=LocalStore=:memory: sqlite3 -batch -bail :memory: ".read ../../sql/tour.sql"')

run() { # NAME: a job in the root; shows the end of its output
  local name=$1 began=$SECONDS code=0
  echo "fresh: $name (output in build/fresh-$name.log)"
  inside "$root" /bin/bash -c "cd /src && ${commands[$name]//$'\n'/ }" >"build/fresh-$name.log" 2>&1 </dev/null ||
    code=$?
  tail -n "$((code == 0 ? 20 : 80))" "build/fresh-$name.log" | sed 's/^/  | /'
  echo "fresh: $name ended with $code after $((SECONDS - began)) s"
  return "$code"
}

git rev-parse --quiet --verify HEAD >/dev/null || root_error "there is no commit to clone"
if [[ -n $(git status --porcelain) ]]; then
  echo "fresh: note: what is not committed is not in the clone"
fi
trap 'unmount_root "$root"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
make_root "$suite" "$root"
git clone --quiet --no-local . "$root/src"
if [[ $suite != bookworm ]] &&
  ! inside "$root" /src/scripts/debian_source.sh simdjson LICENSE include src >/dev/null 2>&1; then
  echo "fresh: the mirror lacks the source of simdjson of $suite; that of this machine is used"
  mkdir -p "$root/root/.cache/sqlite-aztables"
  cp -r "$(scripts/debian_source.sh simdjson LICENSE include src)" "$root/root/.cache/sqlite-aztables/"
fi

failed=
for job in "${jobs[@]}"; do run "$job" || failed=1; done
if [[ -n $failed ]]; then
  echo "fresh: FAILED; the root stays in build/fresh"
  exit 1
fi
if [[ -z $keep ]]; then remove_root "$root"; fi
echo "fresh: ${jobs[*]} pass on a bare Debian ($suite)"
