#!/usr/bin/env bash
# ch01: where e^x overflows, the gradient of cross-entropy by hand, and the floor under softmax twice.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch01
for i in 0 1 25 50; do close "stable.$i" 0.66524095577 1e-6; done  # e²/(1 + e + e²), c = 0, 20, 500, 1000
close cliff.f16 11.09 0.005      # ln 65520
close zero.f16 10.6825 0.001     # the sum is ∞ from ln(65520/(1 + 1/e + 1/e²)) on
close cliff.f32 88.7228 0.001    # ln of the greatest float, and of the greatest double
close cliff.f64 709.7827 0.001
close shift.change_of_p 0 1e-15
close hand.p.2 0.5 1e-15
close hand.gradient.0 0.166666666666667 1e-14
close hand.gradient.2 -0.5 1e-15
close hand.loss 0.693147180559945 1e-14
close twice.floor_256 4.551867 1e-5  # ln(e + 255) - 1
close z_loss.best_shift -2.5 0.5
close z_loss.log_z 2.241311 1e-5     # ln(e^2 + e^-1 + e^0.5)
end_chapter
