#!/usr/bin/env bash
# train from outside: its files, its last line, its errors, and that Ctrl-C loses nothing.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/moments.sh"
build release train || exit 1
train=$root/build/release/bin/train
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "train_test: $1" >&2
  exit 1
}

for i in $(seq 400); do echo "The quick brown fox jumps over the lazy dog $i times."; done >text.txt
small=(--data text.txt --context 16 --d-model 16 --layers 1 --heads 2 --d-ff 32 --batch 4 --warmup 2)

"$train" "${small[@]}" --steps 20 --eval-every 10 --out run >out.txt 2>err.txt || fail "a small run failed: $(cat err.txt)"
tail -n 1 out.txt | grep -Eq '^result steps=20 parameters=[0-9]+ train_loss=[0-9.]+ val_loss=[0-9.]+ median_ms_per_step=[0-9.]+ tokens_per_s=[0-9]+ peak_rss_mb=[0-9.]+$' ||
  fail "the last line is: $(tail -n 1 out.txt)"
for file in config.json metrics.jsonl checkpoint.safetensors sample.txt report.html; do
  [[ -s run/$file ]] || fail "$file is missing or empty"
done
[[ $(grep -c '"loss"' run/metrics.jsonl) == 20 ]] || fail "metrics.jsonl has not one line a step"
[[ $(grep -c '"step":0,"validation_loss"' run/metrics.jsonl) == 1 ]] || fail "metrics.jsonl does not begin before the first step"
for part in '"reached":"It' '"sample":"' '"optimizer":"adamw"' '"x":[0.0,10.0,20.0]'; do
  grep -qF "$part" run/report.html || fail "report.html has no $part"
done
mkdir -p "$root/build/reports" && cp run/report.html "$root/build/reports/train.html"  # reports_test.sh looks at it
grep -q '"suspicions":\[\]' run/report.html || fail "an honest run is suspected"
! grep -Eq '(src|href)="(https?:)?//' run/report.html || fail "report.html asks for something from outside"
cp run/metrics.jsonl before.jsonl
"$train" --resume run >out.txt 2>err.txt || fail "a finished run cannot be resumed: $(cat err.txt)"
tail -n 1 out.txt | grep -Eq '^result steps=20 parameters=[0-9]+ train_loss=[0-9.]+ val_loss=[0-9.]+ peak_rss_mb=[0-9.]+$' ||
  fail "without a step, the last line is: $(tail -n 1 out.txt)"
cmp -s run/metrics.jsonl before.jsonl || fail "a finished run that was resumed has other metrics"
# A resume that fails has changed nothing; one that goes on keeps the validation loss of the step at which the run had ended.
cp -r run failed
(ulimit -f 4; trap '' XFSZ; "$train" --resume failed --quiet >/dev/null 2>err.txt) && fail "a run is saved without room on the disk"
cmp -s failed/metrics.jsonl before.jsonl || fail "a resume that failed has changed the metrics"
cp -r run longer
"$train" --resume longer --steps 22 --quiet >/dev/null 2>err.txt || fail "a finished run cannot go on: $(cat err.txt)"
grep -q '^{"step":20,"validation_loss":' longer/metrics.jsonl || fail "a run that goes on has lost the validation loss of its end"
[[ $(tail -n 1 longer/metrics.jsonl) == '{"step":22,"validation_loss":'* ]] || fail "a run that went on has no last validation loss"
grep -qF $'\033[K' out.txt && fail "a progress bar was drawn where there is no terminal"
if command -v script >/dev/null; then
  bars=$(for setting in NO_COLOR= NO_COLOR=1 TERM=dumb; do
    rm -rf bar
    env TERM=xterm $setting script -qefc "$(printf '%q ' "$train" "${small[@]}" --steps 5 --out bar)" /dev/null </dev/null 2>&1 |
      grep -cF $'\r\033[K'
  done)
  [[ $bars == [1-9]*$'\n0\n0' ]] || fail "lines with a progress bar on a terminal, with NO_COLOR, on a dumb one: $bars"
fi

# A text that repeats itself is learned below its trigram line at once: that is said, the model is asked, and the report knows.
# A run that goes on afterwards still does.
for i in $(seq 80); do echo -n "The quick brown fox jumps over the lazy dog. "; done >again.txt
"$train" --data again.txt --context 16 --d-model 32 --layers 1 --heads 2 --batch 8 --lr 1e-2 --warmup 5 --steps 120 --out again >out.txt 2>err.txt ||
  fail "a text that repeats itself: $(cat err.txt)"
[[ $(wc -l <err.txt) == 1 ]] || fail "of a text that repeats itself it says: $(cat err.txt)"
grep -q '^looks too good: .* after 100 steps .* Causality check: it found nothing' err.txt || fail "of a text that repeats itself it says: $(cat err.txt)"
grep -q '"step":100,.*"suspicion":"looks too good' again/metrics.jsonl || fail "the metrics do not know the suspicion"
grep -q '"suspicions":\["looks too good' again/report.html || fail "the report does not tell the suspicion"
rm again/report.html
"$train" --resume again --steps 150 --quiet >/dev/null 2>err.txt || fail "a suspected run cannot go on: $(cat err.txt)"
[[ ! -s err.txt ]] || fail "after the early steps it still says: $(cat err.txt)"
grep -q '"suspicions":\["looks too good' again/report.html || fail "the report of the resumed run has forgotten the suspicion"

