# Functions for bare Debian roots, in which programs run by chroot and see nothing of this machine but
# its network configuration: Debian mirror and apt's proxies (from apt's configuration;
# AZTABLES_DEBIAN_MIRROR overrides the mirror), npm's registry, proxies, resolv.conf, hosts and CA
# certificates. For scripts that `source` it in the repository's folder, as root, with `set -euo pipefail`.
#
#   make_root SUITE FOLDER       unpacks a minimal Debian and mounts /proc and /dev in it
#   inside FOLDER COMMAND...     runs a command in it, with an environment of its own
#   remove_root FOLDER
#
# The minimal Debian of each suite stays in build/bare-SUITE.tar for the next run.

host_certificates=/etc/ssl/certs/ca-certificates.crt
root_certificates=/etc/bare-root-ca.crt # a path that the package ca-certificates does not write

root_error() {
  echo "${0##*/}: $*" >&2
  exit 1
}

unmount_root() { # FOLDER; dev is this machine's own: unmount it before anything is deleted
  local target
  for target in "$1/dev" "$1/sys" "$1/proc"; do
    if mountpoint -q "$target"; then umount "$target" || umount --lazy "$target"; fi
  done
}

remove_root() { # FOLDER
  unmount_root "$1"
  rm -rf --one-file-system "$1"
}

debian_sources() { # SUITE: "URI SUITE COMPONENT" of each Debian source of this machine
  apt-get indextargets --format "\$(ORIGIN) \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" \
    'Created-By: Packages' | sed -n "s/^Debian \(.* $1\)/\1/p" | sort -u
}

# Sets `mirror` and `sources`. This machine's mirror also serves suites that it does not use itself.
find_mirror() { # SUITE
  if [[ -z $(apt-get indextargets 'Created-By: Packages' | head -c 1) ]]; then apt-get update -qq; fi
  sources=$(debian_sources "$1")
  mirror=${AZTABLES_DEBIAN_MIRROR:-$(awk -v s="$1" '$2 == s { print $1; exit }' <<<"$sources")}
  if [[ -z $mirror ]]; then
    mirror=$(apt-get indextargets --format "\$(ORIGIN) \$(LABEL) \$(REPO_URI)" 'Created-By: Packages' |
      awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }')
  fi
  [[ -n $mirror ]] || root_error "apt here knows no Debian mirror; set AZTABLES_DEBIAN_MIRROR"
  if [[ -n ${AZTABLES_DEBIAN_MIRROR:-} || -z $sources ]]; then sources="$mirror $1 main"; fi
}

make_base() { # SUITE FOLDER
  local base=build/bare-$1.tar log=build/bare-$1.log
  if [[ -f $base ]]; then return; fi
  if ! command -v debootstrap >/dev/null 2>&1; then
    echo "${0##*/}: installing debootstrap"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
  fi
  echo "${0##*/}: debootstrap of $1 (kept as $base)"
  debootstrap --variant=minbase "$1" "$2" "$mirror" >"$log" 2>&1 ||
    root_error "debootstrap failed, see $log: $(tail -n 3 "$log")"
  unmount_root "$2"
  rm -rf "$2"/var/cache/apt/archives/*.deb
  tar --one-file-system -C "$2" -cf "$base.new" .
  mv "$base.new" "$base"
  remove_root "$2"
}

configure_network() { # FOLDER
  printf '%s\n' "$sources" | sed 's/^/deb /' >"$1/etc/apt/sources.list"
  # Proxies and similar options; certificates have a separate option.
  apt-config dump Acquire | grep -iE '^Acquire::([a-z]+::)*(Proxy|Check-|Retries|Timeout|Verify-)' \
    >"$1/etc/apt/apt.conf.d/90bare-root" || true
  cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
  if [[ -f $host_certificates ]]; then
    cp -L "$host_certificates" "$1$root_certificates"
    echo "Acquire::https::CAInfo \"$root_certificates\";" >>"$1/etc/apt/apt.conf.d/90bare-root"
  fi
}

make_root() { # SUITE FOLDER
  ((EUID == 0)) || root_error "this needs root: it mounts and uses chroot"
  command -v apt-get >/dev/null || root_error "this needs a Debian or a relative of it: apt-get is missing"
  mkdir -p build
  find_mirror "$1"
  remove_root "$2"
  make_base "$1" "$2"
  mkdir -p "$2"
  tar -C "$2" -xf "build/bare-$1.tar"
  configure_network "$2"
  mount -t proc proc "$2/proc"
  mount --bind /dev "$2/dev"
}

inside() { # FOLDER COMMAND...
  local root=$1 name registry
  shift
  local -a environment=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb
    DEBIAN_FRONTEND=noninteractive)
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    if [[ -n ${!name:-} ]]; then environment+=("$name=${!name}"); fi
  done
  registry=$(npm config get registry 2>/dev/null || true)
  if [[ -n $registry ]]; then environment+=("npm_config_registry=$registry"); fi
  if [[ -f $root$root_certificates ]]; then
    environment+=("NODE_EXTRA_CA_CERTS=$root_certificates" "npm_config_cafile=$root_certificates")
  fi
  env -i "${environment[@]}" chroot "$root" "$@"
}
