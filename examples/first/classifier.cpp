// classifier: a network of three layers tells the arms of a spiral apart, and says how often it is right.
#include <fmt/core.h>

#include "nn/nn.h"
#include "optim/optim.h"

using namespace gradus;

int main() {
  Tensor arm = randint(0, 3, {300});             // each point is on one of three arms of a spiral …
  Tensor radius = uniform({300}, 0.1, 1);
  Tensor angle = 5 * radius + cast(arm, DType::f32) * 2.0944;
  Tensor points = stack({radius * cos(angle), radius * sin(angle)}, 1);  // … [300, 2]: which?

  nn::Sequential model{nn::Linear{2, 64}, nn::act::tanh, nn::Linear{64, 64}, nn::act::tanh, nn::Linear{64, 3}};
  optim::AdamW optimizer(model.named_parameters(), {.lr = 0.01});

  for (int step = 0; step <= 400; ++step) {
    Tensor scores = model(points);
    Tensor loss = nn::cross_entropy(scores, arm);
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
    if (step % 100 == 0) fmt::print("step {}: loss {:.4f}, accuracy {:.3f}\n", step, loss, nn::accuracy(scores, arm));
  }
}
