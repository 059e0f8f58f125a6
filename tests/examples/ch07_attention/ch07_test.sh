#!/usr/bin/env bash
# ch07: nothing above the diagonal of the right attention, and the mistakes by what lights up; entropy, cache, copying.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch07
close causality.right.future 0 0
between causality.wrong.future 0.01 10
for leaks in attn.mask-{after-softmax,off-by-one,with-zero,not-applied} softmax.axis attn.merge-without-transpose; do
  between "probes.$leaks.future" 0.01 100
done
for causal in split-without-transpose no-scale scale-by-model divided-by-scale; do
  close "probes.attn.$causal.future" 0 0
  between "probes.attn.$causal.values" 0.1 100
done
for probe in future values padded grouped; do close "probes.right.$probe" 0 0; done
between probes.attn.mask-on-queries.padded 0.1 100   # the padding speaks; all else is right
for probe in future values grouped; do close "probes.attn.mask-on-queries.$probe" 0 0; done
between probes.attn.kv-heads-tiled.grouped 0.1 100   # and only where heads are shared
for probe in future values padded; do close "probes.attn.kv-heads-tiled.$probe" 0 0; done
close hand.y.0 6 1e-12                    # e^(q k) = 1, 2, 3; v = 6, 12, 18
close hand.y.1 10 1e-12                   # (6 + 24) / 3
close hand.y.2 14 1e-12                   # (6 + 24 + 54) / 6
close hand.mask_after_softmax.0 1 1e-12   # 6 / 6
close hand.mask_after_softmax.1 5 1e-12   # 30 / 6
close entropy.uniform 2.772589 1e-6       # ln 16
close entropy.scaled 2.35 0.04
close entropy.raw 0.41 0.04
between entropy.without.0 1.6 1.9         # d_head 4: little to scale
between text.nn::attention.0 1.7 2.7
between text.attn.mask-after-softmax.0 0 1
same claim.loss-proves-the-model "not seen here"
close cross.by_x.0.1 0 0
between cross.by_x.0.0 1e-6 100
between cross.by_memory.0.7 1e-6 100
close cache.difference 0 1e-4
close cache.multiplications 8396800 0     # 64 ids by 122,880 weights, and 256 a key for 1 + … + 64 keys
between cache.multiplications_without 270e6 290e6
between copy.accuracy 0.99 1
between copy.without_attention 0 0.15
end_chapter
