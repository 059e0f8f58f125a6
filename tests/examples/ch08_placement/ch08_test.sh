#!/usr/bin/env bash
# ch08: how loud the stream gets and how gradients lie, by placement and depth; α and β; a thousand blocks.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch08
between start.pre.variance.24 20 30         # about one a block
close start.pre.variance.0 1 0.1
between start.sandwich.variance.24 46 51    # 1 + 2 · 24
close start.post.variance.24 1 0.001
close start.deepnorm.variance.24 1 0.001
between start.pre.gradient.0 3.5 7
close start.pre.gradient.24 1 0
close start.deepnorm.gradient.0 1.005 0.03
between start.post.gradient.0 0.3 2
between theory.pre.apart 1 1.8
between depth.48.0 40 62                    # pre-norm's variance
between depth.48.1 5 10                     # its gradient, bottom over top
close depth.48.3 1 0.04                     # DeepNorm's
close hand.pre.0 5 1e-12                    # [3, 1] + 2 [1, -1]
close hand.pre.1 -1 1e-12
close hand.post.0 1 1e-12
close hand.sandwich.0 4 1e-12               # [3, 1] + [1, -1]
close deepnorm.8.0 2 1e-12                  # 16^¼
close deepnorm.24.0 2.632148 1e-6           # 48^¼
close deepnorm.24.1 0.268642 1e-6           # 192^-¼
close deepnorm.128.0 4 1e-12                # 256^¼
close thousand.deepnorm.0 1 0.001
between thousand.deepnorm.1 0.5 2
between thousand.post.1 0 1e-6
between thousand.pre.0 500 3000
same claim.deepnorm-1000-layers "undecided here"      # it begins to learn; to the end is another matter
same claim.pre-norm-bottom-gradients-larger "partly seen here"
between training.pre.loss 2 3.9
between training.warmup_gain 0 1            # the middle one of three seeds: nine of nine gained, 0.01 to 0.36
between training.pre.gradients.0.0 1e-4 10
between collapse.pre.alike.3 0.9 1          # all rows one …
between collapse.pre.alike.8 0.1 0.7        # … and apart again
between collapse.post.alike.8 0.999 1
between collapse.post.gradient.8 0 1e-4
between collapse.deepnorm.gradient.8 0 1e-3
between collapse.deepnorm_slow.gradient.8 0.01 1
end_chapter
