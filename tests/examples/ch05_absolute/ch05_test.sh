#!/usr/bin/env bash
# ch05: the table's two theorems, what a projection leaves of the distance, the base, rows that no text reached.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch05
close projection.before 1 1e-12
between projection.after 0.02 0.3          # about a tenth; one draw may leave 0.03 to 0.3
between projection.after_greatest 0.05 0.5
close hand.row_1.0 0.841470984807897 1e-14  # sin 1, cos 1, sin 0.01, cos 0.01
close hand.row_1.1 0.54030230586814 1e-14
close hand.row_1.2 0.00999983333416666 1e-15
close hand.dot_0_1 1.5402523062847  1e-12   # cos 1 + cos 0.01
close hand.dot_1_2 1.5402523062847  1e-12
close layout.difference_after_permutation 0 0
close shift.error 0 1e-12
close dot.error 0 1e-11
close dot.asymmetry 0 1e-11
close base.10000.longest_wave 60611 1      # 2π · 10000^(510/512)
close base.10.longest_wave 62.27 0.01
between base.1000000.dot_at_50 0.6 0.75    # Σ cos 50ω / 256: an integral of cos over log ω, 1 minus the part that has turned
between base.10.dot_at_50 -0.3 0.3
between widths.shared.7 0.8 1              # W_qᵀW_k near the identity
between widths.apart.7 0 0.5
close learned.gradient_unseen 0 0
between learned.gradient_seen 0.001 1000
close learned.rows_after_extend 40 0
between recurrent.moved.0 0.05 2
between recurrent.moved.29 0 1e-4
run_chapter ch05 --base 10
close projection.before 1 1e-12
end_chapter
