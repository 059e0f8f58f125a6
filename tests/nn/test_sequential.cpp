#include "nn/sequential.h"

#include "core/tensor/random.h"
#include "nn/activation/relu.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/loss/regression.h"
#include "nn/norm/norm_table.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("Sequential: each layer is given what the one before it made; their names are their places") {
  manual_seed(1);
  nn::Sequential mlp{nn::Linear{3, 4}, nn::act::relu, nn::Linear{4, 2, {.bias = false}}};
  std::string paths;
  for (const auto& [path, parameter, role] : mlp.named_parameters()) paths += path + " ";
  CHECK(paths == "0.weight 0.bias 2.weight ");
  CHECK(fmt::format("{}", mlp) == "Sequential\n  0: Linear(3 -> 4)\n  1: ReLU\n  2: Linear(4 -> 2, no bias)\n");
  const Tensor x = randn({5, 3});
  CHECK(mlp.size() == 3);
  CHECK(equal(mlp(x), mlp[2](relu(mlp[0](x)))));
}

TEST_CASE("Sequential: learns, in any nesting, and tells its layers whether it does") {
  manual_seed(2);
  nn::Sequential model{nn::Sequential{nn::Linear{2, 16}, nn::act::relu}, nn::Dropout{0.5}, nn::Linear{16, 1}};
  model.add(nn::norms().find("dyt").value({.width = 1}));
  const Tensor x = randn({32, 2}), y = tanh(sum(x, 1, true));
  const auto loss = [&] { return nn::mse(model(x), y); };
  CHECK_FALSE(equal(model(x), model(x)));
  model.eval();
  CHECK(equal(model(x), model(x)));
  const double before = loss().item();
  for (int step = 0; step < 100; ++step) {
    model.zero_grad();
    loss().backward();
    for (Tensor& parameter : model.parameters()) parameter.assign(parameter.detach() - 0.1 * parameter.grad());
  }
  CHECK(loss().item() < 0.1 * before);
  CHECK(model.named_parameters().front().name == "0.0.weight");
}

TEST_CASE("Sequential: the error of a layer names its place, as the paths of parameters do, and what the layer is") {
  nn::Sequential model{nn::Linear{3, 4}, nn::act::relu, nn::Linear{4, 2}};
  CHECK_THROWS_WITH_AS(model(zeros({8, 8})), "Sequential.0, Linear(3 -> 4): linear: expected [..., 3], got [8, 8]", ShapeError);
  CHECK_THROWS_WITH_AS(model(zeros({8, 3}, DType::f64)),
                       "Sequential.0, Linear(3 -> 4): linear: x is f64, but weight is f32; use cast(x, DType::f32) first", DTypeError);
  nn::Sequential outer{nn::act::relu, nn::Sequential{nn::Linear{3, 4}, nn::Linear{3, 2}}};
  CHECK_THROWS_WITH_AS(outer(zeros({8, 3})), "Sequential.1.1, Linear(3 -> 2): linear: expected [..., 3], got [8, 4]", ShapeError);
  CHECK(outer.named_parameters()[2].name == "1.1.weight");
  struct Residual : nn::Layer {
    nn::Sequential body{nn::Linear{3, 4}, nn::Linear{5, 3}};
    Tensor forward(const Tensor& x) override { return x + body(x); }
    void members(nn::Members& m) override { m.child("body", body); }
  };
  nn::Sequential blocks{nn::act::relu, Residual()};
  CHECK_THROWS_WITH_AS(blocks(zeros({8, 3})), "Sequential.1.body.1, Linear(5 -> 3): linear: expected [..., 5], got [8, 4]", ShapeError);
  nn::Sequential curves{nn::act::relu};
  CHECK_THROWS_WITH_AS(curves(Tensor()), doctest::Contains("Sequential: forward: x is undefined"), GraphError);
}

TEST_CASE("Sequential: of no layers it is the identity; none of them is nullptr") {
  nn::Sequential none;
  const Tensor x = randn({2, 2});
  CHECK(none(x).same_as(x));
  CHECK_THROWS_WITH_AS(none.add(nn::LayerPtr()), "Sequential: layer 0 is nullptr", ValueError);
}

TEST_CASE("Sequential: 1000 of them lie within one another; one more around them is refused, and has what it had") {
  nn::LayerPtr nested = std::make_unique<nn::Sequential>();
  for (int i = 1; i < 1000; ++i) {
    auto outer = std::make_unique<nn::Sequential>();
    outer->add(std::move(nested));
    nested = std::move(outer);
  }
  const Tensor x = ones({2});
  CHECK((*nested)(x).same_as(x));
  CHECK(nested->parameter_count() == 0);
  nn::Sequential last;
  last.add(nn::act::relu);
  CHECK_THROWS_WITH_AS(last.add(std::move(nested)), "Sequential: more than 1000 within one another; add the layers to one of them",
                       ValueError);
  CHECK(last.size() == 1);
}

namespace {

// x + 1, and one more such layer at the end of `model` each time.
class Grows final : public nn::Layer {
 public:
  explicit Grows(nn::Sequential& model) : model_(model) {}
  Tensor forward(const Tensor& x) override {
    for (int i = 0; i < 20; ++i) model_.add(nn::act::identity);  // enough to move what holds the layers
    model_.add(Grows(model_));
    return x + 1;
  }
  void members(nn::Members&) override {}

 private:
  nn::Sequential& model_;
};

}  // namespace

TEST_CASE("Sequential: a layer that adds to it while it runs is heard the next time") {
  nn::Sequential model;
  model.add(Grows(model));
  model.add(nn::act::relu);
  const Tensor x = ones({2});
  CHECK(to_vector(model(x)) == Values{2, 2});
  CHECK(model.size() == 23);
  CHECK(to_vector(model(x)) == Values{3, 3});
}
