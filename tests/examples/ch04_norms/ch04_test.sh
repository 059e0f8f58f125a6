#!/usr/bin/env bash
# ch04: which outputs move, RMSNorm by hand, where ε and f16 take over, each norm's laws, images, and each published mistake.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch04
close length.relative_error 0 1e-14
close two.y.0 -1 1e-12
close two.y.1 1 1e-12
close two.y.2 1 1e-12
close two.y.3 -1 1e-12
for moved in layer:6 rms:6 layer_sample:36 instance:6 group:12 batch:24 batch_in_other_samples:18; do
  close "moved.${moved%:*}" "${moved#*:}" 0
done
for axes in batch:60 batch_eval:1 instance:15 group:30 layer:90 channel_layer:6 rms:6; do close "axes.${axes%:*}" "${axes#*:}" 0; done
close hand.y.2 1.6 1e-15
close hand.dx.0 0.384 1e-15
close hand.dx.1 -0.032 1e-15
close hand.dx.2 0.768 1e-15
close hand.dx.3 -0.464 1e-15
close hand.dgain.3 -1.6 1e-15
close hand.dx_along_x 0 1e-14
close scale.f16_dies_at 255.94 0.05        # (256 - 1/16)² rounds to the greatest f16, 65504, or beyond
close scale.at_root_of_eps 0.7071067811865 1e-12
close scale.upcast_at_300 1 1e-3
for norm in layer layer-nobias layer-std group; do  # scale, shift
  close "laws.$norm.0" 0 1e-9
  close "laws.$norm.1" 0 1e-9
done
for norm in rms rms-noeps rms-upcast scale; do
  close "laws.$norm.0" 0 1e-9
  between "laws.$norm.1" 0.1 100
done
between laws.center-only.0 1 10000
close laws.center-only.1 0 1e-9
between laws.dyt.0 0.1 10
between laws.batch.3 0.001 100             # another token
for norm in layer rms group dyt scale-only; do close "laws.$norm.3" 0 0; done
close train_eval.layer 0 0
between train_eval.batch 0.1 100
number batch_of_one >/dev/null
between images.none.right 0.05 0.4          # a guess: 0.1
between images.none.loss 2.1 2.4            # ln 10 = 2.30
between images.batch.right 0.8 1
between images.batch.loss 0 0.2
for norm in group layer; do
  between "images.$norm.right" 0.65 1
  between "images.$norm.loss" 0.2 0.9
done
between images.instance.right 0.15 0.7      # the average of a channel tells nothing
between images.instance.loss 1.8 2.3
between batch_size.batch.1 0.05 0.45
for size in 2 4 8 32; do between "batch_size.batch.$size" 0.8 1; done
for size in 1 2 4 8 32; do between "batch_size.group.$size" 0.65 1; done
close images.batch_of_one_against_instance 0 0
close conventions.biased_over_unbiased 1.00790 1e-5  # √(64/63)
close conventions.mean_over_sum 8 1e-3               # √64
for probe in other_tokens:0 values:0 large_eps:0 nan_rows:0 running:1; do
  close "probes.right.${probe%:*}" "${probe#*:}" 1e-6
done
close probes.right.dropout 1 0.02
between probes.norm.sequence-axis.other_tokens 1 1000
between probes.norm.all-axes.other_tokens 1 1000
between probes.norm.unbiased-std-eps-outside.values 0.05 0.3  # 1 - √(7/8) = 0.065 of what is 2 at most
between probes.norm.cancellation.nan_rows 200 500
between probes.norm.eps-hard-coded.large_eps 0.1 2
between probes.norm.eps-outside-root.large_eps 0.1 2
close probes.norm.running-var-biased.running 0.75 1e-6        # 3/4
close probes.norm.dropout-one-over-p.dropout 9 0.2            # 0.9 / 0.1
for bug in sequence-axis all-axes unbiased-std-eps-outside cancellation eps-{hard-coded,outside-root} running-var-biased; do
  close "probes.norm.$bug.dropout" 1 0.02
  [[ $bug == *-axis || $bug == all-* ]] || close "probes.norm.$bug.other_tokens" 0 0
done
run_chapter ch04 --bug norm/all-axes
same bug norm/all-axes
close moved.bug 36 0                           # all six tokens of its six channels: a layer norm moves 6
grep -q '"bug": "norm/all-axes"' "$work/ch04/ch04.json" || wrong "--bug is not put beside the right one"
end_chapter
