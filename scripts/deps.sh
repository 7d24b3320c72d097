#!/usr/bin/env bash
# Installs missing packages for a job of this repository with apt-get.
#
# usage: scripts/deps.sh build|demo|azurite|test|bench
#   build    compiler, cmake, ninja, the libraries and the source of simdjson
#   demo     build + the sqlite3 shell
#   azurite  demo + python3, node and npm (for Azurite)
#   test     azurite + googletest, openssl (for a TLS server), cc (for a current SQLite), clang (for
#            the sanitized build)
#   bench    azurite + openssl (for a TLS server), matplotlib (for plots)
#
# A package is missing if its command or header is, so a compiler or a Node from another source suffices.
# If nothing is missing, this script is silent and quick, and uses no network.
#
# simdjson is compiled into the module from Debian's source package; apt downloads it and checks its
# signatures. It stays in the user's cache folder, in which CMake finds it for every clone. If
# AZTABLES_SIMDJSON_SOURCE names another folder, nothing is downloaded.
set -euo pipefail

level=${1:-}
packages=()
reasons=()
fetch_source=
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/sqlite-aztables # ext/CMakeLists.txt names the same folder
work=

lacks() { # PACKAGE REASON
  reasons+=("$2")
  case " ${packages[*]-} " in *" $1 "*) ;; *) packages+=("$1") ;; esac
}

need_command() { # COMMAND PACKAGE
  command -v "$1" >/dev/null 2>&1 || lacks "$2" "command $1"
}

