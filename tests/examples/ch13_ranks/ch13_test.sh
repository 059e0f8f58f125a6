#!/usr/bin/env bash
# ch13: bits of sums, cost laws, the bubble, ZeRO, and steps as published. Times are not compared.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch13 --bug dist/divided-twice
same bug dist/divided-twice
for size in 0 1 2; do
  for ranks in 0 1 2 3; do same bits.tree.$ranks.$size 0.0; done  # 2, 3, 4 and 8 ranks
  same bits.rank_order.0.$size 0.0                                # two numbers have one sum
  same bits.rank_order.1.$size 0.0                                # (x₀ + x₁) + x₂ is both
  between bits.rank_order.2.$size 20 40
  between bits.rank_order.3.$size 40 65
  between bits.ring.2.$size 25 45
done
close cost.declared.0 0.002 1e-15
close cost.declared.1 1e-8 1e-20
close cost.doubling.4.2 0.024 1e-12           # 2 (2 ms + 10 ms)
close cost.halving.4.2 0.023 1e-12            # 4 · 2 ms + 1.5 · 10 ms
close cost.tree.4.2 0.048 1e-12
close cost.ring.4.2 0.027 1e-12               # 6 · 2 ms + 1.5 · 10 ms
for name in doubling halving ring; do between cost.$name.4.1 "$(number cost.$name.4.2)" 60; done  # what is slept is no less
close cluster.least_tokens 10656 1e-6         # 8 · 0.999 · 4·10¹⁴ / (6 · 5·10¹⁰)
close cluster.widths.2.1 778.19 0.01
same cluster.widths.0.1 nan
close bubble.1.3 0.272727 1e-6                # 3/11
close bubble.2.0 0.875 1e-12
same diaries.one_by_one.3 ...FBFBFBFBFBFBFBFB...
same zero.stage_0.0 1058816.0                 # 8 (2 · 64 · 256 + 256 + 64) · 4
same zero.stage_0.2 2117632.0                 # AdamW keeps two numbers for each
same zero.stage_1.0 1058816.0
same zero.stage_1.2 529408.0                  # the tensors happen to come out even
between zero.stage_3.0 264704 264768
between zero.stage_3.1 264704 264768
between zero.stage_3.2 529408 529536

close probes.right.length 1 1e-12
close probes.right.unequal 0 1e-12
same probes.right.apart 0.0
close probes.right.direction 0 1e-5
same probes.right.samples 8.0
same probes.right.repeat 0.0
same probes.right.tied 1.0
close probes.dist.divided-twice.length 0.5 1e-12
close probes.dist.sum-for-mean.length 2 1e-12
between probes.dist.early-reduce.apart 0.1 10
between probes.dist.mean-of-means.unequal 0.1 2
close probes.dist.mean-of-means.length 1 1e-12  # equal parts do not show it
between probes.dist.wrapper-bypassed.apart 0.1 10
between probes.dist.order-of-arrival.apart 0.1 10
between probes.dist.local-clip.direction 1 90
same probes.dist.samplers-alike.samples 4.0
between probes.dist.sum-as-they-come.repeat 20 60
same probes.dist.tied-twice.tied 2.0
end_chapter
