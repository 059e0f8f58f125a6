// What a module says of its parameters and what an optimizer makes of it, which neither floor sees alone.
#include "core/inspect/compare.h"
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE(
    "optim-weight-decay: a norm's gains and biases of however many axes do not decay, the linear map beside it "
    "does") {
  for (const Shape& shape : {Shape{5}, Shape{4, 5}, Shape{3, 4, 5}}) {
    CAPTURE(shape);
    nn::LayerNorm norm(shape);
    norm.bias.fill(2);
    nn::Linear linear(4, 5);
    NamedTensors all = norm.named_parameters();
    for (NamedTensor parameter : linear.named_parameters()) {
      parameter.name = "linear." + parameter.name;
      all.push_back(parameter);
    }
    optim::AdamW optimizer(all, {.lr = 0.5, .weight_decay = 0.5});
    const Tensor before = linear.weight.detached_copy();
    for (const NamedTensor& parameter : all) parameter.tensor.set_grad(zeros_like(parameter.tensor));
    optimizer.step();
    CHECK(equal(norm.gain, ones(shape)));
    CHECK(equal(norm.bias, full(shape, 2)));
    CHECK(difference(linear.weight, before * (1 - 0.5 * 0.5), 1e-6) == "");
  }
}
