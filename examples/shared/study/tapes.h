// The chapters' numbers by hand as tapes: formulas op by op, small enough to step through.
#pragma once

#include "core/inspect/trace.h"

namespace gradus::examples {

inspect::Trace softmax_tape();            // ch01: L = cross-entropy of the scores 0, ln 2, ln 3; the third is the target
inspect::Trace dead_unit_tape();          // ch02: L = (v · relu(W x) − 1)², where the second unit is off
inspect::Trace swiglu_tape();             // ch03: L = Σ silu(a) ⊙ b
inspect::Trace rms_norm_tape();           // ch04: L = Σ g ⊙ RMSNorm(x)
inspect::Trace learned_positions_tape();  // ch05: L = Σ (words[ids] + places[0 … 2])²
inspect::Trace rope_tape();               // ch06: L = R(2) q · R(1) k
inspect::Trace attention_tape();          // ch07: L = Σ y of three queries of width 1, causal
inspect::Trace placement_tape();          // ch08: two blocks x + 2 norm(x), and the loss on the first number
inspect::Trace encoder_decoder_tape();    // ch09: the whole model, d 4, as a tape of its modules
inspect::Trace banana_tape();             // ch10: f(x, y) = (1 − x)² + 100 (y − x²)² at (−1.2, 1)
inspect::Trace language_model_tape();     // ch11: one block, d 4, with one table for both ends

}  // namespace gradus::examples
