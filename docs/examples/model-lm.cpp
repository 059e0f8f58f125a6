// model-lm, model-tying, model-shape: the head's gradient, the two paths into one table, and what a model's sizes come to.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// Mean of ln Σ e^z over V scores z ~ N(0, s²), less ln V + s²/2. By ln S = ∫ (e^-t - e^-tS) dt/t, with t = e^u; the mean of
// e^-tS is the V-th power of that of e^(-t e^z). Both integrals by the rule of the middle.
double below_the_logarithm_of_the_mean(double V, double s) {
  constexpr int64_t cells = 600;
  const auto middle = [](double from, double to, const auto& f) {
    const double h = (to - from) / cells;
    return h * sum(cells, [&](int64_t k) { return f(from + (static_cast<double>(k) + 0.5) * h); });
  };
  const double mean_log = middle(-40, 10, [&](double u) {
    const double t = std::exp(u),
                 one = middle(-9, 9, [&](double a) { return std::exp(-t * std::exp(s * a) - a * a / 2) / std::sqrt(2 * M_PI); });
    return std::exp(-t) - std::pow(one, V);
  });
  return mean_log - std::log(V) - s * s / 2;
}

double count(const nn::LanguageModelOptions& options) { return static_cast<double>(nn::LanguageModel(options).parameter_count()); }

void language_model() {
  Derivation d("model-lm");
  constexpr int64_t T = 2, V = 3, n = 2;
  const double two = std::log(2);
  const Numbers x = d.given("x", {{1, 1}, {1, 0}});
  const Numbers W = d.given("W", {{two, 0}, {0, two}, {0, 0}});
  const Numbers targets = d.given("targets", {2, 0});
  const auto target = [&](int64_t t) { return static_cast<int64_t>(targets(t)); };
  const Numbers z = each(T, V, [&](int64_t t, int64_t v) { return sum(n, [&](int64_t i) { return x(t, i) * W(v, i); }); });
  d.step("1", "z", z);
  const Numbers p =
      each(T, V, [&](int64_t t, int64_t v) { return std::exp(z(t, v)) / sum(V, [&](int64_t k) { return std::exp(z(t, k)); }); });
  d.step("2", "p", p);
  d.step("3", "L", sum(T, [&](int64_t t) { return -std::log(p(t, target(t))); }) / T);
  const Numbers dz = each(T, V, [&](int64_t t, int64_t v) { return (p(t, v) - delta(v, target(t))) / T; });
  d.step("4", "dL/dz", dz);
  d.step("5", "dL/dW", each(V, n, [&](int64_t v, int64_t i) { return sum(T, [&](int64_t t) { return dz(t, v) * x(t, i); }); }));
  d.step("6", "dL/dx", each(T, n, [&](int64_t t, int64_t i) { return sum(V, [&](int64_t v) { return dz(t, v) * W(v, i); }); }));
  d.law("7", "Σ dL/dz over the vocabulary", each(T, [&](int64_t t) { return sum(V, [&](int64_t v) { return dz(t, v); }); }), {0, 0});
  const Tensor wanted = cast(targets.tensor(), DType::i64);
  const auto loss = [&](const Tensor& a, const Tensor& b) { return nn::cross_entropy(nn::linear(a, b), wanted); };
  d.gradient("dL/dW", [&](const Tensor& t) { return loss(x, t); }, W, 1);
  d.gradient("dL/dx", [&](const Tensor& t) { return loss(t, W); }, x, 1);

  // Before the first step.
  d.step("8", "ln 256", std::log(256));
  const double s2 = 64 * 0.125 * 0.125;
  d.step("9", "s²", s2);
  constexpr int64_t cells = 4000;  // the mean of e^z for z ~ N(0, s²), by the rule of the middle
  const double reach = 12, h = 2 * reach / cells;
  const double mean_exp = sum(cells, [&](int64_t k) {
    const double a = -reach + (static_cast<double>(k) + 0.5) * h;
    return h * std::exp(a - a * a / (2 * s2)) / std::sqrt(2 * M_PI * s2);
  });
  d.law("10", "mean of e^z", mean_exp, std::exp(s2 / 2));
  d.step("11", "loss at the start", std::log(256) + std::log(mean_exp));
  d.step("j1", "mean of ln Σ e^z, less line 11, at s² of 1", below_the_logarithm_of_the_mean(256, 1));
  d.step("j2", "mean of ln Σ e^z, less line 11, at s² of 4", below_the_logarithm_of_the_mean(256, 2));

  // What the default model has.
  constexpr double vocabulary = 256, width = 128, layers = 4, d_ff = 384;
  d.step("12", "embedding", vocabulary * width);
  d.step("13", "attention of a block", 4 * width * width);
  d.step("14", "feed-forward of a block", 3 * width * d_ff);
  d.step("15", "norms of a block", 2 * width);
  const double block = 4 * width * width + 3 * width * d_ff + 2 * width;
  d.step("16", "blocks", layers * block);
  d.step("17", "final norm", width);
  const double all = vocabulary * width + layers * block + width;
  d.law("18", "the whole model", all, count({}));
  d.law("19", "with a head of its own", all + vocabulary * width, count({.tie_weights = false}));
}

