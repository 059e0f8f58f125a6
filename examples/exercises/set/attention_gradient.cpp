#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/attention_gradient.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_attention_gradient {
namespace {

Outputs right_gradient(const Probe& p) {
  const auto of = [&](const char* name) { return tensor_of(p[name]).set_requires_grad(); };
  const Tensor q = of("q"), k = of("k"), v = of("v");
  const auto one_head = [](const Tensor& x) { return reshape(x, {1, x.size(0), 1, x.size(1)}); };
  const Tensor y = nn::attention(one_head(q), one_head(k), one_head(v), {.causal = true});
  const Tensors gradients = grad({y}, {q, k, v}, {.seeds = {one_head(tensor_of(p["g"]))}});
  return {array_of("dq", gradients[0]), array_of("dk", gradients[1]), array_of("dv", gradients[2])};
}

struct Sizes {
  int length, d, e;
  double size = 1.3;
};

Probe probe(const std::string& name, const Sizes& s, std::uint64_t seed) {
  return {name,
          {drawn("q", {s.length, s.d}, seed, s.size, 0.3), drawn("k", {s.length, s.d}, seed + 1, s.size, -0.2),
           drawn("v", {s.length, s.e}, seed + 2, 1, 0.4), drawn("g", {s.length, s.e}, seed + 3, 1, -0.3)}};
}

// Is each column's sum over `a` that over `b`? An empty b is 0.
std::string sums_alike(const Array& a, const Array* b) {
  const In of_a = in(a);
  for (int c = 0; c < of_a.columns; ++c) {
    double got = 0, expected = 0, size = 1;
    for (int t = 0; t < of_a.rows; ++t) {
      const double other = b == nullptr ? 0 : in(*b)[t][c];
      got += of_a[t][c], expected += other, size += std::abs(of_a[t][c]) + std::abs(other);
    }
    if (!(std::abs(got - expected) <= 1e-9 * size))
      return fmt::format("column {} sums to {}, not {}", c, beside(got, expected), beside(expected, got));
  }
  return "";
}

std::string keys_sum_to_zero(const Probe&, const Outputs& outputs) { return sums_alike(outputs[1], nullptr); }
std::string values_sum_to_g(const Probe& p, const Outputs& outputs) { return sums_alike(outputs[2], &p["g"]); }

std::string queries_as_keys(const Probe& p, const Outputs& outputs) {
  double by_q = 0, by_k = 0, size = 1;
  for (std::size_t i = 0; i < p["q"].numbers.size(); ++i) {
    const double q = p["q"].numbers[i] * outputs[0].numbers[i], k = p["k"].numbers[i] * outputs[1].numbers[i];
    by_q += q, by_k += k, size += std::abs(q) + std::abs(k);
  }
  return std::abs(by_q - by_k) <= 1e-9 * size ? "" : fmt::format("they are {} and {}", beside(by_q, by_k), beside(by_k, by_q));
}

// Are these outputs right, whatever the others are?
bool are_right(const Probe& p, const Outputs& outputs, std::initializer_list<std::size_t> which) {
  const Outputs right = right_gradient(p);
  return std::all_of(which.begin(), which.end(), [&](std::size_t i) { return equal(outputs[i], right[i]); });
}

std::vector<Piece> pieces() {
  return {
      {"dq", [](const Probe& p, const Outputs& outputs) { return are_right(p, outputs, {1, 2}); },
       "dk is right, and so is dz: only the line that writes dq is left. Which keys are in dq[0], each with which factor? And in dq[1]?"},
      {"dk", [](const Probe& p, const Outputs& outputs) { return are_right(p, outputs, {0, 2}); },
       "dq is right, and so is dz: only the line that writes dk is left. Which queries are in dk[0], each with which factor?"},
      {"dv", [](const Probe& p, const Outputs& outputs) { return are_right(p, outputs, {0, 1}); },
       "The weights are right, so only the line that writes dv is left. Which rows of g are in dv[0], each with which weight?"}};
}

}  // namespace
}  // namespace in_attention_gradient

Functions attention_gradient(void (*gradient)(In, In, In, In, Out, Out, Out)) {
  return {by_names(gradient, {"q", "k", "v", "g", "dq = q", "dk = k", "dv = v"})};
}

Exercise attention_gradient_exercise() {
  using namespace in_attention_gradient;
  Exercise exercise = made_attention_gradient::exercise({
      {
          .right = right_gradient,
          .probes = {probe("three tokens of 2 numbers", {3, 2, 2}, 2501),
                     probe("five tokens of 4 numbers, with values of 3", {5, 4, 3}, 2511),
                     probe("seven tokens of 6 numbers, with values of 2", {7, 6, 2}, 2521),
                     probe("four tokens with large scores", {4, 3, 5, 6}, 2531)},
          .laws = {{"the same step in all keys changes nothing, so the rows of dk sum to 0", keys_sum_to_zero,
                    "Print the sum of each row of your dz. All 0: look at how dz becomes dk. Not 0: look at dz."},
                   {"each query's weights sum to 1, so the rows of dv sum to those of g", values_sum_to_g,
                    "Which index of P do you sum over for dv?"},
                   {"a longer q makes the scores that a longer k makes, so q · dq and k · dk have the same sum", queries_as_keys,
                    "Do dq and dk come from the same dz, with the same factor?"}},
          .pieces = pieces(),
      },
  });
  exercise.stages[0].with = [with = exercise.stages[0].with](const Probe& p, Made made) {
    Outputs outputs = with(p, made);
    for (Array& one : outputs) {  // where a mistake makes all 0, it is 0, and not what rounding leaves
      if (largest(one) < 1e-12) std::fill(one.numbers.begin(), one.numbers.end(), 0.0);
    }
    return outputs;
  };
  return exercise;
}

}  // namespace gradus::exercises::set
