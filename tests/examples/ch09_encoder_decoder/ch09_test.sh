#!/usr/bin/env bash
# ch09: letters in reverse with the wire and without it, what cross-attention looks at, and where it breaks.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../shared/report/chapter.sh"
run_chapter ch09
between held_out.letters 0.99 1
between held_out.cut 0.045 0.08        # chance, with four standard errors of 4,000 letters
close held_out.chance 0.0625 0
same claim.wire-needed "seen here"
between picture.on_the_letter 0.5 1    # 1/9 if it looked everywhere
close picture.cut 0 0
close hand.y.0 27 1e-12                # 0.1 · 10 + 0.1 · 20 + 0.8 · 30
close hand.y.1 20 1e-12
close hand.y.2 13 1e-12
between lengths.trained_at_8.7 99 100
between lengths.trained_at_8.6 0 50    # seven letters
between lengths.trained_at_1_to_8.6 95 100
between lengths.trained_at_1_to_8.10 0 30
between training.loss.0 2.5 6
same calls.decoder.blocks.0.cross_attention.q_proj.reads.0 decoder.blocks.0.placement.norm1
same calls.decoder.blocks.0.cross_attention.k_proj.reads.0 encoder
same calls.encoder.blocks.0.attention.type "MultiHeadAttention(8 heads of 64)"
close calls.softmax.shape.2 17 0
between training.loss_cut.199 2.7 2.9  # ln 16 = 2.77
"$root/build/release/bin/ch09_encoder_decoder" --length 17 --out "$work/none" >/dev/null 2>"$work/errors" && wrong "17 letters were accepted"
grep -q 'from 1 to 16' "$work/errors" || wrong "17 letters: $(cat "$work/errors")"
end_chapter
