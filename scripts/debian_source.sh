#!/usr/bin/env bash
# Fetches the source of a Debian package, with Debian's patches if dpkg-source is installed, and keeps it
# in the user's cache folder for every clone.
#
# usage: scripts/debian_source.sh NAME [PATH...]     PATH: keeps only these files and folders
#
# apt downloads it and checks its signatures. If the newest version is not on the mirror, the next older
# one is taken. Prints the folder, whose file VERSION names the version.
set -euo pipefail

name=${1:?usage: scripts/debian_source.sh NAME [PATH...]}
shift
cache=${XDG_CACHE_HOME:-${HOME:-}/.cache}/sqlite-aztables # ext/CMakeLists.txt names the same folder
if [[ -f $cache/$name/VERSION ]]; then
  echo "$cache/$name"
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "debian_source: this machine has no apt-get" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

versions() { # newest first
  apt-cache -c "$work/apt.conf" showsrc "$name" | sed -n 's/^Version: //p' | sort -rV | uniq
}

download() { # to $work/package; a source of apt may fail if another one succeeds
  local candidate
  cd "$work/package"
  apt-get -c "$work/apt.conf" update -q || true
  for candidate in $(versions); do
    if apt-get -c "$work/apt.conf" source -q --download-only "$name=$candidate"; then
      echo "$candidate" >"$work/version"
      return
    fi
  done
  return 1
}

unpack() { # FOLDER
  if command -v dpkg-source >/dev/null 2>&1; then
    dpkg-source --no-check -x "$work"/package/*.dsc "$1" >"$work/log" 2>&1
  else
    mkdir "$1"
    tar -C "$1" --strip-components=1 -xf "$work"/package/*.orig.tar.*[!c]
  fi
}

echo "debian_source: fetching $name to $cache" >&2
configure_apt
if ! (download) >"$work/log" 2>&1; then
  cat "$work/log" >&2
  echo "debian_source: apt has no source package $name" >&2
  exit 1
fi
mkdir -p "$cache"
exec 9>"$cache/.lock" # a concurrent run waits and replaces it with the same
flock 9
new=$cache/.new # dpkg-source also copies the archive here
rm -rf "$new"
mkdir "$new"
unpack "$new/tree"
if (($# > 0)); then
  mkdir "$new/kept"
  for path; do mv "$new/tree/$path" "$new/kept/"; done
  rm -rf "$new/tree"
  mv "$new/kept" "$new/tree"
fi
cp "$work/version" "$new/tree/VERSION"
rm -rf "${cache:?}/$name"
mv "$new/tree" "$cache/$name" # atomic
rm -rf "$new"
echo "$cache/$name"