# One preprocessor run checks all headers; without a compiler it checks the usual folders.
need_headers() { # HEADER PACKAGE HEADER PACKAGE ...
  local -a pairs=("$@")
  local i dir found program='' answer=''
  if command -v g++ >/dev/null 2>&1; then
    for ((i = 0; i < ${#pairs[@]}; i += 2)); do
      program+="#if !__has_include(<${pairs[i]}>)"$'\n'"AZTABLES_LACKS_$i;"$'\n#endif\n'
    done
    answer=$(g++ -E -P -x c++ - <<<"$program")
    for ((i = 0; i < ${#pairs[@]}; i += 2)); do
      case $answer in *"AZTABLES_LACKS_$i;"*) lacks "${pairs[i + 1]}" "header ${pairs[i]}" ;; esac
    done
    return
  fi
  for ((i = 0; i < ${#pairs[@]}; i += 2)); do
    found=
    for dir in /usr/local/include /usr/include /usr/include/*-linux-gnu*; do
      if [[ -e $dir/${pairs[i]} ]]; then found=1; fi
    done
    if [[ -z $found ]]; then lacks "${pairs[i + 1]}" "header ${pairs[i]}"; fi
  done
}

# Clang needs half of GCC's time for the sanitized build.
need_clang() {
  need_command clang++ clang
  local runtime
  if command -v clang++ >/dev/null 2>&1; then
    runtime=$(clang++ -print-file-name="libclang_rt.asan-$(uname -m).so")
  fi
  if [[ ! -e ${runtime-} ]]; then lacks libclang-rt-dev "the sanitizers of Clang"; fi
}

need_simdjson() {
  if [[ -n ${AZTABLES_SIMDJSON_SOURCE:-} || -f $cache/simdjson/src/simdjson.cpp ]]; then return; fi
  fetch_source=1
  reasons+=("the source of simdjson")
}

find_missing() {
  packages=()
  reasons=()
  fetch_source=
  need_command g++ g++
  need_command cmake cmake
  need_command ninja ninja-build
  local -a headers=(sqlite3.h libsqlite3-dev sqlite3ext.h libsqlite3-dev
    curl/curl.h libcurl4-openssl-dev openssl/evp.h libssl-dev
    expat.h libexpat1-dev microhttpd.h libmicrohttpd-dev)
  if [[ $level == test ]]; then
    headers+=(gtest/gtest.h libgtest-dev)
    need_command openssl openssl
    need_command cc gcc
    need_clang
  fi
  need_headers "${headers[@]}"
  need_simdjson
  if [[ $level != build ]]; then need_command sqlite3 sqlite3; fi
  if [[ $level == azurite || $level == test || $level == bench ]]; then
    need_command node nodejs
    need_command npm npm
    /usr/bin/python3 -S -c 'import sqlite3' 2>/dev/null ||
      lacks python3 "/usr/bin/python3 with its sqlite3 module"
  fi
  if [[ $level == bench ]]; then
    need_command openssl openssl
    /usr/bin/python3 -c 'import matplotlib' 2>/dev/null ||
      lacks python3-matplotlib "/usr/bin/python3 with matplotlib"
  fi
}

join() { # SEPARATOR ITEM...
  local separator=$1 text=$2 item
  shift 2
  for item; do text+=$separator$item; done
  printf '%s' "$text"
}

case $level in
  build | demo | azurite | test | bench) ;;
  *)
    echo "usage: scripts/deps.sh build|demo|azurite|test|bench" >&2
    exit 2
    ;;
esac

install_packages() {
  echo "deps: installing ${packages[*]}" >&2
  local install="apt-get update && apt-get install -y --no-install-recommends ${packages[*]}"
  local -a as_root=(env DEBIAN_FRONTEND=noninteractive)
  if ((EUID != 0)) && command -v sudo >/dev/null 2>&1; then as_root=(sudo "${as_root[@]}"); fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "deps: this machine has no apt-get; on Debian 12 it would be: $install" >&2
    exit 1
  elif ((EUID != 0)) && [[ ${as_root[0]} != sudo ]]; then
    echo "deps: not root and no sudo; run as root: $install" >&2
    exit 1
  fi
  # Shows errors only, not a thousand lines of unpacking.
  "${as_root[@]}" apt-get update -qq >/dev/null
  "${as_root[@]}" apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends \
    "${packages[@]}" >/dev/null
  hash -r
}

# Writes an apt configuration to $work that turns each of this machine's sources into one of source
# packages, with the same keys. It does not change /etc and does not need root.
configure_apt() {
  local list parts file
  eval "$(apt-config shell list Dir::Etc::SourceList/f parts Dir::Etc::SourceParts/d)"
  mkdir -p "$work/sources" "$work/lists" "$work/cache" "$work/package"
  for file in "$list" "$parts"/*.list "$parts"/*.sources; do
    if [[ ! -f $file ]]; then continue; fi
    case $file in
      *.list) sed -nE 's/^[[:space:]]*deb([[:space:]])/deb-src\1/p' "$file" ;;
      *.sources) sed -E 's/^Types:.*/Types: deb-src/I' "$file" ;;
    esac >"$work/sources/${file##*/}"
  done
  cat >"$work/apt.conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$work/sources";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
  if ((EUID == 0)); then # then apt downloads as this user
    chmod a+x "$work"
    chown _apt "$work/package" 2>/dev/null || true
  fi
}

download_simdjson() { # to $work/package; a source may fail if another one succeeds
  cd "$work/package"
  apt-get -c "$work/apt.conf" update -q || true
  apt-get -c "$work/apt.conf" source -q --download-only simdjson
}

fetch_simdjson() {
  echo "deps: fetching the source of simdjson to $cache" >&2
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "deps: this machine has no apt-get; set AZTABLES_SIMDJSON_SOURCE to a folder with" \
      "the source of simdjson" >&2
    exit 1
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  configure_apt
  if ! (download_simdjson) >"$work/log" 2>&1; then
    cat "$work/log" >&2
    echo "deps: apt has no source package simdjson; set AZTABLES_SIMDJSON_SOURCE to a folder with" \
      "the source of simdjson" >&2
    exit 1
  fi
  mkdir -p "$cache"
  exec 9>"$cache/.lock" # a concurrent run waits and replaces it with the same
  flock 9
  rm -rf "$cache/new"
  mkdir "$cache/new"
  tar -C "$cache/new" --strip-components=1 -xf "$work/package"/simdjson_*.orig.tar.* \
    --wildcards '*/LICENSE' '*/include' '*/src'
  rm -rf "$cache/simdjson"
  mv "$cache/new" "$cache/simdjson" # atomic
}

find_missing
if ((${#reasons[@]} == 0)); then exit 0; fi

echo "deps: missing $(join ', ' "${reasons[@]}")" >&2
if ((${#packages[@]} > 0)); then install_packages; fi
if [[ -n $fetch_source ]]; then fetch_simdjson; fi

find_missing
if ((${#reasons[@]} > 0)); then
  echo "deps: still missing after the installation: $(join ', ' "${reasons[@]}")" >&2
  exit 1
fi
echo "deps: done" >&2
