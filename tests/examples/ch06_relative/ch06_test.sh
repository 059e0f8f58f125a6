#!/usr/bin/env bash
# ch06: the relative law to machine precision, wavelengths, what each encoding knows, and a published mistake that is seen.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch06 --bug rope/layout-mixed
close clocks.change_of_angles 0 1e-12
close clocks.wavelengths.0 6.283185 1e-6    # 2π, and 2π · 10000^(62/64)
close clocks.wavelengths.31 47117 1
close law.right.share 1 1e-12
close law.right.spread 0 1e-11
close law.change_3000_tokens_on 0 1e-9
close law.formula_error 0 1e-11
between law.wrong.share 0 0.9               # the mixed layouts know more than the distance
close probes.right.spread 0 1e-11
close probes.right.shifted 0 1e-12
close probes.right.first_angle 1 1e-9
close probes.right.decoded 0 1e-12
close probes.right.first_slope 0.5 1e-15
between probes.rope.layout-mixed.spread 1 1000
between probes.rope.layout-mixed.shifted 0.1 100
between probes.rope.values-too.shifted 0.5 100     # the scores are right, what is said of them is not
close probes.rope.values-too.spread 0 1e-11
close probes.rope.head-axis.range 0 1e-11          # no encoding at all
between probes.right.range 1 1000
close probes.rope.one-indexed.first_angle 0.749894 1e-6  # 10000^(-2/64)
close probes.rope.one-indexed.spread 0 1e-11
between probes.rope.positions-ignored.decoded 0.1 100
close probes.rope.positions-ignored.spread 0 1e-11
close probes.alibi.slope-exponent.first_slope 1 1e-15
same bug rope/layout-mixed
close hand.scores.0 0.6 1e-15
close hand.scores.1 0.997358 1e-6           # 0.6 cos 1 + 0.8 sin 1
close hand.scores.2 0.997358 1e-6
close hand.scores.3 -0.348995 1e-6          # 0.6 cos 1 - 0.8 sin 1
close conventions.halves_permuted 0 1e-15
between conventions.halves 0.1 100
for name in shaw xl t5 rope xpos alibi kerple; do close "family.$name.share" 1 1e-9; done
between family.sinusoidal.share 0 0.7
between family.learned.share 0 0.7
same family.none.share nan
for name in rope xl alibi sinusoidal learned; do between "family.$name.nearest" 1e-5 10; done
for name in none shaw t5; do between "family.$name.nearest" 0 1e-9; done  # beyond a reach all are alike
for name in sinusoidal learned shaw xl rope; do between "family.$name.accuracy.0" 0.9 1; done
between family.none.accuracy.0 0 0.3
for name in learned rope; do between "family.$name.accuracy.2" 0 0.5; done  # relative, and yet not at four times the length
for name in shaw xl; do between "family.$name.accuracy.2" 0.9 1; done
end_chapter
