#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// Where an encoding acts, by whose hook it is tried.
enum class Acts { on_embedding, on_queries, on_scores };
struct PositionWords {
  const char *row, *who;  // whose name its errors begin with
  Acts acts;
};
const std::vector<PositionWords> kPositionWords{{"sinusoidal", "SinusoidalPosition", Acts::on_embedding},
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
                                                {"yarn-half", "RoPE", Acts::on_queries},
                                                {"xpos", "XPos", Acts::on_queries},
                                                {"alibi", "ALiBi", Acts::on_scores},
                                                {"kerple", "KerplePosition", Acts::on_scores},
                                                {"kerple-power", "KerplePosition", Acts::on_scores},
                                                {"fire", "FirePosition", Acts::on_scores},
                                                {"dynamic-bias", "DynamicPositionBias", Acts::on_scores},
                                                {"cope", "CoPE", Acts::on_scores}};

BadCalls sizes_of(const std::string& row, const std::string& who) {
  const auto make = [row](const PositionOptions& o) { position_encodings().find(row).value(o); };
  BadCalls rows;
  const std::pair<const char*, int64_t PositionOptions::*> sizes[] = {{"d_model", &PositionOptions::d_model},
                                                                      {"heads", &PositionOptions::heads},
                                                                      {"head_dim", &PositionOptions::head_dim},
                                                                      {"max_length", &PositionOptions::max_length}};
  for (const auto& [name, size] : sizes) {
    const auto make_with = [=, field = size](int64_t value) { make(changed(kSmall, [=](auto& o) { o.*field = value; })); };
    rows += of(row, REFUSED_EACH(make_with(bad), fmt::format("{}: {} must be positive", who, name), 0, -1));
    rows += of(row, REFUSED_EACH(make_with(bad), fmt::format("{}: {} must be at most 2⁴⁰", who, name), INT64_MAX));
  }
  return rows;
}

// The calls of the hook at which it acts.
BadCalls inputs_of(const std::string& row, const std::string& who, Acts acts) {
  const auto encoding = [row] { return position_encodings().find(row).value(kSmall); };
  const Tensor places = arange(3), q = f32({1, 3, 2, 4}), x = f32({1, 3, 8}), none;
  const Tensor far = from_vector(std::vector<int64_t>{0, 1, INT64_MAX}, {3});
  const auto embed = [=](const Tensor& embedding, const Tensor& at) { encoding()->on_embedding(embedding, at); };
  const auto turn = [=](const Tensor& queries, const Tensor& at) { encoding()->on_queries(queries, at); };
  const auto score = [=](const Tensor& a, const Tensor& b, const Positions& at) { encoding()->on_scores(a, b, at, 1); };
  if (row == "rnn") {
    return by("Elman",
              {REFUSED(graph, embed(none, places), "x is undefined"), REFUSED(shape, embed(f32({1, 3, 5}), places), "expected [B, T, 8]")});
  }
  if (acts == Acts::on_scores) {
    return of(row, by(who, {REFUSED(graph, score(none, q, {places, places}), "q is undefined"),
                            REFUSED(graph, score(q, none, {places, places}), "k is undefined"),
                            REFUSED(graph, score(q, q, {}), "positions is undefined"),
                            REFUSED(dtype, score(q, q, {places, f32({3})}), "positions must be i64"),
                            REFUSED(shape, score(f32({4}), q, {places, places}), "expected q [B, T, H, d]"),
                            REFUSED(shape, score(q, q, {i64({}), places}), "expected positions [T] or [B, T]")}));
  }
  const bool turns = acts == Acts::on_queries;
  const Tensor good = turns ? q : x;
  const auto act = [=](const Tensor& on, const Tensor& at) { turns ? turn(on, at) : embed(on, at); };
  BadCalls rows = by(who, {REFUSED(graph, act(none, places), "x is undefined"), REFUSED(graph, act(good, none), "positions is undefined"),
                           REFUSED(dtype, act(good, f32({3})), "positions must be i64, got f32"),
                           REFUSED(value, act(good, places + 14), "position 16 is beyond the table's last, 15"),
                           REFUSED(value, act(good, places - 1), "positions count from 0, got -1")});
  rows += REFUSED(value, act(good, far), "9223372036854775807 is beyond the table's last, 15");
  if (turns) {
    rows += REFUSED(dtype, turn(i64({1, 3, 2, 4}), places), "rope: needs a floating dtype");
    rows += REFUSED(shape, turn(q, arange(2)), "rope: x has shape [1, 3, 2, 4]");
  } else {
    rows += by(who, {REFUSED(shape, embed(f32({1, 3, 5}), places), "expected x [B, T, 8]"),
                     REFUSED(shape, embed(f32({1, 1, 8}), places), "expected x [B, T, 8]")});
  }
  return of(row, rows);
}

}  // namespace