# A report that cannot be written is said, and the run is complete.
cp -r run pageless
rm pageless/report.html
mkdir pageless/report.html
"$train" --resume pageless --steps 21 --quiet >out.txt 2>err.txt || fail "without a report a run fails: $(cat err.txt)"
grep -q '^note: there is no report: ' err.txt || fail "of a report that cannot be written it says: $(cat err.txt)"
grep -q '^result steps=21 ' out.txt || fail "without a report a run has no result"

# expect TEXT ARG...: train fails with exit code 2, one line, and this text in it.
expect() {
  local text=$1
  shift
  "$train" "$@" >out.txt 2>err.txt
  local code=$?
  [[ $code == 2 ]] || fail "'$*' ended with $code, not 2"
  grep -qF -- "$text" err.txt || fail "'$*' said: $(cat err.txt)"
  [[ $(wc -l <err.txt) == 1 ]] || fail "'$*' said more than one line: $(cat err.txt)"
}
: >empty.txt
expect 'data: nothing.txt: no such file' --data nothing.txt
expect 'has 0 bytes' --data empty.txt
expect 'data: .: not a regular file' --data .
[[ ! -r /proc/self/mem ]] || expect 'data: mem has 0 bytes' --data /proc/self/mem
expect '--kv-heads: 3 heads of keys and values do not divide --heads 2' "${small[@]}" --kv-heads 3
expect 'MultiHeadAttention: the window must not be negative, got -1' "${small[@]}" --window -1 --out never
expect "qk_norm 'batch' mixes tokens" "${small[@]}" --qk-norm batch --out never
expect 'RoPE: turns pairs, so the head width must be even, got 1' "${small[@]}" --heads 16 --out never
[[ ! -e never ]] || fail "a model that cannot be built leaves files"
expect '--context must be positive, got -5' "${small[@]}" --context -5
expect "unknown qk-norm 'lay'" "${small[@]}" --qk-norm lay
"$train" "${small[@]}" --steps 3 --kv-heads 1 --window 8 --softcap 20 --qk-norm rms --out grouped --quiet >/dev/null 2>err.txt ||
  fail "attention's options: $(cat err.txt)"
grep -q '"window": 8' grouped/config.json || fail "config.json does not hold the window"
"$train" "${small[@]}" --steps 3 --lr 1e-4 --bias true --ema 0.9 --label-smoothing 0.1 --prompt 'The dog' --sample-chars 5 \
  --vocabulary 300 --d-ff 0 --out more --quiet >/dev/null 2>err.txt || fail "further options: $(cat err.txt)"
[[ $(head -c 7 more/sample.txt) == 'The dog' && $(wc -c <more/sample.txt) == 12 ]] || fail "the sample is: $(cat more/sample.txt)"
grep -q '"d_ff": 64' more/config.json || fail "config.json does not hold the width of the feed-forward layer"
expect '--prompt: not UTF-8' "${small[@]}" --steps 3 --out prompt --prompt $'\xff'
[[ ! -e prompt ]] || fail "a refused run left a directory"
expect '--heads: 3 heads do not divide --d-model 16' "${small[@]}" --heads 3
expect "unknown norm 'rsm'; did you mean 'rms'?" "${small[@]}" --norm rsm
expect "unknown optimizer 'adamm'; did you mean 'adamw'?" "${small[@]}" --optimizer adamm
expect "unknown schedule 'cosin'; did you mean 'cosine'?" "${small[@]}" --schedule cosin
expect 'a batch of 4 cannot be cut into 3 parts' "${small[@]}" --accumulate 3
expect 'already holds a run' "${small[@]}" --steps 5 --out run
expect 'there is no run in nowhere' --resume nowhere
expect '--out: a run that is resumed stays in its directory run' --resume run --out elsewhere
cp -r run wrong
sed -i 's/"d_model": 16/"d_model": "wide"/' wrong/config.json
expect 'wrong/config.json: "d_model" is "wide", which is of the wrong type' --resume wrong
expect '--steps must be positive' "${small[@]}" --steps 0
expect '--warmup: must not be longer than the run of 1 steps, got 5' "${small[@]}" --steps 1 --warmup 5
expect '--nonsense' --nonsense
expect 'training takes at least ' "${small[@]}" --vocabulary 10000000 --d-model 1000000 --out never
(ulimit -v 400000 2>/dev/null || exit 0
  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 expect 'memory' "${small[@]}" --d-model 2048 --steps 2 --out narrow) || exit 1
(ulimit -f 4; expect 'writing failed' "${small[@]}" --steps 500 --out full) || exit 1  # the first checkpoint does not fit
(ulimit -f 100; expect 'fuller/metrics.jsonl: File too large' "${small[@]}" --steps 3000 --out fuller) || exit 1  # later, the metrics do not
[[ $("$train" --list | grep -c '^norm rms norm-rms$') == 1 ]] || fail "--list does not name the rms norm"

