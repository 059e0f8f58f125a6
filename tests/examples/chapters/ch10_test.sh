#!/usr/bin/env bash
# ch10: momentum against none on the banana, decoupled decay against L2, Adam's first step, clipping, and Adam as published.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/chapter.sh"
run_chapter ch10
close banana.curvature_flat 0.39936 1e-5      # of the Hessian (802, -400; -400, 200) at the minimum
close banana.curvature_steep 1001.60064 1e-5
close banana.critical_momentum 0.960432 1e-6  # (1 - √(0.001 λ))²
between banana.sgd 1 10
between banana.momentum 0 0.05
between banana.nesterov 0 0.05
between banana.adam 0 1
close hand.theta.0 -0.1 1e-8                  # lr, whatever the gradient
close hand.theta.1 0.1 1e-7
close hand.theta.2 -0.1 1e-5
close decay.law 0.670306 1e-6
for scale in 0 2 4; do close decay.decoupled.$scale 0.670 0.02; done
between decay.coupled.0 0 0.1                 # e^(-lr λ t / scale): 0.02, 0.67, 0.96
close decay.coupled.2 0.670 0.02
close decay.coupled.4 0.961 0.02
close schedule.cosine_half_way 6.281417e-4 1e-9  # 10⁻⁴ + 4.5·10⁻⁴ (1 + cos(π 400/900))
close schedule.wsd_half_way 1e-3 1e-12
close clip.by_norm.0 0.991228 1e-6            # 3 / √9.16
close clip.by_norm.1 0.132164 1e-6
same clip.by_value.0 1.0
same clip.by_value.1 0.4

run_chapter ch10 --bug adam/correction-multiplied
close bug.right.1 1 1e-6
close bug.wrong.0 10 1e-3                     # (1 - 0.9)² / √(1 - 0.999)² = 0.01 / 0.001
close bug.wrong.3 1.581 0.01                  # 1 / 0.6323: by then m is right, and v still small
run_chapter ch10 --bug adam/correction-without-t
close bug.wrong.0 1 1e-6                      # right at t = 1, and there alone
close bug.wrong.1 2.0645 1e-3                 # 6.513 / √9.955
run_chapter ch10 --bug adamw/coupled
grep -q 'called weight decay' "$work/ch10/report.html" || wrong "the bug is not explained"
"$root/build/release/bin/ch10_optimisation" --bug adam/correction-multiply --out "$work/none" >/dev/null 2>"$work/errors" &&
  wrong "took a bug that there is not"
grep -q "did you mean 'adam/correction-multiplied'" "$work/errors" || wrong "$(cat "$work/errors")"
end_chapter
