#!/usr/bin/env bash
# ch03: the width 8d/3, equal areas, a gate's two gradients, a product learned with a gate and without, old against modern.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch03 --steps 40
same width.0 16384.0                        # 4 · 4096
same width.1 10922.0                        # ⌊8 · 4096 / 3⌋
same width.2 11008.0                        # 43 · 256
same areas.0 18432.0                        # 2 · 48 · 192
same areas.1 18432.0                        # 3 · 48 · 128
close hand.y.0 1 1e-12                      # σ(−ln 3) = ¼ of 4
close hand.y.2 -3 1e-12
close hand.y.3 9 1e-12
close hand.dvalue.1 -0.5 1e-12              # the gate, half open
close hand.dvalue.2 1.5 1e-12
close hand.dgate.0 0.75 1e-12               # 1 · 4 · ¼ · ¾
close hand.dgate.2 -1.5 1e-12
close hand.dgate.3 0.9 1e-12
between hand.error 0 1e-12
between path.glu_change 0 1e-12
close path.tanh_left 0.0013409506830258655 1e-9  # 1 − tanh² 4
between path.mistake_change 2 2.5
between path.layers.0 3 60                  # GLU
between path.layers.2 0 1e-6                # σ alone
same claim.glu-keeps-a-linear-gradient-path "seen here"
between product.bilinear.0 0 1e-4
between product.bilinear.1 0 1e-3           # and goes on multiplying
close product.cut.0 0.3333 0.02             # the product's own size: nothing was learned
close product.cut.1 3 0.2
between product.relu.0 0 0.02
between product.relu.1 1 2
same product.parameters.bilinear 6.0
same product.parameters.cut 4.0
same product.parameters.relu 322.0
between product.set.silu 0 1e-13
between product.set.gelu 0 1e-13
same product.set.relu 0.0
between product.set.sigmoid 5 7             # 9 − 3 tanh 1.5 at the corner: 6.28
same ablation.relu.parameters 18432.0
same ablation.swiglu.parameters 18432.0
same ablation.bilinear.parameters 18432.0
between ablation.relu.losses.2 3 3.8        # guessing: 5.55
between ablation.swiglu.spreads -9 -1       # ahead after 40 steps: −2.5
between ablation.bilinear.spreads -9 -2     # −4.4
between ablation.mistake_less_swiglu -0.2 0.2
same claim.swiglu-beats-others-at-equal-parameters "partly seen here"
between experts.loss.load.0 1 2              # before the first step, 1.17
same rounding.64 50.0                       # 170 to 256
same rounding.768 0.0                       # 2048 is a multiple of 256
close rounding.4096 0.78125 1e-12
same blocks.norms.0 1536.0                  # 2 · 768
same blocks.norm_biases.0 1536.0
same blocks.norm_biases.1 0.0
same blocks.attention.1 2359296.0           # 4 · 768²
same blocks.feed-forward.0 4718592.0        # 2 · 768 · 3072
same blocks.feed-forward.1 4718592.0        # 3 · 768 · 2048
same blocks.feed-forward_biases.0 3840.0    # 3072 + 768
same blocks.sum.0 7087872.0
same blocks.sum.1 7079424.0
close same_name.halves.0 1.4621171572600098 1e-12  # 2 silu(1)
close same_name.halves.1 1.7615941559557646 1e-12  # 1 silu(2)
close same_name.silu_minimum -0.278464542761074 1e-7
same same_name.share_of_narrow 0.25

run_chapter ch03 --steps 1 --multiple 64
same width.2 10944.0
same rounding.512 3.125
between ablation.relu.losses.0 4 6
end_chapter
