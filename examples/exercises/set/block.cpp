#include "examples/exercises/set/block.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/block/deep_norm.h"
#include "nn/block/norm_placement.h"
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
  const Tensor x = tensor_of(p["x"]).set_requires_grad();
  const Tensor y = f(x, Parts(p));
  check_unchanged(p, "x", x);
  const Array value = checked("y", y, p["x"].shape);
  if (!y.requires_grad()) throw GradientCut{"x"};
  const Array dx = checked("x", grad({y}, {x}, {.seeds = {tensor_of(p["g"])}, .allow_unused = true})[0], p["x"].shape);
  return {value, array("dL/dx", dx.shape, dx.numbers)};
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

// --- with mistakes: the first fourteen are those of every block, the others those of one kind ---------------------------------

enum Wrong { wrong_norm, norms_exchanged, sublayers_exchanged, first_twice, x_plus_x, first_input, reads_first, no_residual, first_subtracted, second_subtracted,
             first_lost, second_lost, first_bare, second_bare, own };

// One of the two sublayers, as a step sees it.
struct Step {
  Tensor x, read;  // the stream, and what f reads of it
  Tensor first;    // the block's input
  Part f, norm;
  bool is_second;
};

// The residual connection, with what the stream is added as.
Tensor residual(const Step& s, const Tensor& stream, const Tensor& y, Made made) {
  if (made[no_residual] || made[s.is_second ? second_bare : first_bare]) return y;
  if (made[s.is_second ? second_lost : first_lost]) return stream;
  if (made[s.is_second ? second_subtracted : first_subtracted]) return stream - y;
  if (made[x_plus_x]) return y + y;
  return (s.is_second && made[first_input] ? s.first : stream) + y;
}

template <typename F> Outputs with(const Probe& p, Made made, const F& step) {
  return outputs_of(p, [&](const Tensor& x, const Parts& parts) {
    const bool turned = made[sublayers_exchanged], twice = made[first_twice];
    const Part &f1 = turned ? parts.f2 : parts.f1, &f2 = turned != twice ? parts.f1 : parts.f2;
    const Part &norm1 = made[norms_exchanged] ? parts.norm2 : parts.norm1;
    const Part &norm2 = made[norms_exchanged] != made[wrong_norm] ? parts.norm1 : parts.norm2;
    const Tensor a = step(Step{x, x, x, f1, norm1, false});
    return step(Step{a, made[reads_first] ? x : a, x, f2, norm2, true});
  });
}

enum WrongPre { after_norm = own, second_after_norm, not_normed, normed_behind, post, first_alone_normed, last_normed, first_after_norm, first_normed_behind, second_normed_behind };

Outputs pre_with(const Probe& p, Made made) {
  return with(p, made, [&](const Step& s) {
    const bool behind = made[normed_behind] || made[s.is_second ? second_normed_behind : first_normed_behind];
    const bool bare = made[not_normed] || behind || made[post] || (s.is_second && made[first_alone_normed]);
    const bool normed = made[after_norm] || made[s.is_second ? second_after_norm : first_after_norm];
    const Tensor y = s.f(bare ? s.read : s.norm(s.read));
    const Tensor sum = residual(s, normed ? s.norm(s.x) : s.x, behind ? s.norm(y) : y, made);
    return made[post] || (s.is_second && made[last_normed]) ? s.norm(sum) : sum;
  });
}

enum WrongPost { pre = own, sum_of_normed, not_normed_again, first_not_normed, normed_twice, added_behind, normed_before_too, first_of_normed, second_of_normed };

Outputs post_with(const Probe& p, Made made) {
  return with(p, made, [&](const Step& s) {
    const bool before = made[pre] || made[normed_before_too];
    const Tensor y = s.f(before ? s.norm(s.read) : s.read);
    const bool of_normed = made[sum_of_normed] || made[s.is_second ? second_of_normed : first_of_normed];
    const Tensor sum = residual(s, s.x, of_normed ? s.norm(y) : y, made);
    const bool bare = made[pre] || of_normed || made[s.is_second ? not_normed_again : first_not_normed];
    const Tensor z = bare ? sum : s.norm(sum);
    const Tensor last = s.is_second && made[normed_twice] ? s.norm(z) : z;
    return made[added_behind] ? s.x + last : last;
  });
}

