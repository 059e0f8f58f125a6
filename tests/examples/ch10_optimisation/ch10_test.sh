#!/usr/bin/env bash
# ch10: momentum against none on the banana, decoupled decay against L2, Adam's first step, clipping, and Adam as published.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch10
close banana.curvature_flat 0.39936 1e-5      # of the Hessian (802, -400; -400, 200) at the minimum
close banana.curvature_steep 1001.60064 1e-5
close banana.critical_momentum 0.960432 1e-6  # (1 - √(0.001 λ))²
between banana.sgd 1 10
between banana.momentum 0 0.05
between banana.nesterov 0 0.05
between knob.ends.0 1 10                      # β = 0, 0.5, 0.9, 0.96: each ends lower than the one before
between knob.ends.1 0.1 1
between knob.ends.2 1e-3 0.05
between knob.ends.3 1e-8 1e-4
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

close clip.each.0 1 1e-12
close clip.each.1 0.4 1e-12                   # shorter than 1, so it stays: the direction turns by 14 degrees

for probe in first_step tenth_step thousandth_step decay clipped_norm after_warmup; do close "probes.right.$probe" 1 1e-6; done
close probes.right.large_eps 0.990099 1e-6    # 1 / 1.01
close probes.adam.correction-multiplied.first_step 10 1e-3        # (1 - 0.9)² / √(1 - 0.999)² = 0.01 / 0.001
close probes.adam.correction-multiplied.thousandth_step 1.581 0.01  # 1 / 0.6323: by then m is right, and v still small
close probes.adam.correction-without-t.first_step 1 1e-6          # right at t = 1, and there alone
close probes.adam.correction-without-t.tenth_step 2.0645 1e-3     # 6.513 / √9.955
close probes.adam.eps-before-correction.large_eps 0.759747 1e-6   # √0.001 / (√0.001 + 0.01)
close probes.adam.eps-before-correction.first_step 1 1e-5
close probes.adamw.coupled.decay 0 1e-6                           # g / |g| does not know λ
close probes.clip.per-tensor.clipped_norm 1.077033 1e-6           # √(1 + 0.16)
close probes.schedule.decay-in-warmup.after_warmup 0.689058 1e-6  # 0.1 + 0.45 (1 + cos 0.4π)
for bug in adam.correction-multiplied adam.correction-without-t adam.eps-before-correction adamw.coupled clip.per-tensor; do
  close "probes.$bug.after_warmup" 1 1e-12
done
for bug in adam/correction-multiplied clip/per-tensor schedule/decay-in-warmup; do
  run_chapter ch10 --bug "$bug"
  same bug "$bug"
done
run_chapter ch10 --momentum 0.8
between knob.ends.4 0.01 0.5                  # between those of 0.5 and 0.9
end_chapter
