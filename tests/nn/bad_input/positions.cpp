#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// Where an encoding acts, by whose hook it is tried.
enum class Acts { nowhere, on_embedding, on_queries, on_scores };
struct PositionWords {
  const char *row, *who;  // whose name its errors begin with
  Acts acts;
};
const std::vector<PositionWords> kPositionWords{
    {"sinusoidal", "SinusoidalPosition", Acts::on_embedding},
    {"learned", "LearnedPosition", Acts::on_embedding},
    {"rnn", "RecurrentPosition", Acts::on_embedding},
    {"shaw", "ShawPosition", Acts::on_scores},
    {"xl", "TransformerXLPosition", Acts::on_scores},
    {"t5", "T5Position", Acts::on_scores},
    {"rope", "RoPE", Acts::on_queries},
    {"rope-half", "RoPE", Acts::on_queries},
    {"rope-partial", "RoPE", Acts::on_queries},
    {"rope-interpolation", "RoPE", Acts::on_queries},
    {"rope-ntk", "RoPE", Acts::on_queries},
    {"rope-bands", "RoPE", Acts::on_queries},
    {"yarn", "RoPE", Acts::on_queries},
    {"xpos", "XPos", Acts::on_queries},
    {"alibi", "ALiBi", Acts::on_scores},
    {"kerple", "KerplePosition", Acts::on_scores},
    {"kerple-power", "KerplePosition", Acts::on_scores},
    {"fire", "FirePosition", Acts::on_scores},
    {"dynamic-bias", "DynamicPositionBias", Acts::on_scores},
    {"cope", "CoPE", Acts::on_scores},
};

constexpr nn::PositionOptions kSmall{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16};

BadCalls sizes_of(const PositionWords& words) {
  const std::string row = words.row, who = words.who;
  const auto make = [row](const nn::PositionOptions& o) { nn::position_encodings().find(row).value(o); };
  BadCalls rows;
  const std::vector<std::pair<const char*, int64_t nn::PositionOptions::*>> sizes{
      {"d_model", &nn::PositionOptions::d_model}, {"heads", &nn::PositionOptions::heads},
      {"head_dim", &nn::PositionOptions::head_dim}, {"max_length", &nn::PositionOptions::max_length}};
  for (const auto& [name, size] : sizes) {
    const auto make_with = [make, field = size](int64_t value) {
      nn::PositionOptions o = kSmall;
      o.*field = value;
      make(o);
    };
    const std::string call = fmt::format("{} with {}", row, name), size_of_it = fmt::format("{}: {} must be ", who, name);
    rows += bad_sizes(call, {0, -1}, size_of_it + "positive, got ", make_with);
    rows += bad_sizes(call, {INT64_MAX}, size_of_it + "at most 2⁴⁰, got ", make_with);
  }
  return rows;
}