enum WrongDeep { alpha_on_f = own, alpha_on_both, alpha_lost, alpha_read, alpha_once, alpha_divides, alpha_behind, f_normed, alpha_squared,
                 alpha_rooted, alpha_second_alone };

double alpha_of(const Probe& p, Made made) {
  const double alpha = p.number("alpha"), power = (made[alpha_squared] ? 2 : 1) * (made[alpha_rooted] ? 0.5 : 1);
  return std::pow(alpha, made[alpha_divides] ? -power : power);
}

Outputs deep_with(const Probe& p, Made made) {
  const double alpha = alpha_of(p, made);
  return with(p, made, [&](const Step& s) {
    const bool none = made[alpha_lost] || made[alpha_behind] || made[s.is_second ? alpha_once : alpha_second_alone];
    const bool on_x = !none && (!made[alpha_on_f] || made[alpha_on_both]), on_f = !none && (made[alpha_on_f] || made[alpha_on_both]);
    const Tensor f = s.f(made[alpha_read] ? alpha * s.read : s.read), y = made[f_normed] ? s.norm(f) : f;
    Step louder = s;
    if (on_x) louder.first = alpha * s.first;
    const Tensor sum = residual(louder, on_x ? alpha * s.x : s.x, on_f ? alpha * y : y, made);
    const Tensor z = made[f_normed] ? sum : s.norm(sum);
    return made[alpha_behind] ? alpha * z : z;
  });
}

// --- probes and laws -----------------------------------------------------------------------------------------------------

struct Sizes {
  std::vector<int> shape;
  double w1, w2, eps = 1e-5, size = 1.5;
};

