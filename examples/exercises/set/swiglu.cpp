#include "examples/exercises/set/swiglu.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/activation/gelu.h"
#include "nn/activation/softmax.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/feed_forward.h"
#include "nn/feed_forward/gate.h"

namespace gradus::exercises::set {
namespace in_swiglu {
namespace {

// y, and what comes back to each input: nothing is zeros.
template <typename F> Outputs outputs_of(const Probe& p, const F& f) {
  const std::vector<std::string> names = {"x", "w1", "w2", "w3"};
  Tensors inputs;
  for (const std::string& name : names) inputs.push_back(tensor_of(p[name]).set_requires_grad());
  const Tensor y = f(inputs[0], inputs[1], inputs[2], inputs[3]);
  for (std::size_t i = 0; i < names.size(); ++i) check_unchanged(p, names[i], inputs[i]);
  Outputs outputs = {checked("y", y, p["x"].shape)};
  if (!y.requires_grad()) throw GradientCut{"x"};
  const Tensors grads = grad({y}, inputs, {.seeds = {tensor_of(p["g"])}, .allow_unused = true});
  for (std::size_t i = 0; i < names.size(); ++i) {
    outputs.push_back(array_of("dL/d" + names[i], grads[i].defined() ? grads[i] : zeros_like(inputs[i])));
  }
  return outputs;
}

enum Wrong { silu_of_product, exchanged, no_gate, no_silu, sigmoid_gate, relu_gate, gelu_gate, softmax_gate, silu_of_both, plus_for_times,
             w1_twice, w3_twice, residual, gate_cut, silu_at_end, of_minus, gate_unused, silu_of_x, value_cut, sigmoid_cut, tanh_gate };

Tensor wrong_swiglu(Made made, const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
  Tensor a = nn::linear(made[silu_of_x] ? nn::act::silu(x) : x, made[w3_twice] ? w3 : w1), b = nn::linear(x, made[w1_twice] ? w1 : w3);
  if (made[exchanged]) std::swap(a, b);
  if (made[gate_cut]) a = a.detach();
  const auto f = [&](const Tensor& t) {
    if (made[no_silu] || made[silu_of_x]) return t;
    if (made[sigmoid_cut]) return t * sigmoid(t.detach());
    if (made[tanh_gate]) return tanh(t);
    if (made[sigmoid_gate]) return sigmoid(t);
    if (made[relu_gate]) return relu(t);
    if (made[gelu_gate]) return nn::act::gelu(t);
    if (made[of_minus]) return t * sigmoid(-t);
    return made[softmax_gate] ? nn::softmax(t) : nn::act::silu(t);
  };
  if (made[silu_of_both]) b = f(b);
  if (made[value_cut]) b = b.detach();
  if (made[no_gate]) b = ones_like(b);
  if (made[gate_unused]) return nn::linear(b, w2);
  if (made[silu_at_end]) return f(nn::linear(a * b, w2));
  const Tensor y = nn::linear(made[silu_of_product] ? f(a * b) : made[plus_for_times] ? f(a) + b : f(a) * b, w2);
  return made[residual] ? x + y : y;
}

Outputs value_with(const Probe& p, Made made) {
  return outputs_of(p, [&](const auto&... inputs) { return wrong_swiglu(made, inputs...); });
}

enum WrongGradient { held_constant, prime_alone, value_for_slope, of_output, without_b, db_is_a, db_is_sigmoid, db_is_prime, both_exchanged,
                     without_g, prime_without_a, slope_of_product, bracket_early, second_negated, without_one_minus, db_with_b, sigmoid_of_b, da_without_g, db_without_g, y_in_slope, y_for_share };

Outputs gradient_with(const Probe& p, Made made) {
  const In g = p.in("g"), a = p.in("a"), b = p.in("b");
  Array da = p["a"], db = p["b"];
  da.name = made[both_exchanged] ? "dL/db" : "dL/da";
  db.name = made[both_exchanged] ? "dL/da" : "dL/db";
  for (int i = 0; i < a.rows * a.columns; ++i) {
    const auto sigmoid_at = [](double x) { return 1 / (1 + std::exp(-x)); };
    const double u = a.numbers[i], v = b.numbers[i], from = made[without_g] || made[da_without_g] ? 1 : g.numbers[i];
    const double at = made[of_output] ? u * sigmoid_at(u) : made[slope_of_product] ? u * v : u, s = sigmoid_at(made[sigmoid_of_b] ? v : at);
    double slope = s + at * s * (1 - s);
    if (made[bracket_early]) slope = (s + at) * s * (1 - s);
    if (made[second_negated]) slope = s - at * s * (1 - s);
    if (made[without_one_minus]) slope = s * (1 + at);
    if (made[y_in_slope]) slope = s + at * s * (1 - at * s);
    if (made[y_for_share]) slope = at * s + s * (1 - s);
    if (made[held_constant]) slope = s;
    if (made[prime_alone]) slope = at * s * (1 - s);
    if (made[prime_without_a]) slope = s * (1 - s);
    if (made[value_for_slope]) slope = u * s;
    const auto k = static_cast<std::size_t>(i);
    const double own = sigmoid_at(made[sigmoid_of_b] ? v : u), to_b = made[without_g] || made[db_without_g] ? 1 : g.numbers[i] * (made[db_with_b] ? v : 1);
    da.numbers[k] = from * slope * (made[without_b] ? 1 : v);
    db.numbers[k] = to_b * (made[db_is_a] ? u : made[db_is_sigmoid] ? own : made[db_is_prime] ? own + u * own * (1 - own) : u * own);
  }
  return made[both_exchanged] ? Outputs{db, da} : Outputs{da, db};
}

enum WrongWidth { cut_twice, not_cut, whole_division, half, rounded_down, not_rounded, one_more, nearest, rounded_before, ceiling,
                  rounded, third_first, two_thirds_first, sixth_first, by_bits, in_multiples, rest_added, d_rounded, inverted };

Outputs width_with(const Probe& p, Made made) {
  const int d = p.whole("d"), m = p.whole("multiple");
  const auto up = [m](int n) { return (n + m - 1) / m * m; };
  int width = made[whole_division] ? 8 / 3 * d : made[ceiling] ? (8 * d + 2) / 3 : made[rounded] ? (8 * d + 1) / 3 : 8 * d / 3;
  if (made[third_first]) width = d / 3 * 8;
  if (made[two_thirds_first]) width = 2 / 3 * 4 * d;
  if (made[sixth_first]) width = 4 * d / 3 * 2;
  if (made[d_rounded]) return {number("width", 8 * up(d) / 3)};
  if (made[inverted]) width = 3 * d / 8;
  if (made[not_cut]) width = 4 * d;
  if (made[cut_twice]) width = 2 * width / 3;
  if (made[half]) width /= 2;
  if (made[rounded_before]) return {number("width", 2 * up(4 * d) / 3)};
  if (made[by_bits]) return {number("width", (width + m - 1) & ~(m - 1))};
  if (made[in_multiples]) return {number("width", (width + m - 1) / m)};
  if (made[rest_added]) return {number("width", width + width % m)};
  if (made[not_rounded]) return {number("width", width)};
  if (made[nearest]) return {number("width", (width + m / 2) / m * m)};
  return {number("width", made[rounded_down] ? width / m * m : made[one_more] ? (width / m + 1) * m : up(width))};
}

Probe probe(const std::string& name, const Array& x, int h, std::uint64_t seed) {
  const int d = x.shape.back();
  return {name, {x, drawn("w1", {h, d}, seed, 0.8, 0.2), drawn("w3", {h, d}, seed + 1, 0.8, 0.2), drawn("w2", {d, h}, seed + 2, 0.8, 0.2),
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

Outputs right_value(const Probe& p) {
  return outputs_of(p, [](const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
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

std::string is_multiple(const Probe& p, const Outputs& outputs) {
  const double width = outputs[0].numbers[0];
  return std::fmod(width, p.number("multiple")) == 0 ? "" : fmt::format("{} is none of {}", width, p.number("multiple"));
}

std::string as_many_numbers(const Probe& p, const Outputs& outputs) {
  const double d = p.number("d"), width = outputs[0].numbers[0], three = 3 * d * width, two = 8 * d * d;
  if (three > two - 3 * d && three < two + 3 * d * p.number("multiple")) return "";
  return fmt::format("three matrices of {} · {} have {} numbers, and two of {} · {} have {}", d, width, three, d, 4 * d, two);
}

Stage value() {
  return {
      .function = "swiglu",
      .right = right_value,
      .with = value_with,
      .mistakes =
          {
              {silu_of_product, "ffn/silu-of-product", "If W3 is doubled, is y?", "SiLU of the product: silu(W1 x ⊙ W3 x)", "breakdown-minimind#3"},
              {exchanged, "ffn/gate-exchanged", "Which of the two views goes through SiLU?", "the gate is W3 x, and the value W1 x", "mlx-lm PR767"},
              {no_gate, "ffn/no-gate", "How many matrices does y depend on?", "W2 SiLU(W1 x): no gate at all", "timesfm#493"},
              {no_silu, "ffn/gate-without-silu", "If x is doubled, is y four times as large?", "W1 x ⊙ W3 x: SiLU is missing"},
              {sigmoid_gate, "ffn/sigmoid-gate", "Can the gate amplify?", "the gate is σ(W1 x), without its factor W1 x: that is GLU"},
              {relu_gate, "ffn/relu-gate", "Which curve is the gate?", "the gate is ReLU(W1 x): that is ReGLU"},
              {gelu_gate, "ffn/gelu-gate", "Which curve is the gate?", "the gate is GELU(W1 x): that is GeGLU"},
              {softmax_gate, "ffn/softmax-gate", "Do the gates of a token have to sum to 1?", "the gates are a softmax"},
              {silu_of_both, "ffn/silu-of-both", "If W3 is doubled, is y?", "both views go through SiLU", "trident PR101"},
              {plus_for_times, "ffn/plus-for-times", "If the gate is shut, what should be left?",
               "SiLU(W1 x) + W3 x: added, not multiplied", "STGCN-Pytorch#1"},
              {w1_twice, "ffn/w1-twice", "How many matrices does y depend on?", "W1 makes both views"},
              {w3_twice, "ffn/w3-twice", "How many matrices does y depend on?", "W3 makes both views"},
              {residual, "ffn/residual-inside", "What is y if W2 is 0?", "x is added: that is the block's part"},
              {gate_cut, "ffn/gate-cut", "Does the gate learn?", "the gate is taken out of the tape: W1 learns nothing"},
              {silu_at_end, "ffn/silu-at-end", "Where does SiLU stand: before W2, or after it?", "SiLU after W2"},
              {of_minus, "act/silu-of-minus", "Is SiLU of 30 large, or nearly 0?"},
              {gate_unused, "ffn/gate-unused", "How many matrices does y depend on?", "W2 W3 x: the gate is not used"},
              {silu_of_x, "ffn/silu-of-x", "What goes through SiLU: x, or W1 x?", "SiLU of x, before W1"},
              {value_cut, "ffn/value-cut", "y is right. Does W3 learn?", "W3 x is taken out of the tape: W3 learns nothing"},
              {sigmoid_cut, "ffn/sigmoid-cut", "y is right. In how many places does the gate stand, and through which does W1 learn?", "σ(W1 x) is taken out of the tape"},
              {tanh_gate, "ffn/tanh-gate", "Which curve is the gate?", "the gate is tanh(W1 x)"},
          },
      .probes = value_probes(),
      .laws = {{"twice W3 is twice y", doubles_with_w3, "What do you make of x W3 before it multiplies the gate?"},
               {"twice W2 is twice y", doubles_with_w2, "What comes after the product with W2?"},
               {"a token of zeros stays zeros", zeros_stay, "Which of your steps gives something where x is 0?"}},
      .hints = {"If W3 is doubled, what becomes of y? And if W1 is?",
                "Two views of x, both h wide; one of them goes through SiLU; they are multiplied number by number; then W2.",
                "x and y are rows of d numbers, so a weight [h, d] multiplies from the right, transposed: x Wᵀ.",
                "y = W2 (SiLU(W1 x) ⊙ W3 x), with SiLU(a) = a σ(a)."},
  };
}

Stage gradient() {
  return {
      .function = "gate_gradient",
      .right = right_gradient,
      .with = gradient_with,
      .mistakes =
          {
              {held_constant, "ffn/silu-slope-first-term", "a is used twice in a σ(a). Where do both ways arrive?", "the slope of SiLU is σ(a) alone"},
              {prime_alone, "ffn/silu-slope-second-term", "a is used twice in a σ(a). Where do both ways arrive?",
               "the slope of SiLU is a σ′(a) alone"},
              {value_for_slope, "ffn/silu-value-for-slope", "Does a larger a change y by SiLU(a), or by its slope?",
               "SiLU itself stands where its slope should"},
              {of_output, "act/derivative-of-output", "At which point is the derivative taken: at a, or at SiLU(a)?"},
              {without_b, "ffn/gate-gradient-without-b", "How much does a change y where b is 0?", "dL/da lacks b"},
              {db_is_a, "ffn/value-gradient-without-sigmoid", "What multiplies b in y: a, or SiLU(a)?", "dL/db = g ⊙ a"},
              {db_is_sigmoid, "ffn/value-gradient-of-sigmoid", "What multiplies b in y: σ(a), or SiLU(a)?", "dL/db = g ⊙ σ(a)"},
              {db_is_prime, "ffn/value-gradient-of-slope", "What multiplies b in y: SiLU(a), or its slope?", "dL/db = g times the slope of SiLU"},
              {both_exchanged, "ffn/gradients-exchanged", "Which gradient comes first?", "dL/db and dL/da have changed places"},
              {without_g, "act/without-g", "What arrives from above?"},
              {prime_without_a, "ffn/sigmoid-slope-for-silu", "What is the slope of a σ(a), by the product rule?",
               "the slope of σ in place of the slope of SiLU"},
              {slope_of_product, "ffn/slope-of-product", "At which point is the slope of SiLU taken?", "the slope of SiLU at a ⊙ b, not at a"},
              {bracket_early, "act/silu-bracket", "What does σ′ multiply: a, or σ + a?"},
              {second_negated, "act/silu-gradient-sign", "Where a > 0, does a larger gate make SiLU larger?"},
              {without_one_minus, "act/sigmoid-slope-of-sigmoid", "What is the slope of σ far to the right?"},
              {y_in_slope, "act/silu-y-for-sigmoid", "Which factor should be σ(a), and which a σ(a)?"},
              {y_for_share, "act/silu-y-and-slope", "Which of the two terms has the a: that of σ, or that of its slope?"},
              {db_with_b, "ffn/value-gradient-with-b", "y is proportional to b. Does the slope with b depend on b?", "dL/db has a factor b"},
              {sigmoid_of_b, "ffn/sigmoid-of-value", "Which of the two goes through σ: a, or b?", "σ(b), where σ(a) is meant"},
              {da_without_g, "act/without-g", "What arrives from above, and does a get its share of it?"},
              {db_without_g, "act/without-g", "What arrives from above, and does b get its share of it?"},
          },
      .probes = gradient_probes(),
      .laws = {{"y is proportional to b, so dL/db ⊙ b is g ⊙ y", b_proportional, "What does b multiply?"},
               {"a gradient is what a small step of a shows", as_small_steps_of_a, "What is the slope of SiLU, with both of its terms, and what does it multiply?"}},
      .hints = {"b doubled: what becomes of y? And how much does y change with a where b is 0?",
                "A gradient for each factor, number by number. σ(a) is used in both.",
                "y is a product of two factors, so each factor's gradient is g times the other one, and for a also times the slope of SiLU.",
                "dL/db = g ⊙ SiLU(a), dL/da = g ⊙ b ⊙ (σ + a σ (1 − σ)), with σ = σ(a)."},
  };
}

Stage width() {
  return {
      .function = "swiglu_width",
      .right = right_width,
      .with = width_with,
      .mistakes =
          {
              {cut_twice, "ffn/width-cut-twice", "How often is the width cut to two thirds?",
               "two thirds of what is two thirds already", "gpt-neox PR1309"},
              {not_cut, "ffn/width-not-cut", "How many numbers do three matrices of this width have, and how many do two of 4 d?",
               "4 d, as without a gate",
               "ml-engineering#45"},
              {whole_division, "ffn/width-whole-division", "What is 8 / 3 in C++?", "8 / 3 of whole numbers, which is 2"},
              {half, "ffn/width-of-both-halves", "Is the width that of one view, or of both together?",
               "the width is that of both views together", "gpt-neox PR1309"},
              {rounded_down, "ffn/width-rounded-down", "266 in multiples of 64: what is your width, and do all 266 have room in it?", "rounded down to a multiple"},
              {not_rounded, "ffn/width-not-rounded", "Is your width a multiple?", "not rounded to a multiple"},
              {one_more, "ffn/width-one-more", "What happens to a width that is a multiple already?",
               "one multiple too many where the width is a multiple already"},
              {nearest, "ffn/width-nearest", "266 in multiples of 64: what is your width, and do all 266 have room in it?", "rounded to the nearest multiple"},
              {rounded_before, "ffn/width-rounded-before", "Which comes first: the cut to two thirds, or the multiple?",
               "4 d is rounded up, and then cut"},
              {ceiling, "ffn/width-ceiling", "", "8 d / 3 is rounded up before it is rounded to a multiple", "", true},
              {rounded, "ffn/width-nearest-whole", "", "8 d / 3 is rounded to the nearest whole number, not cut", "", true},
              {third_first, "ffn/width-whole-division", "What is 4 / 3 in C++? Which comes first, the product, or the division?"},
              {two_thirds_first, "ffn/width-whole-division", "What is 2 / 3 in C++?"},
              {sixth_first, "ffn/width-whole-division", "4 d / 3 is cut. What does the factor 2 make of what was cut off?"},
              {by_bits, "ffn/width-bits", "Is 19 − 1 all ones in binary, as 64 − 1 is?", "rounded by bits, which is right for powers of 2 alone"},
              {in_multiples, "ffn/width-in-multiples", "266 in multiples of 64: is it 5, or 320?", "the number of multiples, not the width"},
              {rest_added, "ffn/width-rest-added", "266 is 10 above 256. How far is it from the next multiple of 64?", "the remainder is added, where what is missing from the multiple is meant"},
              {d_rounded, "ffn/width-d-rounded", "Which number is to be a multiple: d, or h?", "d is rounded up, and not h"},
              {inverted, "ffn/width-inverted", "Is h larger than d, or smaller?", "3 d / 8, where 8 d / 3 is meant"},
          },
      .probes = width_probes(),
      .laws = {{"the width is a multiple", is_multiple, "How do you round, and when?"},
               {"three matrices have as many numbers as two of 4 d, up to one multiple", as_many_numbers, "Which part of 4 d do three matrices leave for each?"}},
      .hints = {"How many numbers have two matrices of 4 d · d, and three of h · d? What is h, then?",
                "All in int64_t: multiply before you divide. Then the next multiple that is not below it.",
                "Whole division cuts. n and m − 1 more, divided by m, is n / m rounded up.",
                "h = 8 d / 3, cut, then up to a multiple."},
  };
}

}  // namespace
}  // namespace in_swiglu

Functions swiglu(Tensor (*value)(const Tensor&, const Tensor&, const Tensor&, const Tensor&),
                 Tensors (*gate_gradient)(const Tensor&, const Tensor&, const Tensor&), int64_t (*width)(int64_t, int64_t)) {
  return {[=](const Probe& p) { return in_swiglu::outputs_of(p, value); },
          [=](const Probe& p) {
            const Tensor g = tensor_of(p["g"]), a = tensor_of(p["a"]), b = tensor_of(p["b"]);
            const Tensors grads = gate_gradient(g, a, b);
            check_unchanged(p, "g", g);
            check_unchanged(p, "a", a);
            check_unchanged(p, "b", b);
            if (grads.size() != 2) throw WrongShape{"What is returned", fmt::format("of {} tensors", grads.size()), "two"};
            return Outputs{checked("dL/da", grads[0], p["a"].shape), checked("dL/db", grads[1], p["b"].shape)};
          },
          [=](const Probe& p) { return Outputs{number("width", static_cast<double>(width(p.whole("d"), p.whole("multiple"))))}; }};
}

Exercise swiglu_exercise() {
  return {
      .number = 9,
      .id = "swiglu",
      .title = "The SwiGLU layer, its gate and its width",
      .section = "ch03.md#ffn-swiglu",
      .needs = {"activations"},
      .minutes = 30,
      .done = "Twice W3 is twice y: SiLU is around the gate alone. No loss shows it if it is not so.",
      .stages = {in_swiglu::value(), in_swiglu::gradient(), in_swiglu::width()},
      .also = {"ch03.md#ffn-width"},
  };
}

}  // namespace gradus::exercises::set
