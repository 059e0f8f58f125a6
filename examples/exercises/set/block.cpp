#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/block.h"
#include "nn/block/deep_norm.h"
#include "nn/block/norm_placement.h"
#include "nn/block/sinkhorn.h"
#include "nn/norm/rms_norm.h"

namespace gradus::exercises::set {
namespace in_block {
namespace {

// The parts that a probe gives a block: f1(x) = tanh(w1 x), f2(x) = sin(w2 x), and RMSNorm with two gains.
struct Parts {
  explicit Parts(const Probe& p) {
    const auto normed = [&](const char* gain) {
      return [gain = tensor_of(p[gain]), eps = p.number("eps")](const Tensor& x) { return nn::rms_norm(x, gain, eps); };
    };
    f1 = [w = p.number("w1")](const Tensor& x) { return tanh(w * x); };
    f2 = [w = p.number("w2")](const Tensor& x) { return sin(w * x); };
    norm1 = normed("gain1");
    norm2 = normed("gain2");
  }
  Part f1, f2, norm1, norm2;
};

// The value and the gradient of what the student's function, or another, makes of x.
template <typename F> Outputs outputs_of(const Probe& p, const F& f) {
  return with_gradients(p, {"x"}, "y", p["x"].shape, [&](const Tensors& in) { return f(in[0], Parts(p)); });
}

template <typename F> Outputs of_streams(const Probe& p, const F& f) {
  return with_gradients(p, {"h", "a", "b", "y"}, "h'", p["h"].shape,
                        [&](const Tensors& in) { return f(in[0], in[1], in[2], in[3], p.whole("rounds")); });
}

// --- the library's -------------------------------------------------------------------------------------------------------

class PartLayer : public nn::Layer {
 public:
  explicit PartLayer(Part part) : part_(std::move(part)) {}
  void members(nn::Members&) override {}

