#!/usr/bin/env bash
# Makes the release files for Linux in build/release/. For each target: an archive with aztables.so,
# aztables-server, the command aztables and the documents; an archive of aztables.so alone, for sqlpkg;
# an npm package and a Python wheel. Also the .deb of this machine's architecture, which uses Debian's
# libraries, checksums.txt, and sqlpkg's manifest.
#
# usage: scripts/release.sh [--test] [TARGET...]
#   TARGET  linux-x64 or linux-arm64, which is cross-built; default: both
#   --test  then tests the files by tests/packages/release_test.py (as root, after scripts/test.sh)
#
# libcurl, OpenSSL, expat and libstdc++ are linked statically, from Debian's packages and sources. The
# files need glibc 2.34, and aztables.so a host with SQLite 3.38. Prints seconds and sizes.
# AZTABLES_RELEASE_URL is the address from which sqlpkg will download the files; by default the folder
# of the manifest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

release=$PWD/build/release
version=$(scripts/package/version.sh)
jobs=$(nproc)

die() {
  echo "release: $*" >&2
  exit 1
}

select_target() { # sets the names that belong to a target
  target=$1
  case $target in
    linux-x64) machine=x86_64 ;;
    linux-arm64) machine=aarch64 ;;
    *) die "unknown target $target; there are linux-x64 and linux-arm64" ;;
  esac
  triplet=$machine-linux-gnu
  libraries=/usr/lib/$triplet
  work=$release/work/$target
  stage=$release/work/$target/sqlite-aztables-$version-$target
  cmake_options=(-G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/libraries")
  compiler=$triplet-gcc
  if [[ $machine != $(uname -m) ]]; then
    cmake_options+=(-DCMAKE_TOOLCHAIN_FILE="$PWD/scripts/package/$target.cmake")
  fi
}

build_curl() {
  local source
  source=$(scripts/debian_source.sh curl)
  cmake -S "$source" -B "$work/curl" "${cmake_options[@]}" \
    -DCMAKE_INSTALL_PREFIX="$work/libraries" -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF -DENABLE_MANUAL=OFF \
    -DHTTP_ONLY=ON -DCURL_USE_OPENSSL=ON -DOPENSSL_USE_STATIC_LIBS=ON \
    -DENABLE_THREADED_RESOLVER=ON -DCURL_CA_BUNDLE=none -DCURL_CA_PATH=none -DCURL_CA_FALLBACK=ON \
    -DCURL_ZLIB=OFF -DCURL_BROTLI=OFF -DCURL_ZSTD=OFF -DUSE_NGHTTP2=OFF -DUSE_LIBIDN2=OFF \
    -DCURL_USE_LIBPSL=OFF -DCURL_USE_LIBSSH2=OFF -DCURL_USE_LIBSSH=OFF -DCURL_USE_GSSAPI=OFF
  cmake --build "$work/curl"
  cmake --install "$work/curl"
}

build_microhttpd() {
  local source
  source=$(scripts/debian_source.sh libmicrohttpd)
  mkdir -p "$work/microhttpd"
  cd "$work/microhttpd"
  "$source/configure" --host="$triplet" --prefix="$work/libraries" --disable-shared --with-pic \
    --disable-https --disable-doc --disable-examples --disable-curl --disable-bauth --disable-dauth
  make -j "$jobs"
  make install
}

build_ours() {
  cmake -S . -B "$work/build" "${cmake_options[@]}" -DAZTABLES_PORTABLE=ON -DCMAKE_UNITY_BUILD=ON \
    -DEXPAT_LIBRARY="$libraries/libexpat.a" -DSQLite3_LIBRARY="$libraries/libsqlite3.a" \
    -DMICROHTTPD_LIBRARY="$work/libraries/lib/libmicrohttpd.a" \
    -DMICROHTTPD_INCLUDE_DIR="$work/libraries/include"
  cmake --build "$work/build"
}

# A file must need no library but glibc's and libgcc_s, and no newer glibc than 2.34.
check_binary() { # FILE
  local needed newest
  needed=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' | sort | xargs)
  case $needed in
    *lib[!mcg]* | *libg[!c]*) die "${1##*/} needs $needed" ;;
  esac
  newest=$(objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
  [[ $(printf '%s\n' GLIBC_2.34 "$newest" | sort -V | tail -n 1) == GLIBC_2.34 ]] ||
    die "${1##*/} needs $newest"
}

