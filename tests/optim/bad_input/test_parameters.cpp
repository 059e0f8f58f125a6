// What clipping, averages, groups and newton_schulz refuse.
#include <memory>

#include "core/composites/composites.h"
#include "optim/optim.h"
#include "tests/support/bad_input.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor with_gradient(const Tensor& gradient) {
  const Tensor parameter = zeros_like(gradient).set_requires_grad();
  parameter.set_grad(gradient.detached_copy());
  return parameter;
}

// Both ways to clip, on parameters of which the second is bad.
BadCalls of_clipping() {
  const Tensor good = with_gradient(tensor({30, 40})), half = ones({2}, DType::f16).set_requires_grad(), made = good * 2;
  half.set_grad(ones({2}, DType::f16));
  const struct {
    const char* name;
    Tensor second;
    Raises raises;
    std::string text;
  } bad[] = {
      {"an undefined one", Tensor(), Raises::graph, "parameter 1 is undefined"},
      {"one twice", good, Raises::value, "parameter 1 is given twice, first as parameter 0"},
      {"a result", made, Raises::graph, "parameter 1 was made by an op"},
      {"an f16 one", half, Raises::dtype, "parameter 1 is f16"},
      {"ids", zeros({2}, DType::i64), Raises::dtype, "parameter 1 is i64"},
  };
  BadCalls rows;
  for (const auto& [name, second, raises, text] : bad) {
    const Tensors parameters{good, second};
    const Tensors unchanged{good, good.grad()};
    const std::string of = name;
    rows += {
        {"clip_grad_norm, " + of, [=] { optim::clip_grad_norm(parameters, 1); }, raises, "clip_grad_norm: " + text, unchanged},
        {"measuring alone, " + of, [=] { optim::clip_grad_norm(parameters, 0); }, raises, "clip_grad_norm: " + text, unchanged},
        {"clip_grad_value, " + of, [=] { optim::clip_grad_value(parameters, 1); }, raises, "clip_grad_value: " + text, unchanged},
    };
  }
  const Tensor not_finite = with_gradient(tensor({kNaN, 1}));
  const auto norm = [&](double limit, const Tensors& of, const char* text) {
    rows += REFUSED(value, optim::clip_grad_norm(of, limit), text, {good.grad(), not_finite.grad()});
  };
  norm(-1, {good}, "clip_grad_norm: max_norm must be not negative, got -1");
  norm(kNaN, {good}, "clip_grad_norm: max_norm must be not negative, got nan");
  norm(-kInfinity, {}, "clip_grad_norm: max_norm must be not negative, got -inf");
  norm(1, {good, not_finite}, "clip_grad_norm: the norm is nan");
  for (const double limit : {0.0, -1.0, kNaN, -kInfinity}) {
    rows += REFUSED(value, optim::clip_grad_value({good}, limit),
                    fmt::format("clip_grad_value: the limit must be positive, got {}", limit), {good.grad()});
  }
  return rows;
}

