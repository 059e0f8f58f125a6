// The task of chapter 07: to say eight letters again.
#pragma once

#include "examples/ch07_attention/small_model.h"

namespace gradus::examples {

constexpr int64_t kLetters = 16, kLength = 8;  // eight random letters, a mark, and the same eight again

struct Copies {
  Tensor ids, letters;  // [B, 17] as they stand, [B, 8]
};
Copies copies(int64_t batch);

// The scores at the mark and after it, where the copy is asked for: [B, 8, letters and mark].
Tensor asked(SmallModel& model, const Copies& task);

// Trains a model, and gives its accuracy on sequences that it has not seen: with 16⁸ of them, any new one will do.
double copying_accuracy(SmallModel& model, int64_t steps);

}  // namespace gradus::examples
