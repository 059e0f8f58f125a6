#!/usr/bin/env bash
# ch11: a guess at the start, the lines of counting passed in their order, attention cut, temperature, tied weights, z-loss.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch11 --steps 140 --temperature 0.7
close start.loss 5.545177 0.05                  # ln 256
close start.head.zero.2 5.545177 1e-5
close start.head.20.1 5.557977 1e-5             # + 64 · 0.02² / 2
close start.head.20.2 5.557977 0.03
close start.head.125.2 6.045177 0.15            # + 1/2
close start.head.250.2 7.545177 0.3             # + 2
close lines.0 5.545177 1e-5
close lines.1 3.399375 1e-5                     # these by a script of its own, in another language
close lines.2 2.490684 1e-5
close lines.3 1.971220 1e-5
close ngrams.alpha_100.2 2.3268 1e-3
close ngrams.alpha_1.2 1.9075 1e-3
between passed.guess.step 1 10
between passed.unigram.step 5 60
between passed.bigram.step 60 140
between passed.bigram.loss 2 2.490684
between final.loss 1.9 2.490684
between blind.loss 2.490684 3                   # attention cut: above the bigram line,
close blind.bound 2.318450 1e-5                 # below which no model of one byte can be
close hand.ngrams.0 0.693147 1e-6
close hand.ngrams.1 0.693147 1e-6
close hand.temperature.0 0.941176 1e-6          # 16/17
close hand.temperature.1 0.8 1e-9
close hand.temperature.2 0.666667 1e-6
close temperature.0.entropy 0 0
close temperature.0.first 1 0
between temperature.top5.entropy 0.1 1.609438   # ln 5
between temperature.200.entropy 1.6 5.545177
ordered() { awk -v a="$(number "$1")" -v b="$(number "$2")" 'BEGIN { exit !(a < b) }' || wrong "$1 is not below $2"; }
ordered temperature.0.entropy temperature.50.entropy
ordered temperature.50.entropy temperature.own.entropy
ordered temperature.own.entropy temperature.100.entropy
ordered temperature.100.entropy temperature.200.entropy
ordered temperature.top5.entropy temperature.100.entropy
close temperature.100.drawn "$(number temperature.100.first)" 0.05  # 2,000 draws: 4 deviations are 0.045
close tying.parameters.1 "$(awk -v n="$(number tying.parameters.0)" 'BEGIN { print n + 256 * 16 }')" 0
close tying.outputs_apart 0 1e-12
close tying.gradient_apart 0 1e-15              # one table: the sum of the two
between tying.gradient 0.01 1
close tying.rows.0 256 0                        # the head's part moves all rows,
between tying.rows.1 10 26                      # the lookup's those of the letters that came
between tying.drift 0.01 10
same claim.tying-saves-parameters "seen here"
same claim.z-loss-bounds-logits "seen here"
ordered z_loss.drift.1 z_loss.drift.0
same claim.aspect-ratio-100-to-156 "undecided here"    # nothing that short is trained
same claim.tying-improves "undecided here"
for layers in 1 2 4 8; do close shape.$layers.parameters 207000 2000; done
[[ $(grep -c '^passed\..*\.sample ' "$work/numbers") == 3 ]] || wrong "there is no sample for each line passed"
program=$root/build/release/bin/ch11_language_model
refused() {  # OPTION VALUE
  "$program" "$1" "$2" --out "$work/none" >/dev/null 2>"$work/errors" && wrong "$1 $2 is accepted"
  grep -q "^ch11: $1: " "$work/errors" || wrong "of $1 $2 it says: $(cat "$work/errors")"
}
refused --steps 10
refused --temperature -1
refused --prompt ''
end_chapter