versions() { # what is inside
  echo "sqlite-aztables $version ($(git describe --always --dirty 2>/dev/null || echo no git))"
  echo "target $target, glibc 2.34 or later; aztables.so: a host with SQLite 3.38 or later"
  echo "curl $(cat "$(scripts/debian_source.sh curl)/VERSION")"
  echo "libmicrohttpd $(cat "$(scripts/debian_source.sh libmicrohttpd)/VERSION") (aztables-server only)"
  echo "simdjson $(cat "$(scripts/debian_source.sh simdjson LICENSE include src)/VERSION")"
  local architecture=amd64 package
  [[ $target == linux-arm64 ]] && architecture=arm64
  for package in libssl-dev libexpat1-dev libsqlite3-dev; do
    dpkg-query -W -f '${source:Package} ${Version}\n' "$package:$architecture"
  done
  "$triplet-gcc" --version | sed -n '1s/^/libstdc++ of /p'
}

licences() { # of what is inside
  local source
  echo "aztables.so and aztables-server contain these libraries. aztables-server alone contains"
  echo "libmicrohttpd, under the LGPL 2.1, and SQLite, which is in the public domain. The source of"
  echo "sqlite-aztables and Debian's sources of the versions in VERSIONS.txt build both files again."
  for source in simdjson/LICENSE curl/COPYING libmicrohttpd/COPYING; do
    printf '\n==== %s\n\n' "${source%/*}"
    cat "$(scripts/debian_source.sh "${source%/*}" | tail -n 1)/${source#*/}"
  done
  for source in libssl-dev libexpat1-dev libsqlite3-dev libstdc++-12-dev; do
    printf '\n==== %s\n\n' "$source"
    cat "/usr/share/doc/$source/copyright" 2>/dev/null || cat "/usr/share/doc/${source%-dev}/copyright"
  done
}

stage_files() {
  rm -rf "$stage"
  mkdir -p "$stage"
  local file
  local exported
  exported=$(nm -D --defined-only "$work/build/aztables.so" | awk '{ print $NF }')
  [[ $exported == sqlite3_aztables_init ]] || die "aztables.so exports $exported"
  for file in aztables.so aztables-server; do
    "$triplet-strip" -o "$stage/$file" "$work/build/$file"
    chmod 755 "$stage/$file"
    check_binary "$stage/$file"
  done
  cp "$work/build/aztables" LICENSE README.md REFERENCE.md CHANGELOG.md "$stage/"
  cp -r sql "$stage/"
  versions >"$stage/VERSIONS.txt"
  licences >"$stage/LICENSES.txt"
  local archive=(tar --sort=name --owner=0 --group=0 --numeric-owner -cz)
  "${archive[@]}" -C "$work" -f "$release/${stage##*/}.tar.gz" "${stage##*/}"
  "${archive[@]}" -C "$stage" -f "$release/sqlite-aztables-$version-loadable-$target.tar.gz" \
    aztables.so LICENSE LICENSES.txt VERSIONS.txt
}

make_deb() {
  scripts/build.sh
  cpack --config build/CPackConfig.cmake -B "$work/deb"
  mv "$work"/deb/*.deb "$release/"
}

step() { # NAME COMMAND...: its output goes to a log, which a failure shows
  local name=$1 began=$SECONDS
  shift
  mkdir -p "$work"
  if ! ("$@") >"$work/$name.log" 2>&1; then
    tail -n 40 "$work/$name.log" >&2
    die "$target: $name failed, see $work/$name.log"
  fi
  printf '%-12s %-12s %4d s\n' "$target" "$name" $((SECONDS - began))
}

test=
if [[ ${1:-} == --test ]]; then
  test=1
  shift
fi
targets=("$@")
((${#targets[@]} > 0)) || targets=(linux-x64 linux-arm64)
for target in "${targets[@]}"; do select_target "$target"; done
scripts/deps.sh release
mkdir -p "$release"
rm -f "$release"/*.*
folders=()
for target in "${targets[@]}"; do
  select_target "$target"
  if [[ $target == linux-arm64 ]]; then scripts/deps.sh release-arm64; fi
  [[ -f $work/libraries/lib/libcurl.a ]] || step curl build_curl
  [[ -f $work/libraries/lib/libmicrohttpd.a ]] || step microhttpd build_microhttpd
  step build build_ours
  step files stage_files
  step wheel scripts/package/wheel.sh "$release" "manylinux_2_34_$machine" "$stage"
  folders+=("$target=$stage")
done
target=packages work=$release/work
step deb make_deb
step npm scripts/package/npm.sh "$release" "${folders[@]}"
sed -e "s|@VERSION@|$version|" -e "s|@URL@|${AZTABLES_RELEASE_URL:-.}|" scripts/package/sqlpkg.json >"$release/sqlpkg.json"
(cd "$release" && sha256sum -- *.tar.gz *.deb *.tgz *.whl >checksums.txt &&
  ls -l --block-size=1 -- *.tar.gz *.deb *.tgz *.whl | awk '{ printf "%8.2f MB  %s\n", $5 / 1e6, $NF }')
if [[ -n $test ]]; then exec /usr/bin/python3 tests/packages/release_test.py; fi
