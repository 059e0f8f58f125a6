// What clipping, averages, groups and newton_schulz refuse.
#include <memory>

#include "core/composites/composites.h"
#include "optim/optim.h"
#include "tests/support/bad_input.h"

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
    Tensor second;
    Raises raises;
    std::string text;
  } cases[] = {
      {Tensor(), Raises::graph, "parameter 1 is undefined"},
      {good, Raises::value, "parameter 1 is given twice, first as parameter 0"},
      {made, Raises::graph, "parameter 1 was made by an op"},
      {half, Raises::dtype, "parameter 1 is f16"},
      {zeros({2}, DType::i64), Raises::dtype, "parameter 1 is i64"},
  };
  BadCalls rows;
  for (const auto& [second, raises, text] : cases) {
    const Tensors parameters{good, second};
    BadCalls clips{REFUSED(value, optim::clip_grad_norm(parameters, 1), "clip_grad_norm: " + text),
                   REFUSED(value, optim::clip_grad_norm(parameters, 0), "clip_grad_norm: " + text),
                   REFUSED(value, optim::clip_grad_value(parameters, 1), "clip_grad_value: " + text)};
    for (BadCall& clip : clips) clip.raises = raises;
    rows += clips;
  }
  const Tensor not_finite = with_gradient(tensor({kNaN, 1}));
  rows += {
      REFUSED_EACH(optim::clip_grad_norm({good}, bad), "clip_grad_norm: max_norm must be not negative", -1, kNaN),
      REFUSED_EACH(optim::clip_grad_norm({}, bad), "clip_grad_norm: max_norm must be not negative", -kInfinity),
      REFUSED(value, optim::clip_grad_norm({good, not_finite}, 1), "clip_grad_norm: the norm is nan"),
      REFUSED_EACH(optim::clip_grad_value({good}, bad), "clip_grad_value: the limit must be positive", 0, -1, kNaN, -kInfinity),
  };
  return keeping({good, good.grad(), not_finite.grad()}, rows);
}

BadCalls of_averages() {
  const Tensor p = tensor({5, 6}).set_requires_grad(), q = ones({3}).set_requires_grad(), on_tape = ones({2}).set_requires_grad() * 2;
  const Tensor whole = ones({2}, DType::i64), half = ones({2}, DType::f16);
  const auto average_of = [](const NamedTensors& named, double beta = 0.9) { optim::MovingAverage average(named, beta); };
  BadCalls rows = by("MovingAverage", {
                                          REFUSED(value, average_of({}), "no parameters to average"),
                                          REFUSED(value, average_of({{"p", p}, {"q", p}}), "q is given twice, first as p"),
                                          REFUSED(value, average_of({{"q", q}, {"p", p}, {"part", p.detach()}}),
                                                  "p and part share one storage, so that each would change both"),
                                          REFUSED(value, average_of({{"p", p}, {"p", q}}), "two tensors are named 'p'"),
                                          REFUSED(graph, average_of({{"p", p}, {"none", Tensor()}}), "none is undefined"),
                                          REFUSED(dtype, average_of({{"ids", whole}}), "ids is i64"),
                                          REFUSED(dtype, average_of({{"half", half}}), "half is f16"),
                                          REFUSED(graph, average_of({{"p", p}, {"made", on_tape}}), "made was made by an op"),
                                      });
  rows += REFUSED_EACH(average_of({{"p", p}}, bad), "MovingAverage: beta must be in [0, 1)", 1, -0.1, kNaN, kInfinity);
  const Tensor first = tensor({1, 2}).set_requires_grad();
  Tensor second = ones({3}).set_requires_grad();
  const auto average = std::make_shared<optim::MovingAverage>(NamedTensors{{"model.first", first}, {"model.w", second}}, 0.5);
  Tensor(first).fill(9);
  second.set_requires_grad(false);
  const char* text =
      "MovingAverage: model.w requires no gradient any more: it was frozen, or model.to() or extend() put another tensor in "
      "its place; build the average again";
  const Tensors unchanged{first, second, average->state()[0].tensor, average->state()[1].tensor};
  return {keeping({p, q}, rows), keeping(unchanged, {REFUSED(graph, average->update(), text), REFUSED(graph, average->swap(), text)})};
}

BadCalls of_groups() {
  const NamedTensors named{{"w", ones({2, 2})}}, undefined{{"w", ones({2, 2})}, {"none", Tensor()}};
  const Refused no_decay{"finite and not negative", {-1, kNaN, kInfinity}};
  const Tensor matrix = zeros({3, 2});
  return {
      REFUSED(graph, optim::decay_matrices(undefined), "decay_matrices: none is undefined"),
      REFUSED(graph, optim::ParameterGroups groups(undefined), "decay_matrices: none is undefined"),
      REFUSED_EACH(optim::decay_matrices(named, bad), "decay_matrices: the weight decay", no_decay),
      by("newton_schulz",
         {
             REFUSED(graph, optim::newton_schulz({}, 5), "the matrix is undefined"),
             REFUSED(shape, optim::newton_schulz(zeros({3}), 5), "needs a matrix, got shape [3]"),
             REFUSED(shape, optim::newton_schulz(zeros({3, 2, 2}), 5), "needs a matrix, got shape [3, 2, 2]"),
             REFUSED(dtype, optim::newton_schulz(zeros({3, 2}, DType::i64), 5), "needs f32 or f64, got i64"),
             REFUSED(dtype, optim::newton_schulz(zeros({3, 2}, DType::f16), 5), "needs f32 or f64, got f16"),
             REFUSED(value, optim::newton_schulz(matrix, 0), "iterations must be positive, got 0"),
             REFUSED(value, optim::newton_schulz(matrix, -1), "iterations must be positive, got -1"),
             REFUSED(value, optim::newton_schulz(matrix, INT64_MAX), "iterations must be at most 100"),
         }),
  };
}

}  // namespace

TEST_CASE("clipping, averages and groups refuse what does not fit, and every gradient, average and parameter stays as it was") {
  const BadCalls rows{of_clipping(), of_averages(), of_groups()};
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
