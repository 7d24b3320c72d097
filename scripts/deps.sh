#!/usr/bin/env bash
# Installs missing packages for a job of this repository with apt-get.
#
# usage: scripts/deps.sh build|demo|azurite|package|test|release|release-arm64|bench
#   build    compiler, cmake, ninja, the libraries and the source of simdjson
#   demo     build + the sqlite3 shell
#   azurite  demo + python3, node and npm (for Azurite)
#   package  azurite + what builds the .deb and the wheel
#   test     package + googletest, openssl (for a TLS server), cc (for a current SQLite), clang (for
#            the sanitized build), ODBC
#   release  package + what builds libcurl and libmicrohttpd
#   release-arm64
#            release + the compiler and the libraries of arm64, which becomes a foreign architecture of
#            dpkg, and qemu
#   bench    azurite + openssl (for a TLS server), matplotlib (for plots)
#
# A package is missing if its command or header is, so a compiler or a Node from another source suffices.
# If nothing is missing, this script is silent and quick, and uses no network.
#
# simdjson is compiled into the module from Debian's source package (scripts/debian_source.sh). If
# AZTABLES_SIMDJSON_SOURCE names another folder, nothing is downloaded.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

level=${1:-}
packages=()
reasons=()
fetch_source=
simdjson=${XDG_CACHE_HOME:-${HOME:-}/.cache}/sqlite-aztables/simdjson # the folder of debian_source.sh

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

need_python() { # MODULE PACKAGE: for the system's Python
  /usr/bin/python3 -S -c "import sys; sys.path.append('/usr/lib/python3/dist-packages'); import $1" 2>/dev/null ||
    lacks "$2" "/usr/bin/python3 with its module $1"
}

need_package() { # PACKAGE
  dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q ' installed$' || lacks "$1" "package $1"
}

need_simdjson() {
  if [[ -n ${AZTABLES_SIMDJSON_SOURCE:-} || -f $simdjson/src/simdjson.cpp ]]; then return; fi
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
  local package
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
  if [[ $level == build ]]; then return; fi
  need_command sqlite3 sqlite3
  if [[ $level == demo ]]; then return; fi
  need_command node nodejs
  need_command npm npm
  need_python sqlite3 python3
  case $level in
    bench)
      need_command openssl openssl
      need_python matplotlib python3-matplotlib
      ;;
    package | test | release | release-arm64)
      need_command dpkg-shlibdeps dpkg-dev
      need_command file file
      need_python setuptools python3-setuptools
      need_python wheel python3-wheel
      need_python ensurepip python3-venv
      ;;
  esac
  if [[ $level == test ]]; then
    need_command isql unixodbc
    need_package libsqliteodbc
    need_python pyodbc python3-pyodbc
  elif [[ $level == release* ]]; then
    need_command make make
  fi
  if [[ $level == release-arm64 ]]; then
    need_command aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
    need_command qemu-aarch64-static qemu-user-static
    for package in libssl-dev libexpat1-dev libsqlite3-dev; do need_package "$package:arm64"; done
  fi
}

join() { # SEPARATOR ITEM...
  local separator=$1 text=$2 item
  shift 2
  for item; do text+=$separator$item; done
  printf '%s' "$text"
}

case $level in
  build | demo | azurite | package | test | release | release-arm64 | bench) ;;
  *)
    sed -n '/^# usage/s/^# //p' "$0" >&2
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
  case " ${packages[*]} " in *:arm64\ *) "${as_root[@]}" dpkg --add-architecture arm64 ;; esac
  # Shows errors only, not a thousand lines of unpacking.
  "${as_root[@]}" apt-get update -qq >/dev/null
  "${as_root[@]}" apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends \
    "${packages[@]}" >/dev/null
  hash -r
}

fetch_simdjson() {
  scripts/debian_source.sh simdjson LICENSE include src >/dev/null || {
    echo "deps: set AZTABLES_SIMDJSON_SOURCE to a folder with the source of simdjson" >&2
    exit 1
  }
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
