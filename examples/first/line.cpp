// line: which one goes through these points? A loss, its gradients, a step.
#include <fmt/core.h>

#include "core/core.h"

using namespace gradus;

int main() {
  Tensor x = tensor({0, 1, 2, 3});
  Tensor y = tensor({1, 3, 5, 7});
  Tensor slope = tensor(0).set_requires_grad();
  Tensor offset = tensor(0).set_requires_grad();
  Tensors parameters = {slope, offset};

  for (int step = 0; step < 200; ++step) {
    Tensor error = slope * x + offset - y;
    Tensor loss = mean(error * error);  // forward: each op goes on the tape
    loss.backward();                    // backward: dloss/dslope, dloss/doffset

    NoGrad off;  // the update itself is not to be differentiated
    for (Tensor& p : parameters) {
      p -= 0.1 * p.grad();
      p.zero_grad();  // or the next would be added to it
    }
  }
  fmt::print("y = {} x + {}\n", slope, offset);
}
