// Anomaly mode: the first NaN or Inf is named with its op, what it was made from, and the module, forward and backward.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/inspect/anomaly.h"
#include "core/inspect/calls.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// What `action` says when it fails, without the numbers of tensors.
template <typename Action> std::string error_of(const Action& action) {
  try {
    action();
  } catch (const GraphError& error) {
    std::string text = error.what();
    for (std::size_t i = text.find('#'); i != std::string::npos; i = text.find('#', i + 1)) {
      text.erase(i + 1, text.find_first_not_of("0123456789", i + 1) - i - 1);
    }
    return text;
  }
  return "nothing";
}

}  // namespace

TEST_CASE("anomaly mode: names the op that made the first NaN or infinity, forward, its values and its inputs") {
  const inspect::AnomalyMode careful;
  const Tensor x = leaf({-1, 1});
  CHECK(error_of([&] { sqrt(x); }) ==
        "anomaly: sqrt made the first NaN: forward, 1 of 2 values of shape [2], the first nan at [0]; from input 0 # [2] "
        "from -1 to 1");
  CHECK(error_of([&] { log(x - 1); }) ==
        "anomaly: log made the first NaN: forward, 2 of 2 values of shape [2], the first nan at [0]; from input 0 # [2] "
        "from -2 to 0");
  CHECK(error_of([&] { 1 / (x - 1); }) ==
        "anomaly: div made the first Inf: forward, 1 of 2 values of shape [2], the first inf at [1]; from input 0 # [] = "
        "1, input 1 # [2] from -2 to 0");
}

TEST_CASE("anomaly mode: the numbers in the text are those of the tensors") {
  const inspect::AnomalyMode careful;
  const Tensor x = leaf(-1);
  CHECK_THROWS_WITH_AS(sqrt(x),
                       fmt::format("anomaly: sqrt made the first NaN: forward, 1 of 1 values of shape [], the first nan at []; "
                                   "from input 0 #{} [] = -1",
                                   x.number())
                           .c_str(),
                       GraphError);
}

TEST_CASE("anomaly mode: the place of the first value is counted row by row, and an absent input is left out") {
  const inspect::AnomalyMode careful;
  const Tensor x = leaf({{1, 2, 3}, {4, 5, 6}});
  const auto twice = [](const Step& step) { return Tensors{2 * step.grad}; };
  const Tensor broken = tensor({{1, 1, 1}, {1, INFINITY, -INFINITY}}, DType::f64);
  CHECK(error_of([&] { record_joint("odd", broken, {Tensor(), x}, twice); }) ==
        "anomaly: odd made the first Inf: forward, 2 of 6 values of shape [2, 3], the first inf at [1, 1]; from input 1 # "
        "[2, 3] from 1 to 6");
}

TEST_CASE("anomaly mode: names the rule that made the first NaN or infinity, backward, and the input whose gradient it is") {
  const inspect::AnomalyMode careful;
  const Tensor x = leaf({0, 1});
  const Tensor y = sum(sqrt(x) * 2);
  CHECK(error_of([&] { y.backward(); }) ==
        "anomaly: the backward rule of sqrt made the first Inf: 1 of 2 values of shape [2], the first inf at [0], in the "
        "gradient of input 0 # [2] from 0 to 1; dL/dy is # [2] = 2, y is # [2] from 0 to 1");
  CHECK_FALSE(x.grad().defined());
  const Tensor a = leaf(2), b = leaf(3);
  const Tensor z = record(
      "odd", tensor(1, DType::f64), {a, b}, [](const Step& step) { return step.grad; },
      [](const Step& step) { return Tensor(full(step.grad.shape(), NAN, DType::f64)); });
  CHECK(error_of([&] { z.backward(); }) ==
        "anomaly: the backward rule of odd made the first NaN: 1 of 1 values of shape [], the first nan at [], in the "
        "gradient of input 1 # [] = 3; dL/dy is # [] = 1, y is # [] = 1");
}

TEST_CASE("anomaly mode: the place in a gradient by rows is that in the table") {
  const inspect::AnomalyMode careful;
  const Tensor table = ones({9, 2}, DType::f64).set_requires_grad();
  const Tensor indices = tensor({7, 4}, DType::i64);
  const Tensor y = record("lookup", ones({2, 2}, DType::f64), {table},
                          [&](const Step&) { return Gradient(tensor({{1, 1}, {1, INFINITY}}, DType::f64), indices, 0); });
  CHECK(error_of([&] { y.backward(ones_like(y)); }) ==
        "anomaly: the backward rule of lookup made the first Inf: 1 of 4 values of shape [2, 2], the first inf at [4, 1], in "
        "the gradient of input 0 # [9, 2] = 1; dL/dy is # [2, 2] = 1, y is # [2, 2] = 1");
}

