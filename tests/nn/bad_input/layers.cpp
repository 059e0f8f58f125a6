#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// The three linear maps.
template <typename Map> BadCalls map_calls(const std::string& who) {
  const auto make = [](int64_t in, int64_t out) { Map{in, out}; };
  const auto apply = [](const Tensor& x) { Map{3, 2}(x); };
  return {
      {who + "(0, 2)", [=] { make(0, 2); }, Raises::value, who + ": both sizes must be positive, got 0 -> 2"},
      {who + "(3, -1)", [=] { make(3, -1); }, Raises::value, who + ": both sizes must be positive, got 3 -> -1"},
      {who + "(INT64_MAX, 2)", [=] { make(INT64_MAX, 2); }, Raises::value, who + ": in must be at most 2⁴⁰"},
      {who + "(2, INT64_MAX)", [=] { make(2, INT64_MAX); }, Raises::value, who + ": out must be at most 2⁴⁰"},
      {who + " of nothing", [=] { apply({}); }, Raises::graph, who + ": x is undefined"},
      {who + " of width 4", [=] { apply(f32({2, 4})); }, Raises::shape, who + ": expected [..., 3], got [2, 4]"},
      {who + " of a number", [=] { apply(f32({})); }, Raises::shape, who + ": expected [..., 3], got []"},
      {who + " of f64", [=] { apply(f64({3})); }, Raises::dtype, who + ": x is f64, but weight is f32; use cast(x, DType::f32) first"},
      {who + " of f16", [=] { apply(zeros({3}, DType::f16)); }, Raises::dtype, who + ": x is f16, but weight is f32"},
      {who + " of i64", [=] { apply(i64({3})); }, Raises::dtype, who + ": needs a floating dtype, got i64"},
  };
}

BadCalls dropout_calls() {
  using Drop = void (*)(const Tensor&, double);
  const std::pair<const char*, Drop> functions[] = {
      {"dropout", [](const Tensor& x, double p) { nn::dropout(x, p); }},
      {"alpha_dropout", [](const Tensor& x, double p) { nn::alpha_dropout(x, p); }},
      {"stochastic_depth", [](const Tensor& x, double p) { nn::stochastic_depth(x, p); }},
      {"Dropout", [](const Tensor&, double p) { nn::Dropout{p}; }},
      {"AlphaDropout", [](const Tensor&, double p) { nn::AlphaDropout{p}; }},
      {"StochasticDepth", [](const Tensor&, double p) { nn::StochasticDepth{p}; }},
  };
  BadCalls rows;
  for (const auto& [name, f] : functions) {
    const std::string who = name;
    rows += bad_values(who, kNoProbability, who + ": p must be in [0, 1), got ", [g = f](double p) { g(f32({2}), p); });
    if (who[0] < 'a') continue;
    rows += {{who + " of nothing", [g = f] { g({}, 0.5); }, Raises::graph, who + ": x is undefined"},
             {who + " of i64", [g = f] { g(i64({2}), 0.5); }, Raises::dtype, who + ": needs a floating dtype, got i64"}};
  }
  rows += bad_values("stochastic_depth_rate", kNoProbability, "stochastic_depth_rate: p must be in [0, 1), got ",
                     [](double p) { nn::stochastic_depth_rate(p, 0, 2, true); });
  rows += bad_sizes("stochastic_depth_rate of block", {-1, 2, INT64_MAX}, "stochastic_depth_rate: of 2 layers there is none of index ",
                    [](int64_t index) { nn::stochastic_depth_rate(0.1, index, 2, true); });
  rows += REFUSED(value, nn::stochastic_depth_rate(0.1, 0, 0, true), "of 0 layers");
  return rows;
}

}  // namespace

