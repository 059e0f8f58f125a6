#!/usr/bin/env bash
# A minimal Debian in a folder, made once by debootstrap: in a fresh clone there, the first example, and the tests of core, nn
# and optim. It says how long the packages took, and the build.
#   debian_test.sh [SUITE [COMMAND]]     this suite alone; this command instead
. "$(dirname "${BASH_SOURCE[0]}")/system.sh"
need debootstrap unshare git
((EUID == 0)) || { echo "only root can make a Debian"; exit 77; }

suites=(${1:-bookworm trixie testing})
command=${2:-'./examples/run --steps 20 && for floor in core nn optim; do ./tests/run --only $floor || exit; done'}
systems=${XDG_CACHE_HOME:-$HOME/.cache}/gradus

# inside SYSTEM COMMAND: by its root, in the clone. What is mounted for it, and every process, ends with it.
inside() {
  unshare --mount --pid --fork --kill-child bash -ec '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    chroot "$0" env -u GRADUS_FULL HOME=/root bash -c "cd /gradus && . tests/support/setup.sh && $1"' "$1" "$2"
}

check() {
  local system=$systems/$1 TIMEFORMAT
  if [[ ! -d $system ]]; then
    mkdir -p "$systems"
    rm -rf "$system.part"
    debootstrap --variant=minbase "$1" "$system.part" >"$system.log" || { tail -n 3 "$system.log"; return 1; }
    mv "$system.part" "$system"
  fi
  rm -rf "$system/gradus"
  git clone -q --no-hardlinks "$root" "$system/gradus"
  TIMEFORMAT="$1: %0R s for the packages"
  time inside "$system" install_packages || return
  inside "$system" 'cat /etc/debian_version; dpkg-query -W "${packages[@]}"'
  TIMEFORMAT="$1: %0R s for the build and the rest"
  time inside "$system" "$command"
}

status=0
for suite in "${suites[@]}"; do
  check "$suite" || { echo "FAILED: $suite"; status=1; }
done
exit $status
