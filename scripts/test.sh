#!/usr/bin/env bash
# Runs every check of the repository: layers, format, the tests of the release build (drivers of the
# module and the server), and those of the sanitized build. The exit code is 0 only if all pass.
# At the end it prints the 20 slowest tests.
#
# usage: scripts/test.sh [--quick] [--long] [-R REGEX]
#   --quick   skips the sanitized build, and runs the unit tests in the release build
#   --long    ten times the random rounds, the tests of CMake's configuration Long, a build without
#             CMAKE_UNITY_BUILD, and as root the release files and their tests
#   -R REGEX  only the tests whose name matches, in each build that has one
#
# ctest gets AZTABLES_AZURITE (main.js of the pinned Azurite), AZTABLES_CURRENT_SQLITE (the folder of a
# current SQLite's library) and, if there are recordings of live traffic, AZTABLES_RECORDINGS (their
# folder).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

quick=
# Two more than there are processors, since many tests wait for servers and time limits.
ctest_options=(--output-on-failure --parallel "$(($(nproc) + 2))")
no_tests=error
while (($# > 0)); do
  case $1 in
    --quick) quick=1 ;;
    --long)
      export AZTABLES_LONG=1
      ctest_options+=(-C Long)
      ;;
    -R)
      ctest_options+=(-R "${2:?-R needs a regular expression}")
      no_tests=ignore # one build may have none of them
      shift
      ;;
    *)
      sed -n '/^# usage/,/^#$/s/^# \{0,1\}//p' "$0" >&2
      exit 2
      ;;
  esac
  shift
done

summary=()
failed=

phase() { # NAME COMMAND...: runs it, records its time and outcome, returns its code
  local name=$1 began=$SECONDS outcome=ok code=0
  shift
  echo "== $name"
  "$@" || code=$?
  if ((code != 0)); then
    outcome=FAILED
    failed=1
  fi
  summary+=("$(printf '%-6s  %5d s  %s' "$outcome" $((SECONDS - began)) "$name")")
  return "$code"
}

# Many files of a layer are compiled at once, which saves more than half of the time. scripts/lint.sh
# compiles each file by itself, and finds missing includes.
build() { # FOLDER OPTION...
  local folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja -DCMAKE_UNITY_BUILD=ON -DAZTABLES_TESTS=ON -DAZTABLES_WERROR=ON \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" &&
    cmake --build "$folder"
}

# As whoever builds without our scripts: each file by itself, so each has to include what it uses.
build_without_unity() {
  cmake -S . -B build/single -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=OFF \
    -DAZTABLES_WERROR=ON && cmake --build build/single
}

run_tests() { # FOLDER
  ctest --test-dir "$1" "--no-tests=$no_tests" "${ctest_options[@]}" | tee "$1/tests.log"
}

slowest() {
  echo "== slowest tests, in seconds"
  sed -nE 's|.* Test +#[0-9]+: ([a-z_0-9]+) .* ([0-9.]+) sec.*|\2 \1|p' "$@" | sort -rn | head -n 20
}

install() { # what tests need besides the build; it waits for the network and uses one processor
  scripts/azurite.sh && scripts/js_client.sh && scripts/node_hosts.sh && scripts/current_sqlite.sh
}

begin_install() {
  mkdir -p build
  install >build/install.out 2>build/install.log &
  installation=$!
}

await_install() {
  local code=0
  wait "$installation" || code=$?
  cat build/install.log
  AZTABLES_AZURITE=$(sed -n 1p build/install.out)
  AZTABLES_CURRENT_SQLITE=$(tail -n 1 build/install.out)
  export AZTABLES_AZURITE AZTABLES_CURRENT_SQLITE
  return "$code"
}

recordings=../shared/facts # the only folder that is checked; it is optional
if [[ -f $recordings/recordings-storage.jsonl ]]; then
  AZTABLES_RECORDINGS=$(cd "$recordings" && pwd)
  export AZTABLES_RECORDINGS
else
  unset AZTABLES_RECORDINGS
  echo "test: recordings of live traffic are absent; the test recorded will be reported as skipped"
fi

finish() {
  echo "== summary"
  printf '%s\n' "${summary[@]}"
  if [[ -n $failed ]]; then
    echo "test: FAILED"
    exit 1
  fi
  echo "test: all passed"
}

phase "dependencies" scripts/deps.sh test || finish
begin_install
phase "layers, self-test" scripts/check_layers --self-test || true
phase "layers" scripts/check_layers || true
if command -v clang-format >/dev/null 2>&1; then
  phase "format" scripts/format.sh --check || true
else
  echo "test: clang-format is not installed; the format check is skipped"
fi

release=(-DCMAKE_BUILD_TYPE=Release -DAZTABLES_SANITIZE=OFF -DAZTABLES_SUITE=hosts)
sanitized=(-DCMAKE_BUILD_TYPE=Debug -DAZTABLES_SANITIZE=ON -DCMAKE_C_COMPILER=clang
  -DCMAKE_CXX_COMPILER=clang++)
# Freed memory is used again sooner, so there are fewer page faults: split_scan takes a quarter less.
export ASAN_OPTIONS=quarantine_size_mb=16:allocator_release_to_os_interval_ms=-1:malloc_context_size=8
[[ -n $quick ]] && release+=(-DAZTABLES_SUITE=all)
builds=()
logs=()
phase "build, release" build build "${release[@]}" && builds+=(build)
[[ -z $quick ]] && phase "build, sanitized" build build/sanitized "${sanitized[@]}" && builds+=(build/sanitized)
[[ -n ${AZTABLES_LONG:-} ]] && { phase "build, without unity" build_without_unity || true; }
phase "azurite, clients, hosts, current sqlite" await_install || finish
for folder in "${builds[@]}"; do
  phase "tests, $folder" run_tests "$folder" || true
  logs+=("$folder/tests.log")
done
if [[ -n ${AZTABLES_LONG:-} ]] && ((EUID == 0)); then
  phase "release files" scripts/release.sh --test || true
fi
((${#logs[@]} > 0)) && slowest "${logs[@]}"
if [[ $no_tests == ignore ]] && ! grep -q "Test *#" "${logs[@]}" /dev/null; then
  echo "test: no test matches this name"
  failed=1
fi
finish
