#!/usr/bin/env bash
# A minimal Debian in a folder, made once by debootstrap: in a fresh clone there, the first example, and the tests of core, nn
# and optim. It says how long the packages took, and the build.
#   debian_test.sh [SUITE [COMMAND]]     this suite alone; this command instead
. "$(dirname "${BASH_SOURCE[0]}")/system.sh"
need debootstrap unshare git
((EUID == 0)) || { echo "only root can make a Debian"; exit 77; }

if (($# == 0)); then
  status=0
  for suite in bookworm trixie testing; do
    bash "$0" $suite || status=1
  done
  exit $status
fi

suite=$1
command=${2:-'./examples/run --steps 20; for floor in core nn optim; do ./tests/run --only $floor || failed=1; done; exit ${failed-0}'}
system=${XDG_CACHE_HOME:-$HOME/.cache}/gradus/$suite

# inside COMMAND: by the system's root, in the clone. What is mounted for it, and every process, ends with it.
inside() {
  unshare --mount --pid --fork --kill-child bash -ec '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    chroot "$0" env -u GRADUS_FULL HOME=/root bash -c "cd /gradus && . tests/support/setup.sh && $1"' "$system" "$1"
}

if [[ ! -d $system ]]; then
  rm -rf "$system.part"
  unshare --mount debootstrap --variant=minbase "$suite" "$system.part"
  mv "$system.part" "$system"
fi
rm -rf "$system/gradus"
git clone -q --no-hardlinks "$root" "$system/gradus"

TIMEFORMAT="$suite: %0R s for the packages"
time inside install_packages
inside 'cat /etc/debian_version; dpkg-query -W "${packages[@]}"'
TIMEFORMAT="$suite: %0R s for the build and the rest"
time inside "$command"