TEST_CASE("anomaly mode: names the module and the parameters, forward and backward") {
  inspect::AnomalyMode log;
  const Tensor gain = leaf({1, 0});
  log.name(gain, "blocks.1.norm.gain");
  const auto in_module = [&](const auto& body) {
    log.enter("blocks.1", "Block");
    log.enter("blocks.1.norm", "Norm");
    const Tensor y = body();
    log.leave();
    const Tensor after = y * 2;
    log.leave();
    return after;
  };
  const Tensor x = ones({2}, DType::f64);
  CHECK(error_of([&] { in_module([&] { return x / gain; }); }) ==
        "anomaly: div made the first Inf in blocks.1.norm: forward, 1 of 2 values of shape [2], the first inf at [1]; from "
        "input 0 # [2] = 1, input 1 # blocks.1.norm.gain [2] from 0 to 1");
  log.leave();  // the calls that the error left open
  log.leave();
  const Tensor y = sum(in_module([&] { return sqrt(gain); }));
  const Tensor later = y * 3;  // made in no module
  CHECK(error_of([&] { later.backward(); }) ==
        "anomaly: the backward rule of sqrt made the first Inf in blocks.1.norm: 1 of 2 values of shape [2], the first inf "
        "at [1], in the gradient of input 0 # blocks.1.norm.gain [2] from 0 to 1; dL/dy is # [2] = 6, y is # [2] from 0 to "
        "1");
}

TEST_CASE("anomaly mode: a NaN that came in is told by the op that passes it on, and by its input") {
  const inspect::AnomalyMode careful;
  const Tensor data = leaf({{1, 2}, {3, NAN}}), w = leaf({1, -1});
  CHECK(error_of([&] { w* data; }) ==
        "anomaly: a NaN came into mul by input 1 # [2, 2] from 1 to 3: 1 of 4 values of shape [2, 2], the first nan at [1, 1]; no "
        "op made it while anomaly mode was on, so it was in the data, in a parameter, or in a gradient");
  CHECK(mentions(error_of([&] { leaf({INFINITY, NAN, 1}) * 2; }), "1 of 3 values of shape [3], the first nan at [1]"));
  CHECK(error_of([&] { where(isnan(data), zeros_like(data), data); }) == "nothing");  // it goes no further
}

TEST_CASE("anomaly mode: an infinity that was there before is nobody's fault, nor a NaN from before the mode was on") {
  const Tensor z = leaf({NAN, 1}), cube = sum(z * z * z);
  const inspect::AnomalyMode careful;
  const Tensor x = tensor({INFINITY, 2}, DType::f64).set_requires_grad();
  sum(x * 2).backward();
  CHECK(to_vector(x.grad()) == Values{2, 2});
  cube.backward();  // rules that read the NaN
  CHECK(std::isnan(z.grad().at({0})));
  CHECK(z.grad().at({1}) == 3);
}

TEST_CASE("anomaly mode: a rule may pass through an infinity, if its gradient is finite") {
  const inspect::AnomalyMode careful;
  const Tensor a = leaf({0, 2}), b = tensor({0, 3}, DType::f64);
  sum(pow(a, b)).backward();  // the rule asks whether 1/a is finite
  CHECK(to_vector(a.grad()) == Values{0, 12});
}

TEST_CASE("anomaly mode: a sum is not blamed on the rule that would have added to it") {
  const inspect::AnomalyMode careful;
  const Tensor w = leaf({1, 2});
  const Tensor rows = index_select(w, 0, tensor({0}, DType::i64)), newer = w * 1;
  const Tensor infinite = tensor({INFINITY, 1}, DType::f64);
  CHECK_NOTHROW(backward({rows, newer}, {ones_like(rows), infinite}));
}

TEST_CASE("anomaly mode: a hook, and a sum of finite contributions that overflows, are named by the tensor") {
  const inspect::AnomalyMode careful;
  const Tensor w = leaf({1, 2});
  w.add_hook([](const Tensor& g) { return g * tensor({1, INFINITY}, DType::f64); });
  CHECK(error_of([&] { sum(w * 2).backward(); }) ==
        "anomaly: the gradient of # [2] from 1 to 2 is the first that is not finite: 1 of 2 values of shape [2], the first "
        "inf at [1]; its uses gave finite ones, so their sum or a hook made it");
  const Tensor v = leaf(1);
  CHECK(error_of([&] { (v * 1e308 + v * 1e308).backward(); }) != "nothing");
}

TEST_CASE("anomaly mode: is off at first, and again afterwards") {
  CHECK(Observing::innermost() == nullptr);
  {
    const inspect::AnomalyMode careful;
  }
  CHECK(std::isnan(sqrt(tensor(-1)).item()));
}

TEST_CASE("anomaly mode: is on again after a walk, also one that failed") {
  const inspect::AnomalyMode careful;
  const Tensor x = leaf({0, 1});
  CHECK(error_of([&] { sum(sqrt(x)).backward(); }) != "nothing");
  CHECK(Observing::innermost() != nullptr);
}
