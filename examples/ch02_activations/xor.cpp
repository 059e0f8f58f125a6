#include "examples/ch02_activations/xor.h"

#include <fmt/format.h>

#include "core/core.h"
#include "nn/nn.h"
#include "optim/optim.h"

namespace gradus::examples {
namespace {

std::vector<double> learns_xor(const nn::Activation& f, int steps, double& right) {
  manual_seed(3);
  nn::Sequential net{nn::Linear{2, 8}, f, nn::Linear{8, 1}};
  optim::Adam optimizer(net.named_parameters(), {.lr = 0.05});
  const Tensor x = tensor({{0, 0}, {0, 1}, {1, 0}, {1, 1}}), y = tensor({{0}, {1}, {1}, {0}});
  std::vector<double> losses;
  for (int t = 0; t <= steps; ++t) {
    const Tensor loss = mean(square(net(x) - y));
    losses.push_back(loss.item());
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  right = mean(cast(eq(gt(net(x), full({4, 1}, 0.5)), gt(y, full({4, 1}, 0.5))), DType::f64)).item();
  return losses;
}

}  // namespace

void xor_problem(Chapter& chapter) {
  constexpr int steps = 300;
  double with_right = 0, without_right = 0;
  const auto with = learns_xor(nn::act::tanh, steps, with_right), without = learns_xor(nn::act::identity, steps, without_right);
  chapter.number("xor.loss", with.back());
  chapter.number("xor.right", with_right);
  chapter.number("xor.loss_without", without.back());
  chapter.number("xor.right_without", without_right);
  chapter.tell(fmt::format("XOR: loss {:.1e} with tanh; without a bend between the layers {:.2f}", with.back(), without.back()));
  chapter.series("xor.tanh", with);
  chapter.series("xor.linear", without);
}

}  // namespace gradus::examples