BadCalls position_calls() {
  BadCalls rows;
  for (const auto& [row, who, acts] : kPositionWords) rows += {sizes_of(row, who), inputs_of(row, who, acts)};
  rows += REFUSED(value, position_encodings().find("rpoe"), "did you mean 'rope'?");
  return rows;
}

BadCalls position_class_calls() {
  BadCalls rows;
  for (const RopeOptions& bands : {RopeOptions{.low = kNaN, .high = 4},
                                   {.low = 1, .high = kNaN},
                                   {.low = -1, .high = 4},
                                   {.low = 4, .high = 4},
                                   {.low = 1, .high = kInfinity}}) {
    rows += REFUSED(value, RoPE(kSmall, bands), "RoPE: the bands need 0 <= low < high");
  }
  const Refused below_one{"finite and at least 1", {kNaN, kInfinity, 0.5, -2}};
  const Tensor x = f32({1, 3, 2, 4});
  const auto turn = [](const Tensor& a, const Tensor& c, const Tensor& s) { rope(a, c, s); };
  const auto buckets = [](const T5Options& o) { t5_buckets(arange(3), true, o); };
  const PositionOptions odd = changed(kSmall, [](auto& o) { o.head_dim = 3; }), open = changed(kSmall, [](auto& o) { o.causal = false; });
  const PositionOptions longer = changed(kSmall, [](auto& o) { o.max_length = 20000; });
  rows += {
      REFUSED_EACH(RoPE(kSmall, {.theta = bad}), "RoPE: theta", kNotPositive),
      REFUSED_EACH(RoPE(kSmall, {.scaling = RopeScaling::yarn, .factor = bad}), "RoPE: the factor", below_one),
      REFUSED_EACH(RoPE(kSmall, {.width = bad}), "RoPE: turns pairs, so the head width must be even", 3, -2),
      REFUSED_EACH(RoPE(kSmall, {.trained_length = bad}), "RoPE: trained_length must not be negative", -1, INT64_MIN),
      REFUSED_EACH(rope_frequencies(bad, {}, 16), "rope_frequencies: turns pairs, so the head width must be even", 3, 0, -2),
      REFUSED_EACH(rope_frequencies(4, {.theta = bad}, 16), "rope_frequencies: theta", kNotPositive),
      REFUSED_EACH(rope_frequencies(4, {}, bad), "the trained length must be finite and not negative", kNaN, kInfinity, -1),
      REFUSED_EACH(formula::rope_relative(f32({4}), f32({4}), 1, bad), "rope_frequencies: theta must be finite and positive", kNaN, 0),
      REFUSED_EACH(halves_from_pairs(bad), "halves_from_pairs: the width must be even", 3, -2),
      REFUSED_EACH(pairs_from_halves(bad), "pairs_from_halves: the width must be even", 3, -2),
      undefined_rows("rope", {"x", "cosines", "sines"}, {x, f32({3, 2}), f32({3, 2})}, [](const Tensors& t) { rope(t[0], t[1], t[2]); }),
      by("rope",
         {
             REFUSED(dtype, turn(x, f64({3, 2}), f64({3, 2})), "x is f32, but cosines is f64"),
             REFUSED(shape, turn(x, f32({3, 2}), f32({3, 1})), "x has shape [1, 3, 2, 4]"),
             REFUSED(shape, turn(x, f32({3, 3}), f32({3, 3})), "x has shape [1, 3, 2, 4]"),
             REFUSED(shape, turn(f32({4}), f32({3, 2}), f32({3, 2})), "needs x [B, T, H, d], got [4]"),
         }),
      REFUSED_EACH(formula::sine_frequencies(bad), "sine_frequencies: the width must be positive", 0, -2),
      REFUSED_EACH(formula::sine_frequencies(4, bad), "sine_frequencies: the base", kNotPositive),
      REFUSED_EACH(formula::sinusoidal_shift(bad, 1), "sinusoidal_shift: the width must be positive and even", 3, 0, -2),
      REFUSED_EACH(formula::sinusoidal_dot(bad, 1), "sinusoidal_dot: the width must be positive and even", 3, 0, -2),
      REFUSED_EACH(buckets({.buckets = bad}), "t5_buckets: needs an even number of at least 4 buckets", 0, 2, 5, -4),
      REFUSED_EACH(T5Position(kSmall, {.buckets = bad}), "T5Position: needs an even number of at least 4 buckets", 0, 2, 5, -4),
      REFUSED_EACH(buckets({.max_distance = bad}), "t5_buckets: max_distance must be above 16, half of the buckets", 16, 0, -1),
      REFUSED(graph, t5_buckets({}, true), "t5_buckets: offsets is undefined"),
      REFUSED(dtype, t5_buckets(f32({3}), true), "t5_buckets: offsets must be i64, got f32"),
      REFUSED(graph, key_offsets({}), "key_offsets: positions is undefined"),
      REFUSED_EACH(alibi_slopes(bad), "needs from 1 to 65536 heads", 0, -1, 65537, int64_t{1} << 62, INT64_MAX, INT64_MIN),
      REFUSED_EACH(ALiBi({.d_model = 8, .heads = bad, .head_dim = 4, .max_length = 16}), "alibi_slopes: needs from 1 to 65536 heads",
                   65537),
      REFUSED_EACH(ShawPosition(kSmall, bad), "ShawPosition: the reach must be positive", 0, -1),
      REFUSED_EACH(ShawPosition(kSmall, bad), "ShawPosition: the reach must be at most 2⁴⁰", INT64_MAX),
      REFUSED_EACH(CoPE(kSmall, bad), "CoPE: the number of positions must be positive", 0, -1),
      REFUSED_EACH(FirePosition(kSmall, {.hidden = bad}), "FirePosition: hidden must be positive", 0, -1),
      REFUSED_EACH(FirePosition(kSmall, {.threshold = bad}), "FirePosition: the threshold", kNotPositive),
      REFUSED_EACH(DynamicPositionBias(kSmall, {.hidden = bad}), "DynamicPositionBias: a norm needs at least 2 hidden values", 1, 0, -1),
      REFUSED_EACH(DynamicPositionBias(kSmall, {.depth = bad}), "needs from 1 to 1000 hidden layers", 0, -1, 1001, INT64_MAX),
      REFUSED_EACH(XPos(kSmall, {.theta = bad}), "XPos: theta", kNotPositive),
      REFUSED_EACH(XPos(kSmall, {.gamma = bad}), "XPos: gamma", kNotPositive),
      REFUSED_EACH(XPos(kSmall, {.base = bad}), "XPos: base", kNotPositive),
      REFUSED(value, XPos{odd}, "XPos: turns pairs, so the head width must be even, got 3"),
      REFUSED(value, XPos{open}, "XPos: scores grow towards later keys"),
      REFUSED(value, CoPE{open}, "CoPE: counts the keys up to the query"),
      REFUSED(value, RoPE(kSmall, {.width = 6}), "RoPE: width 6 exceeds head_dim 4"),
      REFUSED(value, XPos(longer).on_queries(zeros({1, 1, 2, 4}, DType::f16), arange(1)),
              "XPos: of 20000 positions the first is multiplied by up to"),
      REFUSED(value, LearnedPosition(kSmall).extend(0), "LearnedPosition: the number of rows that extend adds must be positive, got 0"),
      REFUSED(graph, ShawPosition(kSmall).on_values({}, {arange(3), arange(3)}), "ShawPosition: probabilities is undefined"),
      REFUSED(shape, ShawPosition(kSmall).on_values(f32({3}), {arange(3), arange(3)}),
              "ShawPosition: expected probabilities [B, H, T, S], got [3]"),
  };
  return rows;
}

}  // namespace gradus::test
