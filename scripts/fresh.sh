#!/usr/bin/env bash
# Checks that a fresh Debian 12 with a clone of HEAD runs the demo and all tests. It makes a minimal root
# under build/fresh, clones HEAD to /src in it, and runs scripts/demo.sh and scripts/test.sh by chroot.
# This machine's tools are invisible there.
#
# usage: scripts/fresh.sh [--keep]      (as root)
#   --keep  keep build/fresh for inspection; by default a success deletes it
#
# Only the network configuration is this machine's: Debian mirror and apt's proxies (from apt's
# configuration; AZTABLES_DEBIAN_MIRROR overrides the mirror), npm's registry, proxies, resolv.conf,
# hosts and CA certificates. The bare root stays in build/fresh-base.tar for the next run. The output of
# both scripts is in build/fresh-demo.log and build/fresh-test.log.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

suite=bookworm
root=$PWD/build/fresh
base=$PWD/build/fresh-base.tar
host_certificates=/etc/ssl/certs/ca-certificates.crt
certificates=/etc/fresh-ca-certificates.crt # a path that the package ca-certificates does not write
keep=

die() {
  echo "fresh: $*" >&2
  exit 1
}

unmount() { # dev is this machine's own: unmount it before anything is deleted
  local target
  for target in "$root/dev" "$root/sys" "$root/proc"; do
    if mountpoint -q "$target"; then umount "$target" || umount --lazy "$target"; fi
  done
}

remove_root() {
  unmount
  rm -rf --one-file-system "$root"
}

debian_sources() { # "URI SUITE COMPONENT" of each Debian source of this machine
  apt-get indextargets --format "\$(ORIGIN) \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
    'Created-By: Packages' | sed -n "s/^Debian \(.* $suite\)/\1/p" | sort -u
}

find_mirror() {
  if ! debian_sources | grep -q .; then apt-get update -qq; fi
  sources=$(debian_sources)
  mirror=${AZTABLES_DEBIAN_MIRROR:-$(awk -v s="$suite" '$2 == s { print $1; exit }' <<<"$sources")}
  [[ -n $mirror ]] || die "apt here knows no Debian $suite; set AZTABLES_DEBIAN_MIRROR"
  if [[ -n ${AZTABLES_DEBIAN_MIRROR:-} || -z $sources ]]; then sources="$mirror $suite main"; fi
}

make_base() {
  if [[ -f $base ]]; then return; fi
  if ! command -v debootstrap >/dev/null 2>&1; then
    echo "fresh: installing debootstrap"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
  fi
  echo "fresh: debootstrap of $suite (kept as build/fresh-base.tar)"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >build/fresh-debootstrap.log 2>&1 ||
    die "debootstrap failed, see build/fresh-debootstrap.log: $(tail -n 3 build/fresh-debootstrap.log)"
  unmount
  rm -rf "$root"/var/cache/apt/archives/*.deb
  tar --one-file-system -C "$root" -cf "$base.new" .
  mv "$base.new" "$base"
  remove_root
}

configure_network() {
  printf '%s\n' "$sources" | sed 's/^/deb /' >"$root/etc/apt/sources.list"
  # Proxies and similar options; certificates have a separate option.
  apt-config dump Acquire | grep -iE '^Acquire::([a-z]+::)*(Proxy|Check-|Retries|Timeout|Verify-)' \
    >"$root/etc/apt/apt.conf.d/90fresh" || true
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  if [[ -f $host_certificates ]]; then
    cp -L "$host_certificates" "$root$certificates"
    echo "Acquire::https::CAInfo \"$certificates\";" >>"$root/etc/apt/apt.conf.d/90fresh"
  fi
}

inside() { # COMMAND...: runs it in the root, with its own environment
  local -a environment=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb)
  local name
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    if [[ -n ${!name:-} ]]; then environment+=("$name=${!name}"); fi
  done
  if [[ -n $registry ]]; then environment+=("npm_config_registry=$registry"); fi
  if [[ -f $root$certificates ]]; then
    environment+=("NODE_EXTRA_CA_CERTS=$certificates" "npm_config_cafile=$certificates")
  fi
  env -i "${environment[@]}" chroot "$root" "$@"
}

run() { # NAME: scripts/NAME.sh in the root; shows the end of its output
  local name=$1 began=$SECONDS code=0
  echo "fresh: scripts/$name.sh (output in build/fresh-$name.log)"
  inside /bin/bash -c "cd /src && exec scripts/$name.sh" >"build/fresh-$name.log" 2>&1 </dev/null ||
    code=$?
  tail -n "$((code == 0 ? 20 : 80))" "build/fresh-$name.log" | sed 's/^/  | /'
  echo "fresh: scripts/$name.sh ended with $code after $((SECONDS - began)) s"
  return "$code"
}

case ${1:-} in
  '') ;;
  --keep) keep=1 ;;
  *) die "usage: scripts/fresh.sh [--keep]" ;;
esac
((EUID == 0)) || die "this needs root: it mounts and uses chroot"
command -v apt-get >/dev/null || die "this needs a Debian or a relative of it: apt-get is missing"
git rev-parse --quiet --verify HEAD >/dev/null || die "there is no commit to clone"
if [[ -n $(git status --porcelain) ]]; then
  echo "fresh: note: what is not committed is not in the clone"
fi

trap unmount EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p build
registry=$(npm config get registry 2>/dev/null || true)
find_mirror
remove_root
make_base

echo "fresh: unpacking the root under build/fresh"
mkdir -p "$root"
tar -C "$root" -xf "$base"
configure_network
git clone --quiet --no-local . "$root/src"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"

failed=
run demo || failed=1
run test || failed=1
if [[ -n $failed ]]; then
  echo "fresh: FAILED; the root stays in build/fresh"
  exit 1
fi
if [[ -z $keep ]]; then remove_root; fi
echo "fresh: demo and tests pass on a fresh Debian 12"
