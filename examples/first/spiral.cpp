// spiral: a network tells three arms of a spiral apart, which no line can.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "core/core.h"

using namespace gradus;

Tensor weight(int64_t in, int64_t out) {  // [init-xavier-normal]
  return (std::sqrt(2.0 / double(in + out)) * randn({in, out})).set_requires_grad();
}
Tensor bias(int64_t out) { return zeros({out}).set_requires_grad(); }

int main() {
  Tensor arm = randint(0, 3, {300});  // each point is on one of three arms of a spiral …
  Tensor radius = uniform({300}, 0.1, 1);
  Tensor angle = 5 * radius + 2 * std::numbers::pi / 3 * cast(arm, DType::f32);
  Tensor points = stack({radius * cos(angle), radius * sin(angle)}, 1);  // … [300, 2]: on which?

  Tensor w1 = weight(2, 64), b1 = bias(64);
  Tensor w2 = weight(64, 64), b2 = bias(64);
  Tensor w3 = weight(64, 3), b3 = bias(3);
  Tensors parameters = {w1, b1, w2, b2, w3, b3};

  for (int step = 0; step <= 1000; ++step) {
    Tensor h1 = relu(matmul(points, w1) + b1);  // [op-matmul] [act-relu]
    Tensor h2 = relu(matmul(h1, w2) + b2);
    Tensor scores = matmul(h2, w3) + b3;  // [300, 3]: 1 is wanted for the arm of the point, 0 for the others
    Tensor error = scores - one_hot(arm, 3);
    Tensor loss = mean(error * error);
    loss.backward();

    NoGrad off;
    for (Tensor& p : parameters) {
      p -= 0.5 * p.grad();
      p.zero_grad();
    }
    if (step % 200 == 0) {
      Tensor right = mean(cast(argmax(scores, 1) == arm, DType::f32));
      fmt::print("step {:4}: loss {:.4f}, on the right arm {:.3f}\n", step, loss, right);
    }
  }
}
