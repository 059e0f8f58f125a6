#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/swiglu.h"
#include "nn/activation/gelu.h"
#include "nn/activation/softmax.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/feed_forward.h"
#include "nn/feed_forward/gate.h"
#include "nn/feed_forward/router.h"

namespace gradus::exercises::set {
namespace in_swiglu {
namespace {

template <typename F> Outputs of_layer(const Probe& p, const F& f) {
  return with_gradients(p, {"x", "w1", "w2", "w3"}, "y", p["x"].shape, [&](const Tensors& in) { return f(in[0], in[1], in[2], in[3]); });
}

template <typename F> Outputs of_clamped(const Probe& p, const F& f) {
  return with_gradients(p, {"a", "b"}, "y", p["a"].shape, [&](const Tensors& in) { return f(in[0], in[1], p.number("limit")); });
}

template <typename F> Outputs of_router(const Probe& p, const F& f) {
  return with_gradients(p, {"z", "b"}, "w", p["z"].shape, [&](const Tensors& in) { return f(in[0], in[1], p.whole("k")); });
}

// No gradient comes to the weights, which only say what was chosen.
template <typename F> Outputs of_balance(const Probe& p, const F& f) {
  return with_gradients(p, {"s"}, "L", {}, [&](const Tensors& in) { return f(in[0], tensor_of(p["w"])); });
}

Probe probe(const std::string& name, const Array& x, int h, std::uint64_t seed) {
  const int d = x.shape.back();
  return {name,
          {x, drawn("w1", {h, d}, seed, 0.8, 0.2), drawn("w3", {h, d}, seed + 1, 0.8, 0.2), drawn("w2", {d, h}, seed + 2, 0.8, 0.2),
           drawn("g", x.shape, seed + 3, 1, 0.3)}};
}

std::vector<Probe> value_probes() {
  Array with_zeros = drawn("x", {3, 2, 3}, 301, 1, 0.3);
  std::fill(with_zeros.numbers.begin() + 3, with_zeros.numbers.begin() + 6, 0.0);
  return {{"one token of 2 numbers, 3 wide",
           {array("x", {1, 1, 2}, {2, -1}), array("w1", {3, 2}, {1, 0, 0, 1, 1, 1}), array("w3", {3, 2}, {0.5, 0, 1, -1, 0, 2}),
            array("w2", {2, 3}, {1, 0, 2, 0, 3, -1}), array("g", {1, 1, 2}, {1, -2})}},
          probe("two texts of five tokens of 4 numbers, 3 wide", drawn("x", {2, 5, 4}, 306, 1.5, 0.2), 3, 307),
          probe("three texts of two tokens of 3 numbers, one of them zeros, 7 wide", with_zeros, 7, 311)};
}

std::vector<Probe> gradient_probes() {
  const auto drawn_probe = [](const std::string& name, const std::vector<int>& shape, std::uint64_t seed) {
    return Probe{name, {drawn("g", shape, seed, 1, 0.3), drawn("a", shape, seed + 1, 2, 0.2), drawn("b", shape, seed + 2, 1.5, 0.3)}};
  };
  return {{"one token of 3 numbers",
           {array("g", {1, 1, 3}, {2, 3, -1}), array("a", {1, 1, 3}, {-2, 0.5, 1}), array("b", {1, 1, 3}, {1, -4, 2})}},
          drawn_probe("two texts of five tokens of 4 numbers", {2, 5, 4}, 321),
          drawn_probe("three texts of two tokens of 7 numbers", {3, 2, 7}, 324)};
}

std::vector<Probe> width_probes() {
  const auto of = [](int d, int multiple) {
    return Probe{fmt::format("{} numbers, in multiples of {}", d, multiple), {number("d", d), number("multiple", multiple)}};
  };
  return {of(4, 1), of(96, 32), of(100, 64), of(1000, 8), of(3200, 256), of(500, 1), of(4096, 256), of(10, 19)};
}

std::vector<Probe> clamped_probes() {
  const auto drawn_probe = [](const std::string& name, const std::vector<int>& shape, double size, double limit, std::uint64_t seed) {
    return Probe{name,
                 {drawn("a", shape, seed, size), drawn("b", shape, seed + 1, size), number("limit", limit), drawn("g", shape, seed + 2)}};
  };
  return {
      {"four numbers, a limit of 2",
       {array("a", {1, 4}, {5, -5, 1, -1}), array("b", {1, 4}, {1, -1.5, 6, -6}), number("limit", 2), array("g", {1, 4}, {1, 2, -1, 3})}},
      drawn_probe("three rows of 5, some beyond a limit of 1.5", {3, 5}, 2, 1.5, 331),
      drawn_probe("two rows of 7, all within a limit of 10", {2, 7}, 1, 10, 334),
      drawn_probe("two rows of 6, most beyond a limit of 7", {2, 6}, 20, 7, 337)};
}

std::vector<Probe> router_probes() {
  const auto drawn_probe = [](const std::string& name, int tokens, int experts, int k, double bias, std::uint64_t seed) {
    return Probe{name,
                 {drawn("z", {tokens, experts}, seed, 1.5), drawn("b", {experts}, seed + 1, bias), number("k", k),
                  drawn("g", {tokens, experts}, seed + 2)}};
  };
  return {
      {"one token, three experts of scores 3/4, 1/2 and 1/4, k = 2, a bias for the third",
       {array("z", {1, 3}, {std::log(3), 0, -std::log(3)}), array("b", {3}, {0, 0, 0.5}), number("k", 2), array("g", {1, 3}, {1, 2, -1})}},
      drawn_probe("six tokens, five experts, k = 2, no biases", 6, 5, 2, 0, 341),
      drawn_probe("eight tokens, six experts, k = 3, with biases", 8, 6, 3, 0.3, 344),
      drawn_probe("five tokens, four experts, all chosen, with biases", 5, 4, 4, 0.2, 347)};
}

Tensor weights_by_library(const Tensor& s, const Tensor& b, int64_t k) {
  const Tensor chosen = nn::formula::chosen_experts(s, b, k);
  return scatter_add(zeros_like(s), 1, chosen, nn::formula::expert_weights(s, chosen, true));
}

std::vector<Probe> balance_probes() {
  const auto drawn_probe = [](const std::string& name, int tokens, int experts, int k, double mean, std::uint64_t seed) {
    const Tensor s = sigmoid(tensor_of(drawn("s", {tokens, experts}, seed, 1.5, mean)));
    return Probe{name, {array_of("s", s), array_of("w", weights_by_library(s, {}, k)), array("g", {}, {1.5})}};
  };
  return {{"two tokens, two experts, both choose the first",
           {array("s", {2, 2}, {0.6, 0.2, 0.5, 0.5}), array("w", {2, 2}, {1, 0, 1, 0}), array("g", {}, {1})}},
          drawn_probe("six tokens, five experts, k = 2", 6, 5, 2, 0, 351),
          drawn_probe("nine tokens, four experts, k = 1, small scores", 9, 4, 1, -3, 354),
          drawn_probe("seven tokens, six experts, k = 3", 7, 6, 3, 0.5, 357)};
}

Outputs right_value(const Probe& p) {
  return of_layer(p, [](const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
    return nn::formula::gated_feed_forward(nn::act::silu, x, w1, {}, w2, w3);
  });
}

Outputs right_gradient(const Probe& p) {
  const Tensor a = tensor_of(p["a"]).set_requires_grad(), b = tensor_of(p["b"]).set_requires_grad();
  const Tensors grads = grad({nn::gate(nn::act::silu, a, b)}, {a, b}, {.seeds = {tensor_of(p["g"])}});
  return {array_of("dL/da", grads[0]), array_of("dL/db", grads[1])};
}

Outputs right_width(const Probe& p) {
  return {number("width", static_cast<double>(nn::feed_forward_width(p.whole("d"), true, p.whole("multiple"))))};
}

Outputs right_clamped(const Probe& p) {
  return of_clamped(p, [](const Tensor& a, const Tensor& b, double limit) {
    const nn::GatedUnit unit = nn::clamped_swiglu(limit);
    return unit.activation.by_formula(a) * unit.value.by_formula(b);
  });
}

Outputs right_weights(const Probe& p) {
  return of_router(p, [](const Tensor& z, const Tensor& b, int64_t k) { return weights_by_library(sigmoid(z), b.detach(), k); });
}

Outputs right_balance(const Probe& p) {
  return of_balance(p, [](const Tensor& s, const Tensor& w) {
    const int64_t k = static_cast<int64_t>(sum(w[0] > 0).item());
    return nn::formula::balance_loss(s, topk(w, k).indices);
  });
}

double dot(const Array& a, const Array& b) { return std::inner_product(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), 0.0); }

// y is proportional to w: Σ w ⊙ dL/dw = Σ g ⊙ y.
std::string proportional(const Probe& p, const Outputs& outputs, const std::string& w, std::size_t at) {
  const double of_w = dot(p[w], outputs[at]), of_y = dot(p["g"], outputs[0]);
  if (std::abs(of_w - of_y) <= 1e-6 * std::abs(of_y)) return "";
  return fmt::format("a step that doubles {} changes Σ g ⊙ y, which is {}, as if by {}", w, beside(of_y, of_w), beside(of_w, of_y));
}

std::string doubles_with_w3(const Probe& p, const Outputs& outputs) { return proportional(p, outputs, "w3", 4); }
std::string doubles_with_w2(const Probe& p, const Outputs& outputs) { return proportional(p, outputs, "w2", 3); }

std::string zeros_stay(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = in(outputs[0]);
  for (int i = 0; i < x.rows; ++i) {
    if (!std::all_of(x[i], x[i] + x.columns, [](double v) { return v == 0; })) continue;
    if (!std::all_of(y[i], y[i] + y.columns, [](double v) { return v == 0; })) return fmt::format("y begins with {:.4g}", y[i][0]);
  }
  return "";
}

std::string b_proportional(const Probe& p, const Outputs& outputs) {
  const std::vector<double>&a = p["a"].numbers, &b = p["b"].numbers;
  const Array y = array_of("y", nn::gate(nn::act::silu, tensor_of(p["a"]), tensor_of(p["b"])));
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double expected = p["g"].numbers[i] * y.numbers[i], got = outputs[1].numbers[i] * b[i];
    if (std::abs(got - expected) <= 1e-9) continue;
    return fmt::format("for a = {:.4g}, b = {:.4g} it is {}, not {}", a[i], b[i], beside(got, expected), beside(expected, got));
  }
  return "";
}

std::string as_small_steps_of_a(const Probe& p, const Outputs& outputs) {
  constexpr double h = 1e-5;
  const Tensor a = tensor_of(p["a"]), b = tensor_of(p["b"]), g = tensor_of(p["g"]);
  const Array difference = array_of("", g * (nn::gate(nn::act::silu, a + h, b) - nn::gate(nn::act::silu, a - h, b)) / (2 * h));
  for (std::size_t i = 0; i < difference.numbers.size(); ++i) {
    const double got = outputs[0].numbers[i], expected = difference.numbers[i];
    if (std::abs(got - expected) < 1e-6) continue;
    return fmt::format("for a = {:.4g}, b = {:.4g}, g = {:.4g} dL/da is {:.6g}, where a step shows {:.6g}", p["a"].numbers[i],
                       p["b"].numbers[i], p["g"].numbers[i], got, expected);
  }
  return "";
}

std::string is_bounded(const Probe& p, const Outputs& outputs) {
  const double limit = p.number("limit"), most = largest(outputs[0]);
  return most <= limit * limit ? "" : fmt::format("y has {:.4g}, and L² is {:.4g}", most, limit * limit);
}

std::string weights_sum_to_1(const Probe&, const Outputs& outputs) {
  const In w = in(outputs[0]);
  for (int i = 0; i < w.rows; ++i) {
    const double sum = std::accumulate(w[i], w[i] + w.columns, 0.0);
    if (!(std::abs(sum - 1) < 1e-9)) return fmt::format("those of token {} sum to {:.9g}", i, sum);
  }
  return "";
}

std::string bias_learns_nothing(const Probe&, const Outputs& outputs) {
  return largest(outputs[2]) == 0 ? "" : fmt::format("it gets {:.4g}", largest(outputs[2]));
}

// The loss does not change if all scores of a token grow alike.
std::string of_shares_alone(const Probe& p, const Outputs& outputs) {
  const In s = p.in("s"), ds = in(outputs[1]);
  for (int i = 0; i < s.rows; ++i) {
    const double change = std::inner_product(s[i], s[i] + s.columns, ds[i], 0.0);
    if (std::abs(change) > 1e-9) return fmt::format("for token {} the gradient says that it changes by {:.4g}", i, change);
  }
  return "";
}

std::string is_multiple(const Probe& p, const Outputs& outputs) {
  const double width = outputs[0].numbers[0];
  return std::fmod(width, p.number("multiple")) == 0 ? "" : fmt::format("{} is none of {}", width, p.number("multiple"));
}

std::string as_many_numbers(const Probe& p, const Outputs& outputs) {
  const double d = p.number("d"), width = outputs[0].numbers[0], three = 3 * d * width, two = 8 * d * d;
  if (three > two - 3 * d && three < two + 3 * d * p.number("multiple")) return "";
  return fmt::format("three matrices of {} · {} have {} numbers, and two of {} · {} have {}", d, width, three, d, 4 * d, two);
}

}  // namespace
}  // namespace in_swiglu

