# Sourced by tests of many like things. ./tests/run takes a sample of them, the same for every commit; GRADUS_SEED=2 takes another,
# ./tests/run --full all.

: "${GRADUS_SEED:=1}"
export GRADUS_SEED
RANDOM=$GRADUS_SEED

# takes N: takes this one? One in N.
takes() { [[ -n ${GRADUS_FULL-} ]] || ((RANDOM % $1 == 0)); }

# sample N ITEM...: N of the items, a line each, in the order in which they came.
sample() {
  local n=$1
  shift
  [[ -z ${GRADUS_FULL-} ]] || n=$#
  printf '%s\n' "$@" | awk -v seed="$GRADUS_SEED" 'BEGIN { srand(seed); rand() } { printf "%.9f\t%d\t%s\n", rand(), NR, $0 }' |
    sort | head -n "$n" | sort -n -k 2,2 | cut -f 3-
}