// The calls of the hook at which it acts.
BadCalls inputs_of(const PositionWords& words) {
  const std::string row = words.row, who = words.who;
  const auto encoding = [row] { return nn::position_encodings().find(row).value(kSmall); };
  const Tensor places = arange(3), q = f32({1, 3, 2, 4}), x = f32({1, 3, 8}), none;
  const Tensor far = from_vector(std::vector<int64_t>{0, 1, INT64_MAX}, {3});
  const auto embed = [=](const Tensor& embedding, const Tensor& at) { encoding()->on_embedding(embedding, at); };
  const auto turn = [=](const Tensor& queries, const Tensor& at) { encoding()->on_queries(queries, at); };
  const auto score = [=](const Tensor& a, const Tensor& b, const nn::Positions& at) { encoding()->on_scores(a, b, at, 1); };
  if (words.acts == Acts::on_embedding && row == "rnn") {
    return {{row + " of nothing", [=] { embed(none, places); }, Raises::graph, "Elman: x is undefined"},
            {row + " of another width", [=] { embed(f32({1, 3, 5}), places); }, Raises::shape, "Elman: expected [B, T, 8]"}};
  }
  switch (words.acts) {
    case Acts::on_embedding:
      return {{row + " of nothing", [=] { embed(none, places); }, Raises::graph, who + ": x is undefined"},
              {row + " without positions", [=] { embed(x, none); }, Raises::graph, who + ": positions is undefined"},
              {row + " at f32 positions", [=] { embed(x, f32({3})); }, Raises::dtype, who + ": positions must be i64, got f32"},
              {row + " of another width", [=] { embed(f32({1, 3, 5}), places); }, Raises::shape, who + ": expected x [B, T, 8]"},
              {row + " of one embedding", [=] { embed(f32({1, 1, 8}), places); }, Raises::shape, who + ": expected x [B, T, 8]"},
              {row + " at the largest number", [=] { embed(x, far); }, Raises::value, "9223372036854775807 is beyond the table's 15"},
              {row + " at 16", [=] { embed(x, places + 14); }, Raises::value, who + ": position 16 is beyond the table's 15"},
              {row + " at -1", [=] { embed(x, places - 1); }, Raises::value, who + ": positions count from 0, got -1"}};
    case Acts::on_queries:
      return {{row + " of nothing", [=] { turn(none, places); }, Raises::graph, who + ": x is undefined"},
              {row + " without positions", [=] { turn(q, none); }, Raises::graph, who + ": positions is undefined"},
              {row + " of i64", [=] { turn(i64({1, 3, 2, 4}), places); }, Raises::dtype, who + ": needs a floating dtype"},
              {row + " at f32 positions", [=] { turn(q, f32({3})); }, Raises::dtype, who + ": positions must be i64, got f32"},
              {row + " at the largest number", [=] { turn(q, far); }, Raises::value, "9223372036854775807 is beyond the table's 15"},
              {row + " at 16", [=] { turn(q, places + 14); }, Raises::value, who + ": position 16 is beyond the table's 15"},
              {row + " at -1", [=] { turn(q, places - 1); }, Raises::value, who + ": positions count from 0, got -1"},
              {row + " of two positions for three", [=] { turn(q, arange(2)); }, Raises::shape, "rope: x has shape [1, 3, 2, 4]"}};
    case Acts::on_scores:
      return {{row + " without q", [=] { score(none, q, {places, places}); }, Raises::graph, who + ": q is undefined"},
              {row + " without k", [=] { score(q, none, {places, places}); }, Raises::graph, who + ": k is undefined"},
              {row + " without positions", [=] { score(q, q, {}); }, Raises::graph, who + ": positions is undefined"},
              {row + " at f32 positions", [=] { score(q, q, {places, f32({3})}); }, Raises::dtype, who + ": positions must be i64"},
              {row + " of a vector", [=] { score(f32({4}), q, {places, places}); }, Raises::shape, who + ": expected q [B, T, H, d]"},
              {row + " at a number", [=] { score(q, q, {i64({}), places}); }, Raises::shape, who + ": expected positions [T] or [B, T]"}};
    default: return {};
  }
}

}  // namespace

BadCalls position_calls() {
  BadCalls rows;
  for (const PositionWords& words : kPositionWords) {
    rows += sizes_of(words);
    rows += inputs_of(words);
  }
  rows += REFUSED(value, nn::position_encodings().find("rpoe"), "did you mean 'rope'?");
  return rows;
}

