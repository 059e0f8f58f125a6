# Sourced by tests that disturb a program: what they wait for, as on a busy machine no time is long enough.

# until_there COMMAND...: waits until it succeeds; after a minute the test ends.
until_there() {
  local i
  for i in $(seq 1200); do
    "$@" 3>&2 2>/dev/null && return
    sleep 0.05
  done
  echo "$(basename "$0" .sh): after a minute still not: $*" >&2
  exit 1
}

# A process that has ended is waited for no longer.
is_there() {
  [[ $(awk '{ print $3 }' "/proc/$1/stat") == [!Z] ]] && return
  echo "$(basename "$0" .sh): process $1 has ended already" >&3
  exit 1
}

# catches PROCESS SIGNAL: has it a handler for the signal yet? That of the shell which is about to become the program is none.
catches() {
  is_there "$1" && [[ $(<"/proc/$1/comm") != bash ]] &&
    ((0x$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$1/status") >> $(kill -l "$2") - 1 & 1))
}

# computes PROCESS HUNDREDTHS: has it used as many hundredths of a second of processor time?
computes() { is_there "$1" && ((100 * $(awk '{ print $14 + $15 }' "/proc/$1/stat") >= $2 * $(getconf CLK_TCK))); }
