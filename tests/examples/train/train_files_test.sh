#!/usr/bin/env bash
# train and the files around it: what belongs to others, what is no regular file, two processes at once, and a standard output
# that is closed or full.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/moments.sh"
build release train || exit 1
train=$root/build/release/bin/train
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "train_files_test: $1" >&2
  exit 1
}

for i in $(seq 200); do echo "The quick brown fox jumps over the lazy dog $i times."; done >text.txt
small=(--data text.txt --context 16 --d-model 16 --layers 1 --heads 2 --d-ff 32 --batch 4 --warmup 2 --steps 4 --sample-chars 5)

# refused TEXT ARG...: train ends with 2 and one line that has this text.
refused() {
  local text=$1
  shift
  timeout 20 "$train" "$@" >out.txt 2>err.txt
  local code=$?
  [[ $code == 2 ]] || fail "'$*' ended with $code, not 2"
  grep -qF -- "$text" err.txt && [[ $(wc -l <err.txt) == 1 ]] || fail "'$*' said: $(cat err.txt)"
}

"$train" "${small[@]}" --out run --quiet >/dev/null 2>err.txt || fail "a small run failed: $(cat err.txt)"

# Files of the same names that are somebody else's stay as they are.
for name in config.json metrics.jsonl sample.txt report.html; do
  rm -rf other && mkdir other && echo 'not yours' >"other/$name"
  refused "other/$name is there already, and is no run's" "${small[@]}" --out other
  [[ $(cat other/*) == 'not yours' && $(ls other) == "$name" ]] || fail "other/$name was changed, or has company"
done

# A folder of another program that has some of our names and keys.
mkdir t5 && echo '{"d_model":512,"model_type":"t5"}' >t5/config.json && echo '{"epoch":1}' >t5/metrics.jsonl
refused "t5/config.json is there already, and is no run's" "${small[@]}" --out t5
[[ $(cat t5/*) == *t5*epoch* && $(ls t5 | wc -l) == 2 ]] || fail "another program's folder was changed"

# A file that is named as a temporary one, and is nobody's of ours, stays; one of ours whose process is gone does not.
cp -r run shared && echo mine >shared/thesis.2024-11.tmp && mkdir shared/config.json.31999-2.tmp && echo ours >shared/sample.txt.4194305-0.tmp
"$train" --resume shared --steps 5 --quiet >/dev/null 2>err.txt || fail "beside strange temporary files a run failed: $(cat err.txt)"
[[ $(cat shared/thesis.2024-11.tmp) == mine && -d shared/config.json.31999-2.tmp && ! -e shared/sample.txt.4194305-0.tmp ]] ||
  fail "of temporary files there are: $(ls shared)"

mkdir weights && echo 'not yours' >weights/checkpoint.safetensors
refused 'weights already holds a run' "${small[@]}" --out weights
refused 'there is no run in weights: config.json is missing' --resume weights
[[ $(cat weights/*) == 'not yours' && $(ls weights) == checkpoint.safetensors ]] || fail "somebody's weights were changed"

# A pipe, a device or a folder where a file should be is refused before a step is taken, and nobody waits for it.
for name in config.json metrics.jsonl checkpoint.safetensors sample.txt; do
  for what in 'mkfifo' 'mkdir' 'ln -s /dev/zero' 'ln -s /dev/full'; do
    rm -rf strange && cp -r run strange && rm "strange/$name" && $what "strange/$name"
    refused "strange/$name: not a regular file" --resume strange --steps 6
    cmp -s run/report.html strange/report.html || fail "with $name of '$what' a run went on"
  done
done
long=$(printf 'n%.0s' {1..300})
refused "$long/config.json: File name too long" --resume "$long"
mkdir -p folder/checkpoint.safetensors
refused "folder/checkpoint.safetensors is there already, and is no run's" "${small[@]}" --out folder
mkdir begun && cp run/config.json begun && mkfifo begun/sample.txt
refused 'begun/sample.txt: not a regular file' "${small[@]}" --out begun
if [[ $EUID != 0 ]]; then
  rm -rf secret && cp -r run secret && chmod 0 secret/config.json
  refused 'secret/config.json: cannot be opened: Permission denied' --resume secret
fi

# Metrics that are gone are no reason to stop, but are told.
rm -rf short && cp -r run short && rm short/metrics.jsonl
"$train" --resume short --steps 6 --quiet >/dev/null 2>err.txt || fail "without its metrics a run did not go on: $(cat err.txt)"
[[ $(cat err.txt) == 'note: short/metrics.jsonl is gone; the report will tell the steps from 5 on' ]] ||
  fail "without its metrics a run said: $(cat err.txt)"
[[ $(wc -l <short/metrics.jsonl) -ge 2 ]] || fail "the steps after the metrics were gone were not kept"

# A line of the metrics that is no step is left out.
rm -rf odd && cp -r run odd && printf '{"step":%s,"loss":77}\n' '"x"' -1 18446744073709551615 >>odd/metrics.jsonl
"$train" --resume odd --steps 5 --quiet >/dev/null 2>err.txt || fail "a strange line of metrics: $(cat err.txt)"
! grep -q '"loss":77' odd/metrics.jsonl || fail "a strange line of metrics is still there"

# Nor is one that comes again.
rm -rf again && cp -r run again && cat run/metrics.jsonl run/metrics.jsonl >>again/metrics.jsonl && echo '{"step":0,"loss":1}' >>again/metrics.jsonl
"$train" --resume again --steps 5 --quiet >again.txt 2>err.txt || fail "metrics that come again: $(cat err.txt)"
rm -rf once && cp -r run once && "$train" --resume once --steps 5 --quiet >once.txt
steps() { grep -o '"step":[0-9]*,"[a-z]*' "$1"; }
[[ $(steps again/metrics.jsonl) == $(steps once/metrics.jsonl) ]] || fail "metrics that came again are still there"
[[ $(grep -o 'train_loss=[0-9.]*' again.txt) == $(grep -o 'train_loss=[0-9.]*' once.txt) ]] || fail "they count: $(cat again.txt)"

# An average of the weights cannot begin, or end, in the middle of a run.
refused '--ema: the run in run has no average of its weights, and gets none later; 0.5 was given' --resume run --ema 0.5 --steps 6
"$train" "${small[@]}" --ema 0.9 --out averaged --quiet >/dev/null
refused '--ema: the run in averaged has an average of its weights, and keeps it; 0 was given' --resume averaged --ema 0 --steps 6

# A configuration that was edited by hand is another model's, also where all shapes are the same.
rm -rf edited && cp -r run edited && sed -i 's/"heads": 2/"heads": 4/' edited/config.json
refused 'its run had other options: heads 2, now 4; was config.json changed?' --resume edited --steps 6

# A second process does not begin where one trains.
"$train" "${small[@]}" --steps 3000 --out both --quiet >first.txt 2>&1 & first=$!
until_there test -s both/checkpoint.safetensors
refused 'both already holds a run' "${small[@]}" --out both
wait $first || fail "beside a process that was refused, the first failed: $(cat first.txt)"
[[ $(grep -c '"loss"' both/metrics.jsonl) == 3000 ]] || fail "the metrics of the first are mixed with another's"

# Metrics that are taken away are missed at the next step, not at the end.
missed='was moved, removed or replaced, or another process writes it'
"$train" "${small[@]}" --steps 100000 --eval-every 100000 --out watched --quiet >/dev/null 2>err.txt & first=$!
until_there grep -q '"step":9,' watched/metrics.jsonl
rm watched/metrics.jsonl
wait $first
[[ $? == 2 ]] && grep -q "watched/metrics.jsonl: $missed" err.txt || fail "without metrics: $(cat err.txt)"
"$train" --resume watched --steps 100000 --quiet >/dev/null 2>/dev/full & first=$!
until_there test -s watched/metrics.jsonl
kill -TERM $first
wait $first
[[ $? == 143 ]] || fail "that its note cannot be written stops a resumed run"

# Of two processes that go on with one run, one ends with an error.
"$train" --resume watched --steps 100000 --quiet >first.txt 2>&1 & first=$!
"$train" --resume watched --steps 100000 --quiet >second.txt 2>&1 & second=$!
wait -n $first $second
[[ $? == 2 ]] && cat first.txt second.txt | grep -q "watched/metrics.jsonl: $missed" || fail "two went on: $(cat first.txt second.txt)"
kill -TERM $first $second 2>/dev/null
wait

# A directory that is moved away is no longer the one that its process has: another may train under its name meanwhile.
"$train" "${small[@]}" --steps 100000 --eval-every 1 --out first --quiet >first.txt 2>&1 & first=$!
until_there test -s first/metrics.jsonl
mv first moved && "$train" "${small[@]}" --out first --quiet >/dev/null 2>err.txt || fail "under a name that is free: $(cat err.txt)"
wait $first
[[ $? == 2 ]] && grep -qE "first/metrics.jsonl: $missed|first/\S+: .*No such file" first.txt || fail "a run whose directory was moved said: $(cat first.txt)"
[[ $(grep -c '"loss"' first/metrics.jsonl) == $(grep -c '"loss"' run/metrics.jsonl) ]] || fail "two runs wrote into one directory"
"$train" --resume first --quiet >/dev/null 2>err.txt || fail "beside a run that was moved, another has lost: $(cat err.txt)"

# Closed or full, the standard output is an error, and what was said is in no file.
for way in '>&-' '>/dev/full'; do
  for command in '"${small[@]}" --out said' '"${small[@]}" --out said --quiet' --list --help; do
    rm -rf said
    eval "\"\$train\" $command $way 2>err.txt"
    code=$?
    [[ $code == 2 ]] || fail "train $command $way ended with $code, not 2"
    grep -q 'the standard output could not be written' err.txt || fail "train $command $way said: $(cat err.txt)"
    ! grep -rqs --exclude=report.html 'bytes to learn\|result steps' said || fail "train $command $way wrote what it said into a file of the run"
  done
done

# A reader that leaves after the first line ends the run, which can go on.
"$train" "${small[@]}" --steps 200 --eval-every 1 --out piped 2>err.txt | head -n 1 >/dev/null
[[ ${PIPESTATUS[0]} == 2 ]] && grep -q 'the standard output could not be written: Broken pipe' err.txt || fail "without a reader, train said: $(cat err.txt)"
"$train" --resume piped --eval-every 200 --quiet >out.txt 2>err.txt || fail "a run without a reader cannot go on: $(cat err.txt)"
grep -q '^result steps=200 ' out.txt || fail "a run without a reader ended with: $(cat out.txt)"

rm -rf said
"$train" "${small[@]}" --out said --lr inf >&- 2>&-
[[ $? == 2 ]] || fail "with both outputs closed, train did not end with 2"
"$train" "${small[@]}" --out said --lr inf 2>/dev/full
[[ $? == 2 ]] || fail "with a full standard error, train did not end with 2"
[[ ! -e said ]] || fail "a rate that no run can have leaves files"