BadCalls layer_calls() {
  BadCalls rows;
  rows += map_calls<nn::Linear>("Linear");
  rows += map_calls<nn::WeightNormLinear>("WeightNormLinear");
  rows += map_calls<nn::SpectralNormLinear>("SpectralNormLinear");
  rows += dropout_calls();
  const Tensor x = f32({2, 3}), w = f32({4, 3}), none;
  rows += {
      REFUSED(graph, nn::linear(none, w), "linear: x is undefined"),
      REFUSED(graph, nn::linear(x, none), "linear: weight is undefined"),
      REFUSED(shape, nn::linear(x, f32({3})), "linear: expected a weight [out, in], got [3]"),
      REFUSED(shape, nn::linear(x, f32({4, 2})), "linear: expected [..., 2], got [2, 3]"),
      REFUSED(shape, nn::linear(x, w, f32({3})), "linear: the weight [4, 3] needs a bias of shape [4]"),
      REFUSED(shape, nn::linear(x, w, f32({1})), "needs a bias of shape [4], got [1]"),
      REFUSED(dtype, nn::linear(x, f64({4, 3})), "linear: x is f32, but weight is f64"),
      REFUSED(dtype, nn::linear(x, w, f64({4})), "linear: x is f32, but bias is f64"),
      REFUSED(graph, nn::Embedding(2, 3)({}), "Embedding: ids is undefined"),
      REFUSED(dtype, nn::Embedding(2, 3)(f32({2})), "Embedding: ids must be i64, got f32"),
      REFUSED(value, nn::Embedding(2, 3)(i64({2}) + 2), "Embedding: id 2 is out of range; expected 0 … 1"),
      REFUSED(value, nn::Embedding(2, 3)(i64({2}) - 1), "Embedding: id -1 is out of range"),
      REFUSED(value, nn::Embedding(2, 3)(from_vector(std::vector<int64_t>{INT64_MIN}, {1})),
              "Embedding: id -9223372036854775808 is out of range"),
      REFUSED(graph, nn::embedding(none, w), "embedding: ids is undefined"),
      REFUSED(graph, nn::embedding(i64({2}), none), "embedding: weight is undefined"),
      REFUSED(dtype, nn::embedding(f32({2}), w), "embedding: ids must be i64, got f32"),
      REFUSED(shape, nn::embedding(i64({2}), f32({3})), "embedding: expected a weight [count, width], got [3]"),
      REFUSED(value, nn::embedding(i64({2}) + 4, w), "embedding: id 4 is out of range; expected 0 … 3"),
      REFUSED(value, nn::embedding(i64({2}), w, 4), "embedding: padding_id 4 is out of range; expected 0 … 3"),
      REFUSED(value, nn::Embedding(2, 3, {.padding_id = 2}), "Embedding: padding_id 2 is out of range; expected 0 … 1"),
      REFUSED(value, nn::Embedding(2, 3, {.padding_id = -1}), "Embedding: padding_id -1 is out of range; expected 0 … 1"),
      REFUSED(value, nn::Embedding(0, 3), "Embedding: both sizes must be positive, got 0 rows of 3"),
      REFUSED(value, nn::Embedding(3, -1), "Embedding: both sizes must be positive, got 3 rows of -1"),
      REFUSED(value, nn::Embedding(INT64_MAX, 2), "Embedding: count must be at most 2⁴⁰"),
      REFUSED(value, nn::Embedding(2, INT64_MAX), "Embedding: width must be at most 2⁴⁰"),
      REFUSED(shape, changed(nn::Linear(3, 2), [](auto& m) { m.weight.replace(f32({3})); })(f32({3})),
              "Linear: expected a weight [out, in], got [3]"),
      REFUSED(shape, changed(nn::Embedding(3, 2), [](auto& m) { m.weight.replace(f32({3})); })(i64({1})),
              "Embedding: expected a weight [count, width], got [3]"),
  };
  rows += bad_values("Embedding with std", kNegative, "Embedding: std must be finite and not negative, got ",
                     [](double std) { nn::Embedding(2, 3, std); });
  return rows;
}

