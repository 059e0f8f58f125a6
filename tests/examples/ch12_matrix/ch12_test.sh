#!/usr/bin/env bash
# ch12: the spread of the seeds, the matrix in units of it, the same of nothing; and statistics, exact for these runs.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
. "$root/tests/support/moments.sh"
run_chapter ch12 --steps 40 --seeds 1
same matrix.cells 72.0                         # 81 but for center-only with deepnorm
same matrix.refused 9.0
for row in 6 7; do between matrix.in_spreads.$row.0 -1000 1000; done
same matrix.in_spreads.8.0 nan
grep -q '"why":\[.*center-only.* does not take the scale out' "$work/ch12/ch12.json" || wrong "no reason for what is refused"
between baseline.sigma 1e-3 0.2                # nats
between baseline.mean 2.6 3.6                  # after so few steps; guessing is 5.5
between null.coloured_percent 0 25
close null.expected_percent 7.138 1e-3         # 15 degrees of freedom, t = 2 / √(1 + 1/16)
between seeds.nothing.0 0 25
between seeds.matrix.0 20 100

# By another hand: mean, spread, z of the numbers by hand; ± in its meanings; the factors from the cells.
value() { number "$1"; }
expect() {
  awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(a != "" && d < 1e-9 && d > -1e-9) }' || wrong "$1 is $2, not $3"
}
read -r mean sigma z < <(awk -v a="$(value hand.losses.0)" -v b="$(value hand.losses.1)" -v c="$(value hand.losses.2)" \
  -v d="$(value hand.losses.3)" -v o="$(value hand.other)" 'BEGIN {
    m = (a + b + c + d) / 4
    s = sqrt(((a - m)^2 + (b - m)^2 + (c - m)^2 + (d - m)^2) / 3)
    printf "%.15g %.15g %.15g\n", m, s, (o - m) / s
  }')
expect hand.mean "$(value hand.result.0)" "$mean"
expect hand.sigma "$(value hand.result.1)" "$sigma"
expect hand.z "$(value hand.result.2)" "$z"
expect same_name.2 "$(value same_name.2)" "$(awk -v s="$(value baseline.sigma)" 'BEGIN { printf "%.15g", s / 4 }')"
close same_name.3 "$(awk -v s="$(value baseline.sigma)" 'BEGIN { printf "%.15g", 2.13145 * s / 4 }')" 1e-4
expect cell.0 "$(value matrix.in_spreads.0.0)" "$(awk -v x="$(value hand.losses.0)" -v m="$(value baseline.mean)" \
  -v s="$(value baseline.sigma)" 'BEGIN { printf "%.15g", (x - m) / s }')"
layer=$(for i in 0 1 2; do
  for j in 0 1 2 3 4 5 6 7 8; do echo "$(value matrix.in_spreads.$((i + 3)).$j) $(value matrix.in_spreads.$i.$j)"; done
done | awk '{ sum += $1 - $2 } END { printf "%.15g", sum / NR }')
expect factors.layer "$(value factors.layer.0)" "$layer"
grey=$(for i in 0 1 2 3 4 5 6 7; do for j in 0 1 2 3 4 5 6 7 8; do value matrix.in_spreads.$i.$j; done; done |
  awk 'NR > 1 { n += $1 <= 2 && $1 >= -2 } END { printf "%.15g", 100 * n / (NR - 1) }')
expect matrix.grey_percent "$(value matrix.grey_percent)" "$grey"
[[ $(value null.in_spreads.0.0) != "$(value matrix.in_spreads.0.0)" ]] || wrong "the matrix of nothing has the baseline's seeds"
same factors.layer.2 27.0
same factors.center-only.2 18.0
same factors.none.2 24.0
between change.layer.2 0.5 1                   # paired: layer norm starts from the same weights
between change.none.3 0 1

# The same seed gives the same numbers, another seed others.
run_chapter ch12 --steps 10 --seeds 1
cp "$work/numbers" "$work/again"
run_chapter ch12 --steps 10 --seeds 1
cmp -s "$work/numbers" "$work/again" || wrong "the same seed gave other numbers"
before=$(value baseline.mean)
run_chapter ch12 --steps 10 --seeds 1 --seed 1
[[ $(value baseline.mean) != "$before" ]] || wrong "another seed gave the same numbers"
"$root/build/release/bin/ch12_matrix" --seeds 9 --out "$work/none" >/dev/null 2>"$work/errors" && wrong "took nine seeds"
grep -q 'a number from 1 to 8, not 9' "$work/errors" || wrong "$(cat "$work/errors")"

# Stopped in the middle it leaves nothing.
"$root/build/release/bin/ch12_matrix" --out "$work/stopped" >/dev/null 2>"$work/errors" & stopped=$!
until_there catches $stopped TERM
until_there computes $stopped 50
kill -TERM $stopped
wait $stopped && wrong "ended well though it was stopped"
grep -q 'nothing was written' "$work/errors" || wrong "$(cat "$work/errors")"
[[ -z $(ls -A "$work/stopped" 2>/dev/null) ]] || wrong "left $(ls -A "$work/stopped")"
end_chapter