 private:
  Tensor forward(const Tensor& x) override { return part_(x); }
  Part part_;
};

template <typename P, typename... Scale> Outputs right_with(const Probe& p, const Scale&... scale) {
  return outputs_of(p, [&](const Tensor& x, const Parts& parts) {
    bool is_second = false;
    const auto make_norm = [&]() -> nn::LayerPtr {
      const Part& norm = std::exchange(is_second, true) ? parts.norm2 : parts.norm1;
      return std::make_unique<PartLayer>(norm);
    };
    P placement({make_norm, x.size(-1), {nn::SublayerKind::feed_forward, nn::SublayerKind::feed_forward}, {}}, scale...);
    PartLayer f1(parts.f1), f2(parts.f2);
    return placement(nn::Stream{x}, {nn::Sublayer(f1), nn::Sublayer(f2)}).x;
  });
}

Outputs right_pre(const Probe& p) { return right_with<nn::PreNorm>(p); }
Outputs right_post(const Probe& p) { return right_with<nn::PostNorm>(p); }
Outputs right_deep(const Probe& p) { return right_with<nn::DeepNorm>(p, nn::DeepNormScale{p.number("alpha"), 1}); }

Outputs right_streams(const Probe& p) {
  return of_streams(p, [](const Tensor& h, const Tensor& a, const Tensor& b, const Tensor& y, int64_t rounds) {
    return matmul(nn::formula::sinkhorn(a, rounds), h, {.transpose_a = true}) + unsqueeze(2 * sigmoid(b), -1) * unsqueeze(y, -2);
  });
}

// --- probes and laws -----------------------------------------------------------------------------------------------------

struct Sizes {
  std::vector<int> shape;
  double w1, w2, eps = 1e-5, size = 1.5;
};

Probe probe(const std::string& name, const Sizes& s, std::uint64_t seed, double alpha) {
  const int d = s.shape.back();
  Probe p{name,
          {drawn("x", s.shape, seed, s.size, 0.4), number("w1", s.w1), number("w2", s.w2), drawn("gain1", {d}, seed + 3, 0.5, 1.4),
           drawn("gain2", {d}, seed + 4, 0.5, -0.8), number("eps", s.eps)}};
  if (alpha > 0) p.inputs.push_back(number("alpha", alpha));
  p.inputs.push_back(drawn("g", s.shape, seed + 5, 1, 0.3));
  return p;
}

// With α, if the block has one.
std::vector<Probe> probes(std::uint64_t seed, bool has_alpha) {
  const auto alpha = [&](double value) { return has_alpha ? value : 0; };
  return {probe("two tokens of 3 numbers, f1(x) = tanh(w1 x) and f2(x) = sin(w2 x)", {{2, 3}, 0.7, 1.3}, seed, alpha(1.7)),
          probe("two texts of five tokens, ε = 0.25", {{2, 5, 4}, -1.2, 0.8, 0.25}, seed + 10, alpha(2.3)),
          probe("three texts of four tokens, small x", {{3, 4, 6}, 1.6, -0.9, 1e-3, 0.02}, seed + 20, alpha(0.6)),
          probe("four tokens, and sublayers that give 0", {{4, 3}, 0, 0}, seed + 30, alpha(3.1)),
          probe("three tokens, and an f2 that gives 0", {{3, 4}, 1.1, 0}, seed + 40, alpha(1.9)),
          probe("three tokens, and an f1 that gives 0", {{3, 5}, 0, 0.9}, seed + 50, alpha(1.3))};
}

std::vector<Probe> stream_probes() {
  const auto drawn_probe = [](const std::string& name, int tokens, int streams, int width, double size, int rounds, std::uint64_t seed) {
    return Probe{name,
                 {drawn("h", {tokens, streams, width}, seed, 1.5, 0.4), drawn("a", {tokens, streams, streams}, seed + 1, size),
                  drawn("b", {tokens, streams}, seed + 2), drawn("y", {tokens, width}, seed + 3), number("rounds", rounds),
                  drawn("g", {tokens, streams, width}, seed + 4, 1, 0.3)}};
  };
  return {{"one token, two streams of 2 numbers, 20 rounds that end at thirds",
           {array("h", {1, 2, 2}, {6, 0, 0, 3}), array("a", {1, 2, 2}, {std::log(4), 0, 0, 0}), array("b", {1, 2}, {0, -std::log(3)}),
            array("y", {1, 2}, {-1, 1}), number("rounds", 20), array("g", {1, 2, 2}, {1, 2, -1, 0})}},
          drawn_probe("three tokens, three streams of 4 numbers, one round", 3, 3, 4, 1, 1, 2301),
          drawn_probe("two tokens, four streams of 3 numbers, three rounds, large logits", 2, 4, 3, 2, 3, 2311),
          drawn_probe("four tokens, three streams of 2 numbers, 20 rounds", 4, 3, 2, 0.7, 20, 2321)};
}

// After many rounds the mix is not seen in the sum of the streams.
std::string sum_is_kept(const Probe& p, const Outputs& outputs) {
  if (p.whole("rounds") < 20) return "";
  const Tensor old = sum(tensor_of(p["h"]), {1}), now = sum(tensor_of(outputs[0]), {1});
  const Tensor due = old + unsqueeze(sum(2 * sigmoid(tensor_of(p["b"])), {1}), -1) * tensor_of(p["y"]);
  const double off = max(abs(now - due)).item();
  return off < 1e-4 ? "" : fmt::format("it is {:.4g} off", off);
}

std::string silent_is_identity(const Probe& p, const Outputs& outputs) {
  if (p.number("w1") != 0 || p.number("w2") != 0) return "";
  for (std::size_t i = 0; i < p["x"].numbers.size(); ++i) {
    const double x = p["x"].numbers[i], y = outputs[0].numbers[i];
    if (!(std::abs(y - x) <= 1e-9)) return fmt::format("number {} of x is {}, of y {}", i, beside(x, y), beside(y, x));
  }
  return "";
}

// Without its gain, no row is larger than 1.
std::string rows_are_normed(const Probe& p, const Outputs& outputs) {
  const In y = in(outputs[0]), gain = p.in("gain2");
  for (int i = 0; i < y.rows; ++i) {
    double squares = 0;
    for (int c = 0; c < y.columns; ++c) squares += y[i][c] / gain[0][c] * (y[i][c] / gain[0][c]);
    const double mean = squares / y.columns;
    if (!(mean <= 1 + 1e-9)) return fmt::format("that of row {} is {:.4g}", i, mean);
  }
  return "";
}

// Is y right where this sublayer gives 0, and the other one does not?
std::string right_without(const char* silent, const char* other, const Function& right, const Probe& p, const Outputs& outputs) {
  if (p.number(silent) != 0 || p.number(other) == 0) return "";
  const Array expected = right(p)[0];
  for (std::size_t i = 0; i < expected.numbers.size(); ++i) {
    const double got = outputs[0].numbers[i], is = expected.numbers[i];
    if (!close(got, is, largest(expected))) return fmt::format("number {} of y is {}, not {}", i, beside(got, is), beside(is, got));
  }
  return "";
}

// Which of the two sublayers it is.
std::vector<Law> with_each_alone(std::vector<Law> laws, const Function& right, const std::string& a_alone, const std::string& a_passed_by) {
  laws.push_back({"where f2 gives 0, " + a_alone,
                  [=](const Probe& p, const Outputs& outputs) { return right_without("w2", "w1", right, p, outputs); },
                  "Let f2 give 0, and write your a and your y in terms of x, f1 and the norms. Where do they differ from the formula?"});
  laws.push_back({"where f1 gives 0, " + a_passed_by,
                  [=](const Probe& p, const Outputs& outputs) { return right_without("w1", "w2", right, p, outputs); },
                  "The first sublayer is right. Let f1 give 0: what does your f2 read, to what is its result added, and what is normed?"});
  return laws;
}

}  // namespace
}  // namespace in_block

Functions block(Placed* pre, Placed* post, PlacedDeep* deep,
                Tensor (*mhc)(const Tensor&, const Tensor&, const Tensor&, const Tensor&, int64_t)) {
  using in_block::of_streams, in_block::outputs_of, in_block::Parts;
  const auto placed = [](Placed* block) {
    return Written<Placed>{block, [=](const Probe& p) {
                             return outputs_of(
                                 p, [&](const Tensor& x, const Parts& with) { return block(x, with.f1, with.f2, with.norm1, with.norm2); });
                           }};
  };
  const auto placed_deep = [=](const Probe& p) {
    const double alpha = p.number("alpha");
    return outputs_of(p, [&](const Tensor& x, const Parts& with) { return deep(x, with.f1, with.f2, with.norm1, with.norm2, alpha); });
  };
  return {placed(pre), placed(post), Written<PlacedDeep>{deep, placed_deep}, [=](const Probe& p) { return of_streams(p, mhc); }};
}

Exercise block_exercise() {
  using namespace in_block;
  return made_block::exercise({
      {
          .right = right_pre,
          .probes = probes(2001, false),
          .laws = with_each_alone({{"where f1 and f2 give 0, a pre-norm block leaves x as it is", silent_is_identity,
                                    "By which way does x reach y, if f1 and f2 say nothing?"}},
                                  right_pre, "y is a, which is x + f1(norm1(x))", "a is x, and y is x + f2(norm2(x))"),
      },
      {
          .right = right_post,
          .probes = probes(2101, false),
          .laws = with_each_alone({{"without the gain of norm2, no row of y has a mean square above 1", rows_are_normed,
                                    "What is the last thing that happens to y?"}},
                                  right_post, "y is norm2(a), with a = norm1(x + f1(x))", "a is norm1(x), and y is norm2(a + f2(a))"),
      },
      {
          .right = right_deep,
          .probes = probes(2201, true),
          .laws =
              with_each_alone({{"without the gain of norm2, no row of y has a mean square above 1", rows_are_normed,
                                "What is the last thing that happens to y?"}},
                              right_deep, "y is norm2(α a), with a = norm1(α x + f1(x))", "a is norm1(α x), and y is norm2(α a + f2(a))"),
      },
      {
          .right = right_streams,
          .probes = stream_probes(),
          .laws = {{"after many rounds the sum of the streams grows by Σ w_k times y, and by nothing else", sum_is_kept,
                    "To what do the rows of M sum, and how much of y does a stream get at b = 0?"}},
      },
  });
}

}  // namespace gradus::exercises::set
