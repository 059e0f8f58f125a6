#include "examples/exercises/in_place/put.h"

#include <algorithm>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/set/functions.h"

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

// As pre-norm, the first of the three.
void block(Parts& parts, const Functions& mine) { parts.placement = own<set::Placed>(mine[0]); }

void cross_entropy(Parts& parts, const Functions& mine) {
  parts.loss = [=](const Tensor& scores, const Tensor& targets) {
    const Array target = array_of("target", targets), smoothing = number("smoothing", 0);
    const Tensor y = called(mine[0], {array_of("z", scores), target, smoothing})[0];
    return record_joint("cross_entropy", reshape(y, Shape{}), {scores}, [=](const Step& s) {
      return called(mine[1], {number("g", s.grad.item()), array_of("z", s.input(0)), target, smoothing});
    });
  };
}

// The losses, their sum one by one, and 1/n of it: a tape of single numbers, over which the student's walk goes back.
void the_walk(Parts& parts, const Functions& mine) {
  parts.mean = [walk = mine[0]](const Tensors& losses) {
    const int n = static_cast<int>(losses.size());
    std::vector<double> inputs[2], slopes[2];
    double sum = 0;
    const auto push = [&](double a, double b, double slope_a, double slope_b) {
      inputs[0].push_back(a), inputs[1].push_back(b), slopes[0].push_back(slope_a), slopes[1].push_back(slope_b);
    };
    for (const Tensor& loss : losses) sum += loss.item();
    for (int i = 0; i < n; ++i) push(-1, -1, 0, 0);
    for (int i = 1; i < n; ++i) push(i == 1 ? 0 : n + i - 2, i, 1, 1);
    push(2 * n - 2, -1, 1.0 / n, 0);
    return record_joint("mean", full({}, sum / n, DType::f64), losses, [=](const Step& step) {
      const auto both = [&](const char* name, std::vector<double> first, const std::vector<double>& second) {
        first.insert(first.end(), second.begin(), second.end());
        return array(name, {2, 2 * n}, std::move(first));
      };
      const Tensor found = called(walk, {both("inputs", inputs[0], inputs[1]), both("slopes", slopes[0], slopes[1]), number("y", 2 * n - 1),
                                         array("before", {1, 2 * n}, std::vector<double>(static_cast<std::size_t>(2 * n), 0.5))})[0];
      Tensors gradients;
      for (int i = 0; i < n; ++i) gradients.push_back(step.grad * reshape(slice(found, 1, i, i + 1), Shape{}));
      return gradients;
    });
  };
}

void adamw(Parts& parts, const Functions& mine) {
  parts.descent.optimize = [=](Optimized& p, int t, double lr) {
    const Tensors after =
        called(mine[1], {array_of("theta", p.value), array_of("g", p.value.grad()), array_of("m", p.m), array_of("v", p.v), number("t", t),
                         array("lr, decay", {1, 2}, {lr, 0.1}), array("betas", {1, 2}, {0.9, 0.95}), number("eps", kEps)});
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
  parts.next = [=](const Tensor& scores, const std::vector<int>& seen, double temperature) {
    const std::vector<double> last(seen.end() - std::min<std::ptrdiff_t>(4, static_cast<std::ptrdiff_t>(seen.size())), seen.end());
    const Array come = array("seen", {static_cast<int>(last.size())}, last);
    const Tensor penalized = called(mine[0], {array_of("scores", scores), come, number("penalty", 1.1)})[0];
    return called(mine[3], {array_of("scores", penalized), number("temperature", temperature), number("k", 20), number("top_p", 0.9)})[0];
  };
}

}  // namespace gradus::exercises::put