# A run that has diverged says so, and spares the checkpoint of the time before.
expect 'the validation loss after step 1 is not finite; try a lower --lr' "${small[@]}" --steps 1 --schedule constant --lr 1e300 --warmup 0 --out broken
expect 'already holds a run; go on with it by --resume broken' "${small[@]}" --steps 1 --warmup 0 --out broken
"$train" --resume broken --lr 1e-3 --min-lr 0 --quiet >out.txt 2>err.txt ||
  fail "after a bad start, a lower rate fails: $(cat err.txt)"
grep -q '^result steps=1 .* train_loss=' out.txt || fail "after a bad start, a run begins with: $(cat out.txt)"

# Files without a checkpoint are no run: a new one begins there, and clears away what a killed one has left.
mkdir begun
cp run/config.json run/metrics.jsonl begun
(exit) & wait $!
touch "begun/checkpoint.safetensors.$!-0.tmp" "begun/config.json.$$-0.tmp" begun/notes.tmp
expect 'there is no run in begun: checkpoint.safetensors is missing' --resume begun
"$train" "${small[@]}" --steps 3 --out begun --quiet >/dev/null 2>err.txt || fail "a run cannot begin anew: $(cat err.txt)"
[[ $(grep -c '"loss"' begun/metrics.jsonl) == 3 ]] || fail "a run that began anew has other metrics"
left=$(cd begun && echo *.tmp)
[[ $left == "config.json.$$-0.tmp notes.tmp" ]] || fail "of temporary files are left: $left"

cp run/checkpoint.safetensors good
expect 'the validation loss after step 21 is not finite' --resume run --steps 30 --eval-every 1 --schedule constant --lr 1e300
cmp -s run/checkpoint.safetensors good || fail "a diverged run has overwritten its last good checkpoint"
grep -q '1e+300' run/config.json && fail "a resumed run that failed has kept its options"
"$train" --resume run --quiet >/dev/null 2>err.txt || fail "after a resume that failed, the next fails: $(cat err.txt)"

# A text that is another one when the run is resumed does not go unnoticed.
cp text.txt changed.txt
"$train" "${small[@]}" --data changed.txt --steps 3 --out text --quiet >/dev/null 2>&1 || fail "a run on a copy failed"
echo more >>changed.txt
expect 'changed.txt has changed since the run was saved' --resume text
"$train" --resume text --data changed.txt --quiet >/dev/null 2>err.txt || fail "a text that is named anew: $(cat err.txt)"
grep -q '^note: the text is not the one' err.txt || fail "of another text it says: $(cat err.txt)"
"$train" --resume text --quiet >/dev/null 2>err.txt || fail "a text that was named anew: $(cat err.txt)"
[[ ! -s err.txt ]] || fail "of a text that has not changed since it says: $(cat err.txt)"

# While the sample is drawn a signal ends that, and the run is complete.
"$train" "${small[@]}" --steps 3 --sample-chars 100000000 --out sampled >out.txt 2>err.txt &
until_there grep -q '"step":3,"validation_loss"' sampled/metrics.jsonl
kill -TERM $! 2>/dev/null
wait $!
code=$?
[[ $code == 143 ]] || fail "stopped while it samples, a run ended with $code"
grep -q 'the run itself is complete' err.txt || fail "stopped while it samples, a run says: $(cat err.txt)"
tail -n 1 out.txt | grep -q '^result steps=3 ' || fail "stopped while it samples, a run has no result"
LC_ALL=C grep -q '[^[:print:][:space:]]' <(LC_ALL=C tr -d '\200-\377' <out.txt) && fail "a control character is shown"

# Stopped by Ctrl-C and resumed, a run ends with the bytes of one that was not stopped.
"$train" "${small[@]}" --steps 3000 --out whole --quiet >/dev/null || fail "the whole run failed"
"$train" "${small[@]}" --steps 3000 --out parts --quiet >/dev/null 2>err.txt &
until_there test -s parts/metrics.jsonl
kill -INT $! 2>/dev/null
wait $!
code=$?
[[ $code == 130 ]] || fail "an interrupted run ended with $code: $(cat err.txt)"
[[ $(tail -c 8 parts/report.html) == '</html>' ]] || fail "an interrupted run has no report"
grep -q -- '--resume parts' err.txt || fail "an interrupted run does not say how to resume: $(cat err.txt)"
"$train" --resume parts --quiet >/dev/null || fail "resuming failed"
cmp -s whole/checkpoint.safetensors parts/checkpoint.safetensors || fail "the resumed run ends with other bytes"
grep -q ',3000.0\],"y"' parts/report.html || fail "the report of the resumed run is not of its end"
[[ $(sed 's/,"ms":[^,}]*//' whole/metrics.jsonl | cksum) == $(sed 's/,"ms":[^,}]*//' parts/metrics.jsonl | cksum) ]] ||
  fail "the resumed run has other metrics"