BadCalls recurrent_calls() {
  BadCalls rows;
  const auto calls = []<typename Layer>(const std::string& who, Layer*) -> BadCalls {
    const auto run = [](const Tensor& x, const nn::RecurrentState& state = {}) { Layer(3, 2)(x, state); };
    const Tensor x = f32({1, 4, 3});
    return {
        {who + "(0, 2)", [] { Layer(0, 2); }, Raises::value, who + ": both sizes must be positive, got 0 -> 2"},
        {who + "(3, -2)", [] { Layer(3, -2); }, Raises::value, who + ": both sizes must be positive, got 3 -> -2"},
        {who + "(3, INT64_MAX)", [] { Layer(3, INT64_MAX); }, Raises::value, who + ": out must be at most 2⁴⁰"},
        {who + " of nothing", [=] { run({}); }, Raises::graph, who + ": x is undefined"},
        {who + " of f64", [=] { run(f64({1, 4, 3})); }, Raises::dtype, who + ": x is f64, but weight_ih is f32"},
        {who + " of a matrix", [=] { run(f32({4, 3})); }, Raises::shape, who + ": expected [B, T, 3], got [4, 3]"},
        {who + " of width 5", [=] { run(f32({1, 4, 5})); }, Raises::shape, who + ": expected [B, T, 3], got [1, 4, 5]"},
        {who + " from a wide state", [=] { run(x, {.hidden = f32({1, 3})}); }, Raises::shape, who + ": expected a state of shape [1, 2]"},
        {who + " from a cell of another batch", [=] { run(x, {.cell = f32({2, 2})}); }, Raises::shape, who + ": expected a state"},
        {who + " of two layers from a state of one", [=] { Layer(3, 2, {.layers = 2})(x, {.hidden = f32({1, 2})}); }, Raises::shape,
         who + ": expected a state of shape [2, 1, 2], got [1, 2]"},
        {who + " of no layers", [] { Layer(3, 2, {.layers = 0}); }, Raises::value, who + ": the number of layers must be positive, got 0"},
        {who + " of 10,001 layers", [] { Layer(3, 2, {.layers = 10'001}); }, Raises::value,
         who + ": the number of layers must be at most 10000, got 10001"},
        {who + " with dropout after one layer", [] { Layer(3, 2, {.dropout = 0.5}); }, Raises::value,
         who + ": dropout acts between layers, and there is one"},
        {who + " asked for a third layer", [] { Layer(3, 2, {.layers = 2}).cell(2); }, Raises::value, who + ": has layers 0 … 1, no layer 2"},
        {who + " asked for layer -1", [] { Layer(3, 2).cell(-1); }, Raises::value, who + ": has layers 0 … 0, no layer -1"},
        {who + " asked for a reverse cell", [] { Layer(3, 2).cell(0, true); }, Raises::value, who + ": reads in one direction"},
        {who + " from a state of f64", [=] { run(x, {.hidden = f64({1, 2})}); }, Raises::dtype, who + ": x is f32, but state.hidden"},
    };
  };
  rows += calls("Elman", static_cast<nn::Elman*>(nullptr));
  rows += calls("GRU", static_cast<nn::GRU*>(nullptr));
  rows += calls("LSTM", static_cast<nn::LSTM*>(nullptr));
  rows += bad_values("GRU with a dropout", kNoProbability, "GRU: dropout must be in [0, 1), got ",
                     [](double p) { nn::GRU(3, 2, {.layers = 2, .dropout = p}); });
  return rows;
}

BadCalls init_calls() {
  BadCalls rows;
  using Init = void (*)(Tensor&, double);
  struct Words {
    const char *who, *number;
    Init init;
  };
  const Words inits[] = {
      {"init_normal", "std", [](Tensor& w, double v) { nn::init_normal(w, v); }},
      {"init_trunc_normal", "std", [](Tensor& w, double v) { nn::init_trunc_normal(w, v); }},
      {"init_xavier_normal", "the gain", [](Tensor& w, double v) { nn::init_xavier_normal(w, v); }},
      {"init_xavier_uniform", "the gain", [](Tensor& w, double v) { nn::init_xavier_uniform(w, v); }},
      {"init_kaiming_normal", "the gain", [](Tensor& w, double v) { nn::init_kaiming_normal(w, {.gain = v}); }},
      {"init_kaiming_uniform", "the gain", [](Tensor& w, double v) { nn::init_kaiming_uniform(w, {.gain = v}); }},
      {"init_orthogonal", "the gain", [](Tensor& w, double v) { nn::init_orthogonal(w, v); }},
      {"init_lecun_normal", nullptr, [](Tensor& w, double) { nn::init_lecun_normal(w); }},
  };
  for (const Words& words : inits) {
    const std::string who = words.who;
    const auto draw = [init = words.init](Tensor w, double value) { init(w, value); };
    const Tensor matrix = f32({2, 3});
    rows += {{who + " of nothing", [=] { draw({}, 1); }, Raises::graph, who + ": parameter is undefined"},
             {who + " of i64", [=] { draw(i64({2, 3}), 1); }, Raises::dtype, who + ": needs a floating dtype, got i64"}};
    if (who != "init_normal" && who != "init_trunc_normal") {
      rows += {who + " of a vector", [=] { draw(f32({3}), 1); }, Raises::shape, who + ": needs a matrix [out, in], got shape [3]"};
    }
    if (words.number == nullptr) continue;
    for (const double value : kNegative) {
      rows += {fmt::format("{} with {}", who, value), [=] { draw(matrix, value); }, Raises::value,
               fmt::format("{}: {} must be finite and not negative, got {}", who, words.number, value), {matrix}};
    }
  }
  rows += bad_values("init_trunc_normal bounded by", {1e-9, 0.0999, 0, -1, kNaN}, "the bound must be at least 0.1, got ",
                     [](double bound) {
                       Tensor w = f32({2, 3});
                       nn::init_trunc_normal(w, 1, bound);
                     });
  rows += bad_values("init_gain with a slope", kNotFinite, "init_gain: the slope must be finite, got ",
                     [](double slope) { nn::init_gain("leaky-relu", slope); });
  rows += REFUSED(value, nn::init_gain("rellu"), "unknown activation 'rellu'; did you mean 'relu'?");
  for (const char* row : {"gpt2", "depth-scaled"}) {
    rows += bad_sizes(std::string(row) + " of sublayers", {0, -1}, "InitOptions: added_sublayers must be positive, got ",
                      [row](int64_t count) { nn::inits().find(row).value({.added_sublayers = count}); });
  }
  return rows;
}

}  // namespace gradus::test
