// network: a network and its optimizer learn x₁² + x₂².
#include <fmt/core.h>

#include "nn/nn.h"
#include "optim/optim.h"

using namespace gradus;

int main() {
  nn::Sequential model{nn::Linear{2, 32}, nn::act::relu, nn::Linear{32, 1}};
  optim::AdamW optimizer(model.named_parameters(), {.lr = 0.01});

  for (int step = 0; step < 500; ++step) {
    Tensor x = uniform({64, 2}, -1, 1);
    Tensor loss = nn::mse(model(x), sum(x * x, 1, true));
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
    if (step % 100 == 0) fmt::print("step {}: loss {}\n", step, loss);
  }
}
