# Sourced by examples/run and tests/run: what the project needs on a machine, and how it is configured and built.
# Everything here is quick when there is nothing to do, and speaks on stderr only.

set +efC +o posix  # whatever came by SHELLOPTS
unset NINJA_STATUS CLICOLOR_FORCE  # what ninja says is read here
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
jobs=${GRADUS_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}

# Debian 12 and Ubuntu 24.04 or newer. (xtl comes with libxtensor-dev.)
packages=(g++ cmake ninja-build libxtensor-dev libxsimd-dev libfmt-dev nlohmann-json3-dev libdnnl-dev libopenblas-dev
  libcli11-dev doctest-dev libbenchmark-dev)

# The same from Homebrew, which has them in newer versions.
homebrew=(cmake ninja fmt xtl xtensor xsimd nlohmann-json onednn openblas libomp cli11 doctest google-benchmark)

# What some tests drive, by the name of the command; a test leaves out what cannot be had.
tools=(node:nodejs npm:npm chromium-headless-shell:chromium-headless-shell gdb:gdb lldb:lldb tmux:tmux strace:strace clang:clang
  clang:libclang-rt-dev mpirun:openmpi-bin mpicxx:libopenmpi-dev)

say() { printf '%s\n' "$*" >&2; }

# nearest TYPED: of the names that begin the lines of the input, those that differ from TYPED in a third of its last part at
# most, whole or without the folder, and then those that contain it.
nearest() {
  awk -v typed="$1" '
    function least(a, b, c) { return a < b ? (a < c ? a : c) : (b < c ? b : c) }
    function distance(a, b,   i, j, d) {
      for (i = 0; i <= length(a); i++) d[i, 0] = i
      for (j = 0; j <= length(b); j++) d[0, j] = j
      for (i = 1; i <= length(a); i++)
        for (j = 1; j <= length(b); j++) {
          d[i, j] = least(d[i-1, j] + 1, d[i, j-1] + 1, d[i-1, j-1] + (substr(a, i, 1) != substr(b, j, 1)))
          if (substr(a, i - 1, 2) == substr(b, j, 1) substr(b, j - 1, 1)) d[i, j] = least(d[i, j], d[i-2, j-2] + 1, d[i, j])
        }
      return d[length(a), length(b)]
    }
    function last_of(path) { sub(/.*\//, "", path); return path }
    3 * least(distance(typed, $1), distance(typed, last_of($1)), 99) <= length(last_of(typed)) { near = near " " $1; next }
    length(typed) > 1 && index($1, typed) { others = others " " $1 }
    END { printf "%s", near others }'
}

# check_jobs WHERE: it was said there how many compilers run at a time.
check_jobs() {
  [[ $jobs =~ ^[1-9][0-9]{0,3}$ ]] && return
  say "$1$jobs: the number of compilers at a time is a whole number from 1 to 9999"
  exit 2
}
check_jobs GRADUS_JOBS=

check_preset() {
  local known
  known=$(sed -n 's/.*"configurePreset": "\([^"]*\)".*/\1/p' "$root/CMakePresets.json")
  grep -qxF -- "$1" <<<"$known" && return
  say "GRADUS_PRESET=$1: there is no such build preset; the presets are" $known
  exit 2
}

elsewhere() {
  say "
Gradus installs what it needs by itself on Debian 12 and Ubuntu 24.04 or newer. Here, please install it first:
  Homebrew      brew install ${homebrew[*]}
  Fedora        sudo dnf install gcc-c++ cmake ninja-build fmt-devel xtl-devel xtensor-devel xsimd-devel json-devel \\
                  onednn-devel openblas-devel cli11-devel doctest-devel google-benchmark-devel
  conda-forge   conda install -c conda-forge cxx-compiler cmake ninja fmt xtl xtensor xsimd nlohmann_json onednn openblas \\
                  cli11 doctest benchmark
and run this command again."
}

# log_of FILE COMMAND...: the command's output goes to FILE, and to stderr if it fails.
log_of() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 </dev/null || { cat "$log" >&2; return 1; }
}

# Installs the packages that are missing. Without apt, configuring will tell whether anything is.
install_packages() {
  [[ -z ${GRADUS_SKIP_PACKAGES:-} ]] && command -v apt-get >/dev/null || return 0
  local installed missing=() package
  installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' "${packages[@]}" 2>/dev/null)"
  for package in "${packages[@]}"; do
    [[ $installed == *" $package=installed "* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  apt_install "${missing[@]}"
}

# Installs the tools of the tests that are missing, all at once or, where there is no such package, each; to do without one is no
# failure.
install_tools() {
  [[ -z ${GRADUS_SKIP_PACKAGES:-} ]] && command -v apt-get >/dev/null || return 0
  local tool missing=()
  for tool in "${tools[@]}"; do
    [[ $tool != chromium-* ]] || ! command -v chromium >/dev/null || continue  # it serves as well
    command -v "${tool%:*}" >/dev/null || missing+=("${tool#*:}")
  done
  ((!${#missing[@]})) || apt_install "${missing[@]}" && return
  for tool in "${missing[@]}"; do
    apt_install "$tool" || say "going on without $tool"
  done
}

apt_install() {
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
  if ((EUID)); then
    command -v sudo >/dev/null || { say "Please install as root: apt-get install $*"; return 1; }
    sudo -v || return 1
    apt=(sudo "${apt[@]}")
  fi
  say "installing $*"
  mkdir -p "$root/build"
  "${apt[@]}" update >"$root/build/apt-update.log" 2>&1 </dev/null || say "apt-get update failed; trying to install all the same"
  log_of "$root/build/apt-install.log" "${apt[@]}" install --no-install-recommends "$@" || {
    say "Some packages could not be installed (see above). With GRADUS_SKIP_PACKAGES=1 this step is left out."
    return 1
  }
  touch "$root/build/installed"
}

# configure PRESET: once, and anew if the tree was moved or copied, or packages came; CMake itself sees to changes of its files.
configure() {
  local dir=$root/build/$1 fresh=
  if [[ -f $dir/CMakeCache.txt ]]; then
    [[ $(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$dir/CMakeCache.txt") -ef $root ]] || fresh=--fresh
    [[ ! $root/build/installed -nt $dir/configured ]] || fresh=--fresh
    [[ -z $fresh && -f $dir/build.ninja && $dir/configured -nt $root/CMakePresets.json ]] && return
  fi
  say "configuring $1"
  log_of "$root/build/configure-$1.log" cmake -S "$root" --preset "$1" $fresh || {
    command -v apt-get >/dev/null || elsewhere
    return 1
  }
  touch "$dir/configured"
}

# missing_of FOLDER TARGET...: how many files that these targets need have never been built.
missing_of() {
  local file missing=0
  while read -r file; do
    [[ -e $1/$file ]] || ((++missing))
  done < <(ninja -C "$1" -t commands "${@:2}" 2>/dev/null | sed -nE 's/.* (-o|qc) +([^ ]+).*/\2/p')
  echo "$missing"
}

# show_progress NAME [STEPS]: shows that something is being built, only if something is, and how long it may still take if the rest
# goes as the last twenty steps did: in one line on a terminal that can redraw it, else with a line a quarter of a minute.
show_progress() {
  local line step all begun seconds said=-1 left redraws= at=(0)
  [[ ! -t 2 || ${TERM:-dumb} == dumb || -n ${NO_COLOR:-} ]] || redraws=yes
  show() { if [[ -n $redraws ]]; then printf '\r\e[K%s' "$1" >&2; else say "$1"; fi; }
  SECONDS=0
  ((${2:-0} == 0)) || show "building $1: 0 of $2"
  while IFS= read -r line; do
    printf '%s\n' "$line"
    [[ $line =~ ^\[([1-9][0-9]*)/([0-9]+)\] ]] || continue
    step=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} left=
    at[step]=$SECONDS begun=$((step > 20 ? step - 20 : 0))
    seconds=$(((SECONDS - ${at[begun]:-0}) * (all - step) / (step - begun)))
    if ((SECONDS >= 10 && seconds >= 5 && 6 * step >= all)); then  # the first steps say little: others are half done beside them
      left=", about $(((seconds + 30) / 60)) min left"
      ((seconds >= 150)) || left=", about $(((seconds + 5) / 10 * 10)) s left"
    fi
    [[ -n $redraws ]] || ((said < 0 || SECONDS - said >= 15)) || continue
    show "building $1: $step of $all$left"
    said=$SECONDS
  done
  [[ -z $redraws ]] || printf '\r\e[K' >&2
}

# what_failed LOG: what the compiler said, and again its first error, where it has left the screen; its commands, of two thousand
# characters, stay in the log.
what_failed() {
  local said first
  said=$(awk '/^(\[[0-9]+\/[0-9]+\]|--) / { next } /^FAILED: / { print; getline; next } { print }' "$1")
  first=$(grep -m 1 -F ' error: ' <<<"$said")
  say "$said"
  [[ -z $first || $(wc -l <<<"$said") -lt 20 ]] || say "The first error: ${first#"$root"/}"
  say "The commands are in $1."
}

# build PRESET [TARGET...]: one build at a time in one tree. It stops at the first error, unless keep_going is 0.
build() {
  local preset=$1 name=${2:-$1}${3+ and more} targets log=$root/build/build-$1.log
  shift
  targets=("${@:-all}")
  mkdir -p "$root/build" 2>/dev/null && [[ -w $root/build ]] || {
    say "Everything is built in build/, but $root cannot be written to. Copy it to where it can, or build elsewhere:"
    say "  cmake -S '$root' -B FOLDER --preset $preset && cmake --build FOLDER --target ${targets[*]}"
    return 1
  }
  (
    ! command -v flock >/dev/null || flock 9
    configure "$preset" || exit 1
    cmake --build "$root/build/$preset" --target "${targets[@]}" -j "$jobs" -- -k "${keep_going:-1}" 2>&1 </dev/null |
      show_progress "$name" "$(missing_of "$root/build/$preset" "${targets[@]}")" >"$log"
    case ${PIPESTATUS[0]} in
      0) ;;
      130) kill -INT "$BASHPID"; exit 130 ;;  # Ctrl-C, which the caller has to see
      *) what_failed "$log"; exit 1 ;;
    esac
  ) 9>"$root/build/.lock-$preset"
}

# Debian's lldb 14 looks for its Python modules in a folder that is not there.
find_python_of_lldb() {
  local modules
  for modules in /usr/lib/llvm-*/lib/python3.*/dist-packages; do
    [[ ! -f $modules/lldb/embedded_interpreter.py ]] || export PYTHONPATH=$modules${PYTHONPATH:+:$PYTHONPATH}
  done
}