// A model whose blocks are one linear map: x_t = M E[id_t], z = x Eᵀ.
void tying() {
  Derivation d("model-tying");
  constexpr int64_t T = 2, V = 3, n = 2;
  const Numbers table = d.given("E", {{1, 0}, {0, 1}, {1, 1}});
  const Numbers M = d.given("M", {{0, -1}, {1, 0}});
  const Numbers ids = d.given("ids", {0, 2});
  const Numbers G = d.given("G", {{0.5, -0.75, 0.25}, {0.25, 0.25, -0.5}});
  const auto id = [&](int64_t t) { return static_cast<int64_t>(ids(t)); };

  const Numbers e = each(T, n, [&](int64_t t, int64_t i) { return table(id(t), i); });
  d.step("h1", "e", e);
  const Numbers x = each(T, n, [&](int64_t t, int64_t i) { return sum(n, [&](int64_t j) { return M(i, j) * e(t, j); }); });
  d.step("h2", "x", x);
  const auto score = [&](int64_t t, int64_t v) { return sum(n, [&](int64_t i) { return x(t, i) * table(v, i); }); };
  d.step("h3", "z", each(T, V, score));

  d.step("1", "z", each(T, V, score));
  d.step("2", "∂z_11/∂E, x held", each(V, n, [&](int64_t w, int64_t j) { return x(0, j) * delta(0, w); }));
  const Numbers head = each(V, n, [&](int64_t w, int64_t j) { return sum(T, [&](int64_t t) { return G(t, w) * x(t, j); }); });
  d.step("3", "head's part", head);
  const Numbers dx = each(T, n, [&](int64_t t, int64_t i) { return sum(V, [&](int64_t v) { return G(t, v) * table(v, i); }); });
  d.step("4", "dL/dx", dx);
  const Numbers de = each(T, n, [&](int64_t t, int64_t j) { return sum(n, [&](int64_t i) { return M(i, j) * dx(t, i); }); });
  d.step("5", "dL/de", de);
  const Numbers lookup = each(V, n, [&](int64_t w, int64_t j) { return sum(T, [&](int64_t t) { return delta(id(t), w) * de(t, j); }); });
  d.step("6", "lookup's part", lookup);
  const Numbers both = each(V, n, [&](int64_t w, int64_t j) { return head(w, j) + lookup(w, j); });
  d.step("7", "dL/dE", both);
  d.law("8", "Σ of the head's part over the rows", each(n, [&](int64_t j) { return sum(V, [&](int64_t w) { return head(w, j); }); }),
        {0, 0});
  const double eta = 0.1;
  d.step("9", "a copy after a step of 0.1: how far apart",
         each(V, n, [&](int64_t w, int64_t j) { return -eta * (lookup(w, j) - head(w, j)); }));

  const Tensor places = cast(ids.tensor(), DType::i64);
  const auto scores = [&](const Tensor& input, const Tensor& output) {
    return nn::linear(nn::linear(index_select(input, 0, places), M), output);
  };
  d.gradient("dL/dE", [&](const Tensor& t) { return scores(t, t); }, table, G);
  d.gradient("head's part", [&](const Tensor& t) { return scores(table, t); }, table, G);
  d.gradient("lookup's part", [&](const Tensor& t) { return scores(t, table); }, table, G);

  // Exactly, for two blocks of width 64 with SwiGLU of width 192.
  const double block = 4 * 64 * 64 + 3 * 64 * 192 + 2 * 64;
  const auto share = [&](double vocabulary) { return vocabulary * 64 / (2 * vocabulary * 64 + 2 * block + 64); };
  const auto measured = [](int64_t vocabulary) {
    const nn::LanguageModelOptions tied{.vocabulary = vocabulary, .d_model = 64, .layers = 2};
    nn::LanguageModelOptions untied = tied;
    untied.tie_weights = false;
    return 1 - count(tied) / count(untied);
  };
  d.law("10", "share saved of 256 ids", share(256), measured(256));
  d.law("11", "share saved of 50,257 ids", share(50257), measured(50257));
}

