#include "examples/exercises/in_place/put.h"

#include <algorithm>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/set/block.h"

namespace gradus::exercises::put {
namespace {

// All gradients below each other, [parameters, n]: what is shorter ends with zeros.
Tensor rows_of_gradients(const Tensors& parameters) {
  int64_t longest = 0;
  for (const Tensor& p : parameters) longest = std::max(longest, p.numel());
  Tensors rows;
  for (const Tensor& p : parameters) rows.push_back(cat({flatten(p.grad()), zeros({longest - p.numel()}, DType::f64)}, 0));
  return stack(rows);
}

}  // namespace

// One block of each kind.
void block(Parts& parts, const Functions& mine) {
  set::PlacedDeep* const deep = own<set::PlacedDeep>(mine[2]);
  const auto with_alpha = [=](const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2) {
    return deep(x, f1, f2, norm1, norm2, kAlpha);
  };
  parts.blocks = {own<set::Placed>(mine[0]), own<set::Placed>(mine[1]), with_alpha};
}

void cross_entropy(Parts& parts, const Functions& mine) {
  parts.loss = [=](const Tensor& scores, const Tensor& targets) {
    const Array target = array_of("target", targets), smoothing = number("smoothing", 0);
    const Tensor y = called(mine[0], {array_of("z", scores), target, smoothing})[0];
    return record_joint("cross_entropy", reshape(y, Shape{}), {scores}, [=](const Step& s) {
      return called(mine[1], {number("g", s.grad.item()), array_of("z", s.input(0)), target, smoothing});
    });
  };
}

void adamw(Parts& parts, const Functions& mine) {
  parts.descent.optimize = [=](Optimized& p, int t, double lr) {
    const Tensors after = called(mine[1], {array_of("theta", p.value), array_of("g", p.value.grad()), array_of("m", p.m), array_of("v", p.v),
                                           number("t", t), array("lr, decay", {1, 2}, {lr, 0.1}), array("betas", {1, 2}, {0.9, 0.95}),
                                           number("eps", kEps)});
    p.value.assign(after[0]);
    p.m = after[1];
    p.v = after[2];
  };
}

void clip_and_schedule(Parts& parts, const Functions& mine) {
  parts.descent.clip = [=](const Tensors& parameters, double most) {
    const Tensor clipped = called(mine[0], {array_of("g", rows_of_gradients(parameters)), number("most", most)})[1];
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Tensor row = clipped[static_cast<int64_t>(i)];
      parameters[i].set_grad(reshape(slice(row, 0, 0, parameters[i].numel()), parameters[i].shape()));
    }
  };
  parts.descent.rate = [=](int t, int warmup, int total, double high, double low) {
    const Array steps = array("warmup, total", {1, 2}, {static_cast<double>(warmup), static_cast<double>(total)});
    return called(mine[1], {array("t", {1, 1}, {static_cast<double>(t)}), steps, array("high, low", {1, 2}, {high, low})})[0].item();
  };
}

void sampling(Parts& parts, const Functions& mine) {
  parts.next = [=](const Tensor& scores, const std::vector<int>& seen) {
    const Array come = array("seen", {static_cast<int>(seen.size())}, {seen.begin(), seen.end()});
    const Tensor penalized = called(mine[0], {array_of("scores", scores), come, number("penalty", 1.1)})[0];
    return called(mine[3], {array_of("scores", penalized), number("temperature", 0.8), number("k", 20), number("top_p", 0.9)})[0];
  };
}

}  // namespace gradus::exercises::put
