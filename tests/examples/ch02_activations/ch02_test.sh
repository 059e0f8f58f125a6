#!/usr/bin/env bash
# ch02: derivatives by the tape, the gradient through twenty layers, deep nets on digits, Swish, dead units, and XOR.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch02
between survives.sigmoid.median 1e-13 9.1e-13  # below 4⁻²⁰, each σ' being at most ¼
between survives.tanh.median 0.1 0.3
between survives.ReLU.median 0.7 1.4           # gain √2 makes up for the half that is cut
between survives.SiLU.median 1e-3 0.05         # ReLU's gain is not SiLU's
for layers in 1 2 3; do between "digits.sigmoid.$layers" 5 20; done  # 5, 10, 20 hidden layers: a guess
between digits.sigmoid.0 50 90                 # one layer is not too many
for layers in 0 1 2 3; do between "digits.tanh.$layers" 75 100; done
for layers in 0 1 2; do between "digits.ReLU.$layers" 75 100; done
between digits.ReLU.3 40 100
between digits.SiLU.3 5 30
close hand.sigmoid.0 0.731058578630005 1e-12
close hand.sigmoid.1 0.196611933241482 1e-12
close hand.tanh.1 0.419974341614026 1e-12
same hand.ReLU.1 1.0
same hand.ReLU.2 0.0
close hand.leaky.2 0.01 1e-12
close hand.SiLU.1 0.927670511871487 1e-12
close hand.GELU.1 1.083315470587686 1e-12      # Φ(1) + φ(1)
same hand.ELU.1 1.0
close hand.ELU.2 0.367879441171442 1e-12        # e⁻¹
same swish.from_half_at_0 0.0
close swish.from_relu_at_50 0.00556929 1e-6    # 0.278464…/50
close swish.minimum -0.278464542761074 1e-8
close swish.minimum_at -1.278464542761074 1e-4
same dead.ReLU.bias_0 0.0
between dead.ReLU.bias_6 0.05 1
same dead.leaky.bias_6 0.0
close preactivations.bias_0.0 0.5 0.02           # half of what comes from N(0, 2) is above 0
for bias in 0 3 6; do same "preactivations.bias_$bias.1" "$(number dead.ReLU.bias_$bias)"; done  # never above 0: no gradient
between preactivations.bias_6.0 0 0.001
between xor.loss 0 1e-4
same xor.right 1.0
close xor.loss_without 0.25 0.005
between xor.right_without 0 0.75
end_chapter
