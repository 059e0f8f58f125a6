# Sourced by kill_test.sh and system_call_test.sh: a training run that is small, and what a disturbed one must end with.

train=$root/build/release/bin/train
name=$(basename "$0" .sh)
fail() {
  echo "$name: $1" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
for i in $(seq 200); do echo "The quick brown fox jumps over the lazy dog $i times."; done >text.txt

# arguments_of DIR OPTION...: of train, in `arguments`: to begin the run that is to be in DIR, or to go on with it.
arguments_of() {
  local directory=$1
  shift
  arguments=(--resume "$directory")
  [[ -e $directory/checkpoint.safetensors ]] ||
    arguments=("$@" --data text.txt --context 16 --d-model 16 --layers 1 --heads 2 --d-ff 32 --batch 4 --warmup 2
      --sample-chars 40 --out "$directory")
  arguments+=(--threads 1 --quiet)
}

# train_in DIR OPTION...: trains there to the end; with a `tracer`, under that.
tracer=()
train_in() {
  arguments_of "$@"
  "${tracer[@]}" "$train" "${arguments[@]}" >"$1.said" 2>"$1.errors"
}

# What is left of a run that has ended, but for times and memory.
end_of() {
  local said
  said=$(cat "$1.said")
  echo "${said%% median_ms_per_step=*}" | sed 's/ peak_rss_mb=.*//'
  sed 's/,"ms":[^,}]*//' "$1/metrics.jsonl"
  (cd "$1" && ls && cksum checkpoint.safetensors config.json sample.txt)
}

# same_end DIR WHAT: it ended as the run in whole/ did.
same_end() {
  [[ $(end_of "$1") == "$(end_of whole)" ]] || fail "$2, a run ends otherwise: $(diff <(end_of whole) <(end_of "$1"))"
}