BadCalls position_class_calls() {
  BadCalls rows;
  const auto rope = [](const nn::RopeOptions& o) { nn::RoPE(kSmall, o); };
  rows += bad_values("RoPE with theta", kNotPositive, "RoPE: theta must be finite and positive, got ", [=](double t) { rope({.theta = t}); });
  rows += bad_values("RoPE with a factor", {kNaN, kInfinity, 0.5, -2}, "RoPE: the factor must be finite and at least 1, got ",
                     [=](double factor) { rope({.scaling = nn::RopeScaling::yarn, .factor = factor}); });
  rows += bad_sizes("RoPE with a width", {3, -2}, "RoPE: turns pairs, so the head width must be even, got ",
                    [=](int64_t width) { rope({.width = width}); });
  rows += bad_sizes("RoPE with a trained length", {-1, INT64_MIN}, "RoPE: trained_length must not be negative, got ",
                    [=](int64_t length) { rope({.trained_length = length}); });
  for (const auto& [low, high] : {std::pair{kNaN, 4.0}, {1.0, kNaN}, {-1.0, 4.0}, {4.0, 4.0}, {1.0, kInfinity}}) {
    rows += {fmt::format("RoPE with bands {}, {}", low, high), [=, a = low, b = high] { rope({.low = a, .high = b}); }, Raises::value,
             "RoPE: the bands need 0 <= low < high"};
  }
  rows += bad_sizes("rope_frequencies", {3, 0, -2}, "rope_frequencies: turns pairs, so the head width must be even, got ",
                    [](int64_t width) { nn::rope_frequencies(width, {}, 16); });
  rows += bad_values("rope_frequencies with theta", kNotPositive, "rope_frequencies: theta must be finite and positive, got ",
                     [](double theta) { nn::rope_frequencies(4, {.theta = theta}, 16); });
  rows += bad_values("rope_frequencies trained on", {kNaN, kInfinity, -1}, "the trained length must be finite and not negative, got ",
                     [](double length) { nn::rope_frequencies(4, {}, length); });
  rows += bad_values("rope_relative with theta", {kNaN, 0}, "rope_frequencies: theta must be finite and positive, got ",
                     [](double theta) { nn::formula::rope_relative(f32({4}), f32({4}), 1, theta); });
  using Permutation = std::pair<const char*, Tensor (*)(int64_t)>;
  for (const auto& [name, f] : {Permutation{"halves_from_pairs", nn::halves_from_pairs},
                                Permutation{"pairs_from_halves", nn::pairs_from_halves}}) {
    rows += bad_sizes(name, {3, -2}, std::string(name) + ": the width must be even, got ", f);
  }
  const Tensor x = f32({1, 3, 2, 4}), none;
  const auto turn = [](const Tensor& a, const Tensor& c, const Tensor& s) { nn::rope(a, c, s); };
  rows += {
      REFUSED(graph, turn(none, f32({3, 2}), f32({3, 2})), "rope: x is undefined"),
      REFUSED(graph, turn(x, none, f32({3, 2})), "rope: cosines is undefined"),
      REFUSED(graph, turn(x, f32({3, 2}), none), "rope: sines is undefined"),
      REFUSED(dtype, turn(x, f64({3, 2}), f64({3, 2})), "rope: x is f32, but cosines is f64"),
      REFUSED(shape, turn(x, f32({3, 2}), f32({3, 1})), "rope: x has shape [1, 3, 2, 4]"),
      REFUSED(shape, turn(x, f32({3, 3}), f32({3, 3})), "rope: x has shape [1, 3, 2, 4]"),
      REFUSED(shape, turn(f32({4}), f32({3, 2}), f32({3, 2})), "rope: needs x [B, T, H, d], got [4]"),
  };
  rows += bad_sizes("sine_frequencies", {0, -2}, "sine_frequencies: the width must be positive, got ",
                    [](int64_t width) { nn::formula::sine_frequencies(width); });
  rows += bad_values("sine_frequencies with a base", kNotPositive, "sine_frequencies: the base must be finite and positive, got ",
                     [](double base) { nn::formula::sine_frequencies(4, base); });
  rows += bad_sizes("sinusoidal_shift", {3, 0, -2}, "sinusoidal_shift: the width must be positive and even, got ",
                    [](int64_t width) { nn::formula::sinusoidal_shift(width, 1); });
  rows += bad_sizes("sinusoidal_dot", {3, 0, -2}, "sinusoidal_dot: the width must be positive and even, got ",
                    [](int64_t width) { nn::formula::sinusoidal_dot(width, 1); });
  const auto buckets = [](const nn::T5Options& o) { nn::t5_buckets(arange(3), true, o); };
  rows += bad_sizes("t5_buckets of", {0, 2, 5, -4}, "t5_buckets: needs an even number of at least 4 buckets, got ",
                    [=](int64_t count) { buckets({.buckets = count}); });
  rows += bad_sizes("T5Position of", {0, 2, 5, -4}, "T5Position: needs an even number of at least 4 buckets, got ",
                    [](int64_t count) { nn::T5Position(kSmall, {.buckets = count}); });
  rows += bad_sizes("t5_buckets up to", {16, 0, -1}, "t5_buckets: max_distance must be above 16, half of the buckets, got ",
                    [=](int64_t distance) { buckets({.max_distance = distance}); });
  rows += {
      REFUSED(graph, nn::t5_buckets({}, true), "t5_buckets: offsets is undefined"),
      REFUSED(dtype, nn::t5_buckets(f32({3}), true), "t5_buckets: offsets must be i64, got f32"),
      REFUSED(graph, nn::key_offsets({}), "key_offsets: positions is undefined"),
  };
  rows += bad_sizes("alibi_slopes", {0, -1, 65537, int64_t{1} << 62, INT64_MAX, INT64_MIN}, "needs from 1 to 65536 heads, got ",
                    [](int64_t heads) { nn::alibi_slopes(heads); });
  rows += bad_sizes("ALiBi with heads", {65537}, "alibi_slopes: needs from 1 to 65536 heads, got ",
                    [](int64_t heads) { nn::ALiBi({.d_model = 8, .heads = heads, .head_dim = 4, .max_length = 16}); });
  rows += bad_sizes("ShawPosition with a reach", {0, -1}, "ShawPosition: the reach must be positive, got ",
                    [](int64_t reach) { nn::ShawPosition(kSmall, reach); });
  rows += bad_sizes("ShawPosition with a reach", {INT64_MAX}, "ShawPosition: the reach must be at most 2⁴⁰, got ",
                    [](int64_t reach) { nn::ShawPosition(kSmall, reach); });
  rows += bad_sizes("CoPE", {0, -1}, "CoPE: the number of positions must be positive, got ",
                    [](int64_t count) { nn::CoPE(kSmall, count); });
  rows += bad_sizes("FirePosition with hidden", {0, -1}, "FirePosition: hidden must be positive, got ",
                    [](int64_t hidden) { nn::FirePosition(kSmall, {.hidden = hidden}); });
  rows += bad_values("FirePosition with a threshold", kNotPositive, "FirePosition: the threshold must be finite and positive, got ",
                     [](double threshold) { nn::FirePosition(kSmall, {.threshold = threshold}); });
  rows += bad_sizes("DynamicPositionBias with hidden", {1, 0, -1}, "DynamicPositionBias: a norm needs at least 2 hidden values, got ",
                    [](int64_t hidden) { nn::DynamicPositionBias(kSmall, {.hidden = hidden}); });
  rows += bad_sizes("DynamicPositionBias with depth", {0, -1, 1001, INT64_MAX}, "needs from 1 to 1000 hidden layers, got ",
                    [](int64_t depth) { nn::DynamicPositionBias(kSmall, {.depth = depth}); });
  for (const auto& [name, field] : {std::pair{"theta", &nn::XPosOptions::theta}, {"gamma", &nn::XPosOptions::gamma},
                                    {"base", &nn::XPosOptions::base}}) {
    rows += bad_values(fmt::format("XPos with {}", name), kNotPositive, fmt::format("XPos: {} must be finite and positive, got ", name),
                       [f = field](double value) {
                         nn::XPosOptions o;
                         o.*f = value;
                         nn::XPos(kSmall, o);
                       });
  }
  nn::PositionOptions odd = kSmall, open = kSmall, longer = kSmall;
  odd.head_dim = 3;
  open.causal = false;
  longer.max_length = 20000;
  rows += {
      REFUSED(value, nn::XPos{odd}, "XPos: turns pairs, so the head width must be even, got 3"),
      REFUSED(value, nn::XPos{open}, "XPos: scores grow towards later keys"),
      REFUSED(value, nn::CoPE{open}, "CoPE: counts the keys up to the query"),
      REFUSED(value, nn::RoPE(kSmall, {.width = 6}), "RoPE: width 6 exceeds head_dim 4"),
      REFUSED(value, nn::XPos(longer).on_queries(zeros({1, 1, 2, 4}, DType::f16), arange(1)),
              "XPos: of 20000 positions the first is multiplied by up to"),
      REFUSED(value, nn::LearnedPosition(kSmall).extend(0),
              "LearnedPosition: the number of rows that extend adds must be positive, got 0"),
      REFUSED(graph, nn::ShawPosition(kSmall).on_values({}, {arange(3), arange(3)}),
              "ShawPosition: probabilities is undefined"),
      REFUSED(shape, nn::ShawPosition(kSmall).on_values(f32({3}), {arange(3), arange(3)}),
              "ShawPosition: expected probabilities [B, H, T, S], got [3]"),
  };
  return rows;
}

}  // namespace gradus::test
