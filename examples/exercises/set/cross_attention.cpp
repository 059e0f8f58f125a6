#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/cross_attention.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_cross_attention {
namespace {

struct Weights {
  explicit Weights(const Probe& p) : q(tensor_of(p["w_q"])), k(tensor_of(p["w_k"])), v(tensor_of(p["w_v"])), o(tensor_of(p["w_o"])) {}
  Tensor q, k, v, o;
};

Tensor words_of(const Probe& p) { return cast(tensor_of(p["is_word"]), DType::i64); }

// A gradient, or zeros where the input was not used, or where rounding alone has left something.
Array gradient(const std::string& name, const Tensor& dx, const Array& x) {
  const Array zeros = array(name, x.shape, std::vector<double>(x.numbers.size()));
  if (!dx.defined()) return zeros;
  const Array found = array(name, x.shape, checked(name, dx, x.shape).numbers);
  return largest(found) < 1e-12 ? zeros : found;
}

// The value, and the gradients of x and memory, of what the student's function, or another, makes of them.
template <typename F> Outputs outputs_of(const Probe& p, const F& f) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad(), memory = tensor_of(p["memory"]).set_requires_grad();
  const Tensor y = f(x, memory);
  check_unchanged(p, "x", x);
  check_unchanged(p, "memory", memory);
  const Array value = checked("y", y, p["x"].shape);
  if (!y.requires_grad()) throw GradientCut{"x"};
  const Tensors gradients = grad({y}, {x, memory}, {.seeds = {tensor_of(p["g"])}, .allow_unused = true});
  return {value, gradient("dL/dx", gradients[0], p["x"]), gradient("dL/dmemory", gradients[1], p["memory"])};
}

Outputs right_attention(const Probe& p) {
  return outputs_of(p, [&](const Tensor& x, const Tensor& memory) {
    const Weights w(p);
    const int64_t heads = p.whole("heads");
    const auto apart = [&](const Tensor& all) { return reshape(all, {1, all.size(0), heads, all.size(1) / heads}); };
    const Tensor mask = reshape(words_of(p), {1, 1, 1, memory.size(0)});
    const Tensor y = nn::attention(apart(matmul(x, w.q)), apart(matmul(memory, w.k)), apart(matmul(memory, w.v)), {.mask = mask});
    return matmul(reshape(y, {x.size(0), x.size(1)}), w.o);
  });
}

Probe probe(const std::string& name, int target, const std::vector<double>& is_word, int heads, int d, std::uint64_t seed) {
  const int source = static_cast<int>(is_word.size()), model = heads * d;
  const double size = 1.2 / std::sqrt(model);
  const auto weight = [&](const char* of, std::uint64_t i) { return drawn(of, {model, model}, seed + i, size, 0.1); };
  return {name,
          {drawn("x", {target, model}, seed, 1.3, 0.3), drawn("memory", {source, model}, seed + 1, 1.3, -0.4), weight("w_q", 2),
           weight("w_k", 3), weight("w_v", 4), weight("w_o", 5), array("is_word", {source}, is_word), number("heads", heads),
           drawn("g", {target, model}, seed + 6, 1, 0.3)}};
}

// Keys that differ in length alone. The first two places ask with a long x and with −x: one of them has scores far above 0 for all
// words, the other one far below.
Probe with_large_scores(Probe p) {
  Array &x = p.inputs[0], &memory = p.inputs[1];
  const auto n = static_cast<std::size_t>(columns_of(x));
  for (std::size_t i = 0; i < n; ++i) x.numbers[i] *= 1e4, x.numbers[n + i] = -x.numbers[i];
  for (std::size_t i = n; i < memory.numbers.size(); ++i)
    memory.numbers[i] = memory.numbers[i % n] * (1 + 0.25 * static_cast<double>(i / n));
  return p;
}

std::string padding_gets_nothing(const Probe& p, const Outputs& outputs) {
  const In dm = in(outputs[2]);
  for (int s = 0; s < dm.rows; ++s) {
    for (int c = 0; c < dm.columns; ++c) {
      if (p["is_word"].numbers[static_cast<std::size_t>(s)] == 0 && dm[s][c] != 0)
        return fmt::format("row {} is padding, and gets {:.4g}", s, dm[s][c]);
    }
  }
  return "";
}

std::string one_word_says_all(const Probe& p, const Outputs& outputs) {
  double words = 0;
  for (double one : p["is_word"].numbers) words += one;
  const In y = in(outputs[0]);
  for (int t = 1; words == 1 && t < y.rows; ++t) {
    for (int c = 0; c < y.columns; ++c) {
      if (!(std::abs(y[t][c] - y[0][c]) <= 1e-9 * (1 + std::abs(y[0][c])))) {
        return fmt::format("y[{}][{}] is {}, y[0][{}] is {}", t, c, beside(y[t][c], y[0][c]), c, beside(y[0][c], y[t][c]));
      }
    }
  }
  return "";
}

}  // namespace
}  // namespace in_cross_attention

Functions cross_attention(CrossAttention* attention) {
  const auto on_probe = [=](const Probe& p) {
    return in_cross_attention::outputs_of(p, [&](const Tensor& x, const Tensor& memory) {
      const in_cross_attention::Weights w(p);
      return attention(x, memory, w.q, w.k, w.v, w.o, in_cross_attention::words_of(p), p.whole("heads"));
    });
  };
  return {Written<CrossAttention>{attention, on_probe}};
}

Exercise cross_attention_exercise() {
  using namespace in_cross_attention;
  return made_cross_attention::exercise({
      {
          .right = right_attention,
          .probes = {probe("three places ask three, with padding in between", 3, {1, 0, 1}, 2, 2, 2741),
                     probe("two places ask three, the last of which is padding", 2, {1, 1, 0}, 2, 2, 2701),
                     probe("four places ask seven, with padding between words", 4, {1, 0, 1, 1, 0, 1, 0}, 3, 2, 2711),
                     probe("five places ask three, with padding in between", 5, {1, 0, 1}, 2, 4, 2721),
                     probe("three places ask four, of which one is a word", 3, {1, 0, 0, 0}, 2, 5, 2731),
                     with_large_scores(
                         probe("four places ask six, two of them with scores in the thousands", 4, {1, 1, 0, 1, 0, 1}, 1, 6, 2751))},
          .laws = {{"nobody reads padding, so it gets no gradient", padding_gets_nothing,
                    "Which weight should a place of padding have, and how do you make it so?"},
                   {"if there is but one word to read, all places read the same", one_word_says_all,
                    "Which weight has the only word, for every place that asks?"}},
      },
  });
}

}  // namespace gradus::exercises::set