Functions swiglu(Tensor (*value)(const Tensor&, const Tensor&, const Tensor&, const Tensor&),
                 Tensors (*gate_gradient)(const Tensor&, const Tensor&, const Tensor&), int64_t (*width)(int64_t, int64_t),
                 Tensor (*clamped)(const Tensor&, const Tensor&, double), Tensor (*expert_weights)(const Tensor&, const Tensor&, int64_t),
                 Tensor (*balance_loss)(const Tensor&, const Tensor&)) {
  return {[=](const Probe& p) { return in_swiglu::of_layer(p, value); },
          [=](const Probe& p) {
            const Tensor g = tensor_of(p["g"]), a = tensor_of(p["a"]), b = tensor_of(p["b"]);
            const Tensors grads = gate_gradient(g, a, b);
            check_unchanged(p, "g", g);
            check_unchanged(p, "a", a);
            check_unchanged(p, "b", b);
            if (grads.size() != 2) throw WrongShape{"What is returned", fmt::format("of {} tensors", grads.size()), "two"};
            return Outputs{checked("dL/da", grads[0], p["a"].shape), checked("dL/db", grads[1], p["b"].shape)};
          },
          by_names(width, {"d", "multiple"}, "width"),
          [=](const Probe& p) { return in_swiglu::of_clamped(p, clamped); },
          [=](const Probe& p) { return in_swiglu::of_router(p, expert_weights); },
          [=](const Probe& p) { return in_swiglu::of_balance(p, balance_loss); }};
}