Probe probe(const std::string& name, const Sizes& s, std::uint64_t seed, double alpha) {
  const int d = s.shape.back();
  Probe p{name, {drawn("x", s.shape, seed, s.size, 0.4), number("w1", s.w1), number("w2", s.w2), drawn("gain1", {d}, seed + 3, 0.5, 1.4),
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
  laws.push_back({"where f2 gives 0, " + a_alone, [=](const Probe& p, const Outputs& outputs) { return right_without("w2", "w1", right, p, outputs); },
                  "Let f2 give 0, and write your a and your y in terms of x, f1 and the norms. Where do they differ from the formula?"});
  laws.push_back({"where f1 gives 0, " + a_passed_by, [=](const Probe& p, const Outputs& outputs) { return right_without("w1", "w2", right, p, outputs); },
                  "The first sublayer is right. Let f1 give 0: what does your f2 read, to what is its result added, and what is normed?"});
  return laws;
}

std::vector<Mistake> mistakes(const std::vector<Mistake>& own_ones) {
  std::vector<Mistake> all = {
      {wrong_norm, "block/wrong-norm", "Which parameters get no gradient?", "the first norm stands in the second sublayer, too", "mlx#1636"},
      {norms_exchanged, "block/norms-exchanged", "Which norm belongs to f1?", "norm2 is with f1, and norm1 with f2"},
      {sublayers_exchanged, "block/sublayers-exchanged", "Which sublayer comes first?", "f2 comes before f1"},
      {first_twice, "block/first-sublayer-twice", "Does your block use f2?", "f1 stands in both places"},
      {x_plus_x, "block/x-plus-x", "Let a sublayer give 0: what is left of x?", "x = f(…), then x + x: the stream is overwritten before it is added", "kyegomez/BitNet#32"},
      {first_input, "block/first-input", "What stands in the stream when f2 comes?", "f2's result is added to the block's input, not to what f1 left", "strutive07/transformer-tensorflow2.0#14"},
      {reads_first, "block/second-reads-first-input", "Does f2 see what f1 has added?", "f2 reads the block's input, not what f1 left"},
      {no_residual, "block/no-residual", "Let a sublayer give 0: what is left of x?", "nothing is added to the stream; the sublayers stand one behind the other"},
      {first_subtracted, "block/first-subtracted", "With which sign does f1's result go into the stream?", "what f1 gives is subtracted"},
      {second_subtracted, "block/second-subtracted", "With which sign does f2's result go into the stream?", "what f2 gives is subtracted"},
      {first_lost, "block/first-sublayer-lost", "What does f1 do in your block?", "what f1 gives is not added"},
      {second_lost, "block/second-sublayer-lost", "What does f2 do in your block?", "what f2 gives is not added"},
      {first_bare, "block/first-without-stream", "Let f1 give 0: what is left of x?", "a is made of f1's result alone"},
      {second_bare, "block/second-without-stream", "Let f2 give 0: what is left of a?", "y is made of f2's result alone"},
  };
  all.insert(all.end(), own_ones.begin(), own_ones.end());
  return all;
}

Stage pre_stage() {
  return {
      .function = "pre_norm",
      .right = right_pre,
      .with = pre_with,
      .mistakes = mistakes({
          {after_norm, "block/residual-after-norm", "Let f1 and f2 give 0: what should y be, and what is yours?", "x = norm(x), then x + f(x): the stream is normed as well", "pytorch#61165, burn PR1054, faster-trajectory-transformer#3, RiNALMo#9"},
          {second_after_norm, "block/second-residual-after-norm", "Let f2 give 0: what should y be, and what is yours?", "a = norm2(a), then a + f2(a): the stream is normed between the sublayers", "Compact-Transformers#25"},
          {not_normed, "block/sublayer-not-normed", "How large is what f1 reads, if x is a hundred times as large?", "x + f(x), without a norm"},
          {normed_behind, "block/norm-behind-sublayer", "What does f1 read?", "x + norm(f(x)): what f gives is normed, not what it reads"},
          {post, "block/post-for-pre", "Let f1 and f2 give 0: what should y be, and what is yours?", "norm(x + f(x)), which is post-norm"},
          {first_alone_normed, "block/second-not-normed", "How large is what f2 reads, if x is a hundred times as large?", "f2 reads the stream without a norm"},
          {last_normed, "block/norm-at-the-end", "Let f1 and f2 give 0: what should y be, and what is yours?", "the block's result is normed; a final norm comes once, behind the last block"},
          {first_after_norm, "block/first-residual-after-norm", "Let f1 give 0: what should a be, and what is yours?", "x = norm1(x), then x + f1(x): the stream is normed before the first sublayer"},
          {first_normed_behind, "block/first-norm-behind-sublayer", "What does f1 read?", "x + norm1(f1(x)): the first norm is of what f1 gives, not of what it reads"},
          {second_normed_behind, "block/second-norm-behind-sublayer", "What does f2 read?", "a + norm2(f2(a)): the second norm is of what f2 gives, not of what it reads"},
      }),
      .probes = probes(2001, false),
      .laws = with_each_alone({{"where f1 and f2 give 0, a pre-norm block leaves x as it is", silent_is_identity, "By which way does x reach y, if f1 and f2 say nothing?"}},
                              right_pre, "y is a, which is x + f1(norm1(x))", "a is x, and y is x + f2(norm2(x))"),
      .hints = {"Let f1 and f2 give 0. What is y?",
                "Two sublayers, one after the other: what the first leaves is all that the second knows, both what it reads and what it adds to.",
                "There is a way from x to y on which nothing stands but sums.",
                "One sublayer makes x + f(norm(x)) of the stream x. The second does the same with the first one's result, with f2 and norm2."},
  };
}

Stage post_stage() {
  return {
      .function = "post_norm",
      .right = right_post,
      .with = post_with,
      .mistakes = mistakes({
          {pre, "block/pre-for-post", "What is normed here: what f reads, or the sum?", "x + f(norm(x)), which is pre-norm", "annotated-transformer#92, d2l-en#803"},
          {sum_of_normed, "block/norm-behind-sublayer-only", "What is normed here: what f gives, or the sum?", "x + norm(f(x))"},
          {not_normed_again, "block/last-norm-missing", "How large are the rows of y?", "the second sum is not normed"},
          {first_not_normed, "block/first-norm-missing", "How large is what f2 reads?", "the first sum is not normed"},
          {normed_twice, "block/two-norms-at-the-end", "How many norms follow the second sum?", "y is normed twice", "pytorch#50086"},
          {added_behind, "block/added-behind-norm", "Which comes first, the sum or the norm?", "x + norm(x + f(x)): x is added once more, behind the norm"},
          {normed_before_too, "block/normed-before-too", "What does f1 read?", "norm(x + f(norm(x)))"},
          {first_of_normed, "block/first-sum-of-normed", "What does norm1 read: what f1 gives, or the sum?", "a = x + norm1(f1(x))"},
          {second_of_normed, "block/second-sum-of-normed", "What does norm2 read: what f2 gives, or the sum?", "y = a + norm2(f2(a))"},
      }),
      .probes = probes(2101, false),
      .laws = with_each_alone({{"without the gain of norm2, no row of y has a mean square above 1", rows_are_normed, "What is the last thing that happens to y?"}},
                              right_post, "y is norm2(a), with a = norm1(x + f1(x))", "a is norm1(x), and y is norm2(a + f2(a))"),
      .hints = {"Let f1 and f2 give 0. How often is x normed on its way to y?",
                "f reads the stream as it is. The norm comes after the sum, and what it gives is the new stream.",
                "Every way from x to y goes through both norms, and norm2 is the last thing that happens.",
                "One sublayer makes norm(x + f(x)) of the stream x. The second does the same with the first one's result, with f2 and norm2."},
  };
}

Stage deep_stage() {
  return {
      .function = "deep_norm",
      .right = right_deep,
      .with = deep_with,
      .mistakes = mistakes({
          {alpha_on_f, "block/deepnorm-alpha-on-f", "Which of the two should be louder, the stream or what is added?", "norm(x + α f(x)): α multiplies what is added, not the stream", "labml deep_norm:112"},
          {alpha_on_both, "block/alpha-on-both", "What does a norm make of a sum that is α times as large?", "norm(α (x + f(x))): the norm divides α out again"},
          {alpha_lost, "block/alpha-missing", "Where is α in your sum?", "norm(x + f(x)), which is post-norm"},
          {alpha_read, "block/sublayer-reads-alpha-x", "What does f1 read?", "f reads α x, not x"},
          {alpha_once, "block/alpha-once", "To how many sums does α belong?", "the second sum is without α"},
          {alpha_divides, "block/alpha-divides", "Should the stream be louder, or quieter?", "x / α + f(x)"},
          {alpha_behind, "block/alpha-behind-norm", "What does the norm do to what is α times as large, and what comes behind it?", "α norm(x + f(x))"},
          {f_normed, "block/deepnorm-norms-sublayer", "What is normed here: what f gives, or the sum?", "α x + norm(f(x))"},
          {alpha_squared, "block/alpha-squared", "How often does α multiply the stream?", "α² x + f(x)"},
          {alpha_rooted, "block/alpha-root", "How much louder does α make the stream?", "√α x + f(x)"},
          {alpha_second_alone, "block/alpha-second-alone", "To how many sums does α belong?", "the first sum is without α"},
      }),
      .probes = probes(2201, true),
      .laws = with_each_alone({{"without the gain of norm2, no row of y has a mean square above 1", rows_are_normed, "What is the last thing that happens to y?"}},
                              right_deep, "y is norm2(α a), with a = norm1(α x + f1(x))", "a is norm1(α x), and y is norm2(α a + f2(a))"),
      .hints = {"Which of the two is to be louder: the stream, or what a sublayer adds?",
                "α stands in both sums and nowhere else: f reads the stream as it is.",
                "With α = 1 this is post-norm. With a large α, a sublayer hardly changes what the norm gives.",
                "One sublayer makes norm(α x + f(x)) of the stream x. The second does the same with the first one's result, with f2 and norm2."},
  };
}

}  // namespace
}  // namespace in_block

