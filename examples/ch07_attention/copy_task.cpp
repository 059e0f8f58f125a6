#include "examples/ch07_attention/copy_task.h"

#include "core/core.h"
#include "nn/loss/cross_entropy.h"

namespace gradus::examples {

Copies copies(int64_t batch) {
  const Tensor letters = randint(0, kLetters, {batch, kLength});
  return {cat({letters, full({batch, 1}, kLetters, DType::i64), letters}, 1), letters};
}

Tensor asked(SmallModel& model, const Copies& task) { return slice(model(slice(task.ids, 1, 0, -1)), 1, kLength); }

double copying_accuracy(SmallModel& model, int64_t steps) {
  fit(model, steps, [&] {
    const Copies task = copies(32);
    return nn::cross_entropy(asked(model, task), task.letters);
  });
  const NoGrad off;
  const Copies unseen = copies(250);
  return nn::accuracy(asked(model, unseen), unseen.letters);
}

}  // namespace gradus::examples