Exercise swiglu_exercise() {
  using namespace in_swiglu;
  return made_swiglu::exercise({
      {
          .right = right_value,
          .probes = value_probes(),
          .laws = {{"twice W3 is twice y", doubles_with_w3, "What do you make of x W3 before it multiplies the gate?"},
                   {"twice W2 is twice y", doubles_with_w2, "What comes after the product with W2?"},
                   {"a token of zeros stays zeros", zeros_stay, "Which of your steps gives something where x is 0?"}},
      },
      {
          .right = right_gradient,
          .probes = gradient_probes(),
          .laws = {{"y is proportional to b, so dL/db ⊙ b is g ⊙ y", b_proportional, "What does b multiply?"},
                   {"a gradient is what a small step of a shows", as_small_steps_of_a,
                    "What is the slope of SiLU, with both of its terms, and what does it multiply?"}},
      },
      {
          .right = right_width,
          .probes = width_probes(),
          .laws = {{"the width is a multiple", is_multiple, "How do you round, and when?"},
                   {"three matrices have as many numbers as two of 4 d, up to one multiple", as_many_numbers,
                    "Which part of 4 d do three matrices leave for each?"}},
      },
      {
          .right = right_clamped,
          .probes = clamped_probes(),
          .laws = {{"no number of y is above L²", is_bounded, "Which of the two factors is not bounded, and from which side?"}},
      },
      {
          .right = right_weights,
          .probes = router_probes(),
          .laws = {{"the weights of a token sum to 1", weights_sum_to_1, "By which sum do you divide?"},
                   {"the bias gets no gradient", bias_learns_nothing, "Where in w does the bias stand, besides in the choice?"}},
      },
      {
          .right = right_balance,
          .probes = balance_probes(),
          .laws = {{"a token's scores may all grow alike: its shares stay", of_shares_alone, "What are a token's scores divided by?"}},
      },
  });
}

}  // namespace gradus::exercises::set