Functions block(Placed* pre, Placed* post, PlacedDeep* deep) {
  using in_block::outputs_of, in_block::Parts;
  const auto placed = [](Placed* block) {
    return Written<Placed>{block, [=](const Probe& p) {
                             return outputs_of(p, [&](const Tensor& x, const Parts& with) { return block(x, with.f1, with.f2, with.norm1, with.norm2); });
                           }};
  };
  const auto placed_deep = [=](const Probe& p) {
    const double alpha = p.number("alpha");
    return outputs_of(p, [&](const Tensor& x, const Parts& with) { return deep(x, with.f1, with.f2, with.norm1, with.norm2, alpha); });
  };
  return {placed(pre), placed(post), Written<PlacedDeep>{deep, placed_deep}};
}

Exercise block_exercise() {
  return {
      .number = 20,
      .id = "block",
      .title = "The block: pre-norm, post-norm and DeepNorm",
      .section = "ch08.md#block-pre",
      .needs = {"rms-norm", "attention"},
      .minutes = 25,
      .done = "Each of these blocks trains, the wrong ones too: with sublayers that give 0 you see what a loss does not show.",
      .stages = {in_block::pre_stage(), in_block::post_stage(), in_block::deep_stage()},
      .also = {"ch08.md#block-post", "ch08.md#block-deepnorm"},
  };
}

}  // namespace gradus::exercises::set
