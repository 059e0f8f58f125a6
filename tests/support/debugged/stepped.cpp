// One step of a model, to be stepped through: how many lines are there from a norm to its gradient?
#include "core/core.h"
#include "nn/linear.h"
#include "nn/loss/cross_entropy.h"
#include "nn/norm/rms_norm.h"

using namespace gradus;

int main() {
  nn::RMSNorm norm(4);
  nn::Linear linear(4, 3);
  const Tensor x = randn({2, 4}), targets = tensor({0, 2}, DType::i64);
  const Tensor y = linear(norm(x));
  const Tensor loss = nn::cross_entropy(y, targets);
  loss.backward();
  return 0;
}