void shape() {
  Derivation d("model-shape");
  d.law("1", "d_head of d 768 and 12 heads", 768 / 12, static_cast<double>(nn::head_dim(768, 12)));
  d.step("2", "GPT-2, smallest: d/L", 768.0 / 12);
  d.step("3", "GPT-3: d/L", 12288.0 / 96);
  d.step("4", "LLaMA 7B: d/L", 4096.0 / 32);
  d.step("5", "PaLM: d/L", 18432.0 / 118);
  d.step("6", "T5, 11B: d/L", 1024.0 / 24);
  const double N = 12 * 96 * 12288.0 * 12288.0;
  d.step("7", "N of GPT-3's blocks", N);
  const auto width = [&](double ratio) { return std::cbrt(ratio * N / 12); };
  d.step("8", "d at the same N and d/L 128", width(128));
  d.step("9", "d at the same N and d/L 64", width(64));
  d.step("10", "L there", width(64) / 64);
  const double d_model = 128, layers = 4, exact = count({.vocabulary = 1}) - 2 * d_model - 2 * layers * d_model;
  d.law("11", "matrices of the default model's blocks", layers * (4 + 3 * 3) * d_model * d_model, exact);
}

// Gemma 3's pattern over 26 layers.
void layer_pattern() {
  Derivation d("model-layer-pattern");
  const PerLayer<int64_t> windows = {{512, 5}, {0}};
  std::vector<double> global, counted;
  double kept = 0;
  for (int64_t l = 0; l < 26; ++l) {
    if (windows.of(l) == 0) global.push_back(static_cast<double>(l));
    if ((l + 1) % 6 == 0) counted.push_back(static_cast<double>(l));
    kept += windows.of(l) == 0 ? 32768 : static_cast<double>(windows.of(l));
  }
  d.law("1", "layers that see everything", {5, 11, 17, 23}, from_vector(global, {4}));
  d.law("2", "the same", {5, 11, 17, 23}, from_vector(counted, {4}));
  d.step("3", "keys kept, all global", 26.0 * 32768);
  d.step("4", "keys kept by the pattern", kept);
  d.step("5", "their ratio", 26.0 * 32768 / kept);
  d.step("6", "reach of five layers", 5.0 * (512 - 1));
}

// Two ids, of which the second is the next.
void softcap() {
  Derivation d("model-softcap");
  const double ln2 = std::log(2), cap = 5;
  const Numbers z = d.given("z", {5 * ln2, 0});
  const Numbers capped = each(2, [&](int64_t v) { return cap * std::tanh(z(v) / cap); });
  d.step("1", "z'", capped);
  const double total = std::exp(capped(0)) + std::exp(capped(1));
  const Numbers p = each(2, [&](int64_t v) { return std::exp(capped(v)) / total; });
  d.step("2", "p", p);
  const Numbers dcapped = each(2, [&](int64_t v) { return p(v) - delta(v, 1); });
  d.step("3", "dL/dz'", dcapped);
  const Numbers slope = each(2, [&](int64_t v) { return 1 - std::pow(capped(v) / cap, 2); });
  d.step("4", "dz'/dz", slope);
  d.step("5", "dL/dz", each(2, [&](int64_t v) { return dcapped(v) * slope(v); }));
  const auto least = [](double c) { return std::log1p(255 * std::exp(-2 * c)); };
  d.step("6", "least loss among 256 ids", least(5));
  d.step("7", "least loss with a cap of 30", least(30));
  d.gradient("dL/dz", [&](const Tensor& t) { return nn::cross_entropy(nn::softcap(unsqueeze(t, 0), cap), tensor({1}, DType::i64)); }, z,
             Numbers(1));
}

}  // namespace

int main() {
  language_model();
  tying();
  shape();
  layer_pattern();
  softcap();
  return verdict();
}