BadCalls of_averages() {
  const Tensor p = tensor({5, 6}).set_requires_grad(), q = ones({3}).set_requires_grad(), on_tape = ones({2}).set_requires_grad() * 2;
  const auto made = [&](const char* name, const NamedTensors& named, double beta, Raises raises, const char* text) {
    return BadCall{fmt::format("MovingAverage, {}", name), [=] { optim::MovingAverage average(named, beta); }, raises, text, {p, q}};
  };
  BadCalls rows{
      made("β 1", {{"p", p}}, 1, Raises::value, "MovingAverage: beta must be in [0, 1), got 1"),
      made("β -0.1", {{"p", p}}, -0.1, Raises::value, "MovingAverage: beta must be in [0, 1), got -0.1"),
      made("β NaN", {{"p", p}}, kNaN, Raises::value, "MovingAverage: beta must be in [0, 1), got nan"),
      made("β ∞", {{"p", p}}, kInfinity, Raises::value, "MovingAverage: beta must be in [0, 1), got inf"),
      made("of nothing", {}, 0.9, Raises::value, "MovingAverage: no parameters to average"),
      made("one tensor twice", {{"p", p}, {"q", p}}, 0.9, Raises::value, "MovingAverage: q is given twice, first as p"),
      made("two of one storage", {{"q", q}, {"p", p}, {"part", p.detach()}}, 0.9, Raises::value,
           "MovingAverage: p and part share one storage, so that each would change both"),
      made("two of one name", {{"p", p}, {"p", q}}, 0.9, Raises::value, "MovingAverage: two tensors are named 'p'"),
      made("an undefined one", {{"p", p}, {"none", Tensor()}}, 0.9, Raises::graph, "MovingAverage: none is undefined"),
      made("ids", {{"ids", ones({2}, DType::i64)}}, 0.9, Raises::dtype, "MovingAverage: ids is i64"),
      made("f16", {{"half", ones({2}, DType::f16)}}, 0.9, Raises::dtype, "MovingAverage: half is f16"),
      made("a result", {{"p", p}, {"made", on_tape}}, 0.9, Raises::graph, "MovingAverage: made was made by an op"),
  };
  const Tensor first = tensor({1, 2}).set_requires_grad();
  Tensor second = ones({3}).set_requires_grad();
  const auto average = std::make_shared<optim::MovingAverage>(NamedTensors{{"model.first", first}, {"model.w", second}}, 0.5);
  Tensor(first).fill(9);
  second.set_requires_grad(false);
  const char* text = "MovingAverage: model.w requires no gradient any more: it was frozen, or model.to() or extend() put another tensor in "
                     "its place; build the average again";
  const Tensors unchanged{first, second, average->state()[0].tensor, average->state()[1].tensor};
  return joined({rows, {REFUSED(graph, average->update(), text, unchanged), REFUSED(graph, average->swap(), text, unchanged)}});
}

BadCalls of_groups() {
  const NamedTensors named{{"w", ones({2, 2})}}, undefined{{"w", ones({2, 2})}, {"none", Tensor()}};
  BadCalls rows{
      REFUSED(graph, optim::decay_matrices(undefined), "decay_matrices: none is undefined"),
      REFUSED(graph, optim::ParameterGroups groups(undefined), "decay_matrices: none is undefined"),
  };
  rows += bad_values("decay_matrices", {-1, kNaN, kInfinity}, "decay_matrices: the weight decay must be finite and not negative, got ",
                     [=](double decay) { optim::decay_matrices(named, decay); });
  const Tensor matrix = zeros({3, 2});
  const std::string who = "newton_schulz: ";
  rows += {
      REFUSED(graph, optim::newton_schulz({}, 5), who + "the matrix is undefined"),
      REFUSED(shape, optim::newton_schulz(zeros({3}), 5), who + "needs a matrix, got shape [3]"),
      REFUSED(shape, optim::newton_schulz(zeros({3, 2, 2}), 5), who + "needs a matrix, got shape [3, 2, 2]"),
      REFUSED(dtype, optim::newton_schulz(zeros({3, 2}, DType::i64), 5), who + "needs f32 or f64, got i64"),
      REFUSED(dtype, optim::newton_schulz(zeros({3, 2}, DType::f16), 5), who + "needs f32 or f64, got f16"),
      REFUSED(value, optim::newton_schulz(matrix, 0), who + "iterations must be positive, got 0"),
      REFUSED(value, optim::newton_schulz(matrix, -1), who + "iterations must be positive, got -1"),
      REFUSED(value, optim::newton_schulz(matrix, INT64_MAX), who + "iterations must be at most 100"),
  };
  return rows;
}

}  // namespace

TEST_CASE("clipping, averages and groups refuse what does not fit, and every gradient, average and parameter stays as it was") {
  const BadCalls rows = joined({of_clipping(), of_averages(), of_groups()});
  check_bad_calls(rows);
  MESSAGE(rows.size(), " bad calls of clipping, averages and groups");
}

TEST_CASE("MovingAverage: after a swap that was refused, two more are what they always were: there and back") {
  Tensor p = tensor({5}).set_requires_grad(), q = tensor({7}).set_requires_grad();
  optim::MovingAverage average({{"p", p}, {"q", q}}, 0.5);
  p.fill(3);
  q.set_requires_grad(false);
  CHECK_THROWS_AS(average.swap(), GraphError);
  q.set_requires_grad().fill(1);
  average.swap();
  CHECK(p.item() == 5);
  CHECK(q.item() == 7);
  average.swap();
  CHECK(p.item() == 3);
  CHECK(q.item() == 1);
}
