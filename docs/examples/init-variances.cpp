// Starting weights: what a draw does to sizes on the way up and on the way down, line by line. Averages over draws are taken
// over all patterns of signs, so that no line is only nearly right.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// The mean of f over all rows of n weights that are s or -s.
double over_draws(int64_t n, double s, const std::function<double(const Numbers&)>& f) {
  double total = 0;
  for (int64_t draw = 0; draw < (int64_t{1} << n); ++draw) {
    total += f(each(n, [&](int64_t j) { return (draw >> j) % 2 == 0 ? s : -s; }));
  }
  return total / static_cast<double>(int64_t{1} << n);
}

double dot(const Numbers& a, const Numbers& b) {
  return sum(a.shape().numel(), [&](int64_t j) { return a(j) * b(j); });
}
double mean_square(const Numbers& a) { return dot(a, a) / static_cast<double>(a.shape().numel()); }

// A weight that the library draws, relative to the number that its generator gives.
Tensor drawn(const Shape& shape, const std::function<void(Tensor&, Generator&)>& init) {
  Generator generator(1);
  Tensor w = zeros(shape, DType::f64);
  init(w, generator);
  return w;
}
double of_normal(const Shape& shape, const std::function<void(Tensor&, Generator&)>& init) {
  const Tensor standard = drawn(shape, [](Tensor& w, Generator& g) { w.assign(randn(w.shape(), w.dtype(), g)); });
  return drawn(shape, init).at({0, 0}) / standard.at({0, 0});
}

void xavier_normal() {
  Derivation d("init-xavier-normal");
  const auto by_library = [](const Shape& shape, double gain) {
    return of_normal(shape, [=](Tensor& w, Generator& g) { nn::init_xavier_normal(w, gain, g); });
  };
  d.law("h1", "std of [8, 24] and of [16, 16]", {std::sqrt(2.0 / (24 + 8)), std::sqrt(2.0 / (16 + 16))},
        {by_library({8, 24}, 1), by_library({16, 16}, 1)});
  d.step("h2", "up", {24 * 0.0625, 16 * 0.0625});
  d.step("h3", "down", {8 * 0.0625, 16 * 0.0625});
  d.law("h4", "std with a gain of 2", {2 * 0.25, 2 * 0.25}, {by_library({8, 24}, 2), by_library({16, 16}, 2)});
  d.step("h5", "up with a gain of 2", {4 * 1.5, 4 * 1.0});

  const Numbers x = d.given("x", {1, -1, 2, 0});
  const Numbers g = d.given("g", {2, 1});
  const double s = d.given("s", 0.5)(0);
  constexpr int64_t in = 4, out = 2;
  d.step("1", "y_i of one draw", dot({s, s, -s, s}, x));
  d.law("2", "mean of y_i", over_draws(in, s, [&](const Numbers& w) { return dot(w, x); }), 0);
  d.law("3", "mean of W_i1 W_ij", each(in, [&](int64_t j) { return over_draws(in, s, [&](const Numbers& w) { return w(0) * w(j); }); }),
        {s * s, 0, 0, 0});
  const double up = over_draws(in, s, [&](const Numbers& w) {
    return sum(in, [&](int64_t j) { return sum(in, [&](int64_t k) { return w(j) * w(k) * x(j) * x(k); }); });
  });
  d.step("4", "mean of y_i²", up);
  d.step("5", "mean of y_i²", s * s * dot(x, x));
  d.step("6", "mean of y_i²", in * s * s * mean_square(x));
  d.step("7", "dL/dx_j of one draw", dot({s, -s}, g));
  d.step("8", "mean of (dL/dx_j)²", over_draws(out, s, [&](const Numbers& w) { return dot(w, g) * dot(w, g); }));
  d.step("9", "mean of (dL/dx_j)²", out * s * s * mean_square(g));
  d.step("10", "s² for the way up, and down", {1.0 / in, 1.0 / out});
  const double xavier = 2.0 / (in + out);
  d.step("11", "s² of Xavier", xavier);
  d.law("12", "1/s²", 1 / xavier, (in + out) / 2.0);
  d.step("13", "up and down", {in * xavier, out * xavier});
  d.law("14", "up + down", in * xavier + out * xavier, 2);
  d.law("15", "up · down", in * xavier * out * xavier, 1 - std::pow((in - out) / double(in + out), 2));
}

void xavier_uniform() {
  Derivation d("init-xavier-uniform");
  const double a = d.given("a", 3)(0);
  // Simpson's rule, exact for polynomials up to the third degree.
  const auto integral = [&](const std::function<double(double)>& f) { return 2 * a / 6 * (f(-a) + 4 * f(0) + f(a)); };
  d.law("1", "∫ p", integral([&](double) { return 1 / (2 * a); }), 1);
  d.law("2", "mean", integral([&](double w) { return w / (2 * a); }), 0);
  d.step("3", "variance", integral([&](double w) { return w * w / (2 * a); }));
  d.step("4", "variance", (a * a * a - (-a) * (-a) * (-a)) / (6 * a));
  d.step("5", "variance", a * a / 3);
  const double std = std::sqrt(2.0 / (24 + 8));
  d.step("6", "a of [8, 24]", std::sqrt(3) * std);
  d.step("7", "a of [8, 24]", std::sqrt(6.0 / (24 + 8)));
  const Shape shape{8, 24};
  const Tensor unit = drawn(shape, [](Tensor& w, Generator& g) { w.assign(uniform(w.shape(), -1, 1, w.dtype(), g)); });
  const Tensor w = drawn(shape, [](Tensor& t, Generator& g) { nn::init_xavier_uniform(t, 1, g); });
  d.law("8", "the library's draw, relative to a draw between ±1", w.at({0, 0}) / unit.at({0, 0}), std::sqrt(6.0 / 32));
}

void kaiming() {
  Derivation d("init-kaiming");
  const Numbers a = d.given("a", {-3, -1, 1, 3});
  const Numbers g = d.given("g", {2, 1});
  constexpr int64_t in = 4, out = 2;
  const auto relu_of = [&](double slope) { return each(in, [&](int64_t j) { return a(j) > 0 ? a(j) : slope * a(j); }); };
  const Numbers x = relu_of(0);
  d.step("1", "x", x);
  d.step("2", "mean a²", mean_square(a));
  const Numbers mirrored = each(in, [&](int64_t j) { return a(j) < 0 ? -a(j) : 0; });
  d.step("3", "mean relu(a)² and mean relu(-a)²", {mean_square(x), mean_square(mirrored)});
  d.law("4", "mean x²", mean_square(x), mean_square(a) / 2);
  const double s = std::sqrt(2.0 / in);
  d.step("5", "s²", s * s);
  d.law("6", "mean of y_i²", over_draws(in, s, [&](const Numbers& w) { return dot(w, x) * dot(w, x); }), mean_square(a));
  d.law("7", "share of draws with y_i > 0", over_draws(in, s, [&](const Numbers& w) { return dot(w, x) > 0 ? 1.0 : 0.0; }), 0.5);
  d.law("8", "mean of relu(y_i)²", over_draws(in, s, [&](const Numbers& w) { return dot(w, x) > 0 ? dot(w, x) * dot(w, x) : 0.0; }),
        mean_square(x));
  const double back = std::sqrt(2.0 / out);
  d.step("9", "s² for the way down", back * back);
  d.law("10", "mean of (dL/da)²",
        sum(in,
            [&](int64_t j) {
    return (a(j) > 0 ? 1 : 0) * over_draws(out, back, [&](const Numbers& w) { return dot(w, g) * dot(w, g); }) / in;
  }),
        mean_square(g));
  d.law("11", "mean x² with a slope of ½", mean_square(relu_of(0.5)), mean_square(a) * (1 + 0.25) / 2);
  d.step("12", "½ to the tenth", std::pow(0.5, 10));
  d.law("13", "std of [8, 32]", std::sqrt(2.0 / 32),
        of_normal({8, 32}, [](Tensor& w, Generator& t) { nn::init_kaiming_normal(w, {}, t); }));
}

void lecun() {
  Derivation d("init-lecun");
  const Numbers x = d.given("x", {1, -1, 2, 0});
  constexpr int64_t in = 4;
  const double s = std::sqrt(1.0 / in);
  d.step("1", "s", s);
  d.step("2", "mean of y_i²", over_draws(in, s, [&](const Numbers& w) { return dot(w, x) * dot(w, x); }));
  d.step("3", "mean of y_i²", mean_square(x));
  d.law("4", "mean of ‖row‖²", over_draws(in, s, [&](const Numbers& w) { return dot(w, w); }), 1);
  d.law("5", "std of [8, 64]", std::sqrt(1.0 / 64), of_normal({8, 64}, [](Tensor& w, Generator& g) { nn::init_lecun_normal(w, g); }));
}

void trunc_normal() {
  Derivation d("init-trunc-normal");
  const double b = d.given("b", 2)(0);
  const auto density = [](double z) { return std::exp(-z * z / 2) / std::sqrt(2 * M_PI); };
  const auto within = [&](const std::function<double(double)>& f) {  // ∫ f over [-b, b], by Simpson's rule
    constexpr int64_t parts = 20000;
    const double h = 2 * b / parts;
    return h / 3 * sum(parts + 1, [&](int64_t i) {
      return (i == 0 || i == parts ? 1 : i % 2 == 0 ? 2 : 4) * f(-b + h * static_cast<double>(i));
    });
  };
  const double kept = std::erf(b / std::sqrt(2));
  d.law("1", "share that is kept", kept, within(density));
  d.law("2", "∫ z² φ", -2 * b * density(b) + kept, within([&](double z) { return z * z * density(z); }));
  d.step("3", "variance", (kept - 2 * b * density(b)) / kept);
  const double variance = 1 - 2 * b * density(b) / kept;
  d.step("4", "variance", variance);
  d.step("5", "std", std::sqrt(variance));
  d.step("6", "std of N(0, 0.02²) within ±0.04", 0.02 * std::sqrt(variance));
  d.step("7", "what to ask for, to have 0.02", 0.02 / std::sqrt(variance));
  d.step("8", "share that is drawn again", 1 - kept);
  const Tensor w = drawn({8, 24}, [](Tensor& t, Generator& g) { nn::init_trunc_normal(t, 0.02, 2, g); });
  const Tensor once = drawn({8, 24}, [](Tensor& t, Generator& g) { t.assign(randn(t.shape(), t.dtype(), g)); });
  const Tensor stays = abs(once) <= 2;
  d.law("9", "greatest distance of a kept draw from 0.02 z", max(abs(w - 0.02 * once) * stays).item(), 0);
}

// Rows of A, each without what lies along the earlier ones, divided by its length.
Numbers gram_schmidt(const Numbers& a) {
  const int64_t rows = a.shape()[0], columns = a.shape()[1];
  std::vector<Numbers> q;
  for (int64_t i = 0; i < rows; ++i) {
    Numbers rest = each(columns, [&](int64_t j) { return a(i, j); });
    for (const Numbers& earlier : q) {
      const double overlap = dot(rest, earlier);
      rest = each(columns, [&](int64_t j) { return rest(j) - overlap * earlier(j); });
    }
    const double length = std::sqrt(dot(rest, rest));
    q.push_back(each(columns, [&](int64_t j) { return rest(j) / length; }));
  }
  return each(rows, columns, [&](int64_t i, int64_t j) { return q[static_cast<std::size_t>(i)](j); });
}

Numbers product(const Numbers& a, const Numbers& b) {
  return each(a.shape()[0], b.shape()[1],
              [&](int64_t i, int64_t j) { return sum(a.shape()[1], [&](int64_t k) { return a(i, k) * b(k, j); }); });
}
Numbers turned(const Numbers& a) {
  return each(a.shape()[1], a.shape()[0], [&](int64_t i, int64_t j) { return a(j, i); });
}

void orthogonal() {
  Derivation d("init-orthogonal");
  const Numbers a = d.given("A", {{3, 4}, {5, 0}});
  const Numbers identity{{1, 0}, {0, 1}};
  d.step("1", "r_11", std::hypot(a(0, 0), a(0, 1)));
  const Numbers q1{a(0, 0) / 5, a(0, 1) / 5};
  d.step("2", "q_1", q1);
  const double overlap = a(1, 0) * q1(0) + a(1, 1) * q1(1);
  d.step("3", "r_21", overlap);
  const Numbers rest{a(1, 0) - overlap * q1(0), a(1, 1) - overlap * q1(1)};
  d.step("4", "what is left of row 2", rest);
  d.step("5", "r_22", std::hypot(rest(0), rest(1)));
  const Numbers q = gram_schmidt(a);
  d.step("6", "Q", {{q1(0), q1(1)}, {rest(0) / 4, rest(1) / 4}});
  d.law("7", "Q Qᵀ", product(q, turned(q)), identity);
  const Numbers r{{5, 0}, {3, 4}};
  d.law("8", "R Q", product(r, q), a);
  const Numbers x = d.given("x", {1, 2}), g = d.given("g", {3, 1});
  const Numbers y = each(2, [&](int64_t i) { return q(i, 0) * x(0) + q(i, 1) * x(1); });
  d.step("9", "y", y);
  d.law("10", "‖y‖²", dot(y, y), dot(x, x));
  const Numbers dx = each(2, [&](int64_t j) { return g(0) * q(0, j) + g(1) * q(1, j); });
  d.step("11", "dL/dx", dx);
  d.law("12", "‖dL/dx‖²", dot(dx, dx), dot(g, g));
  const Numbers turn{{0.8, 0.6}, {-0.6, 0.8}};
  d.law("13", "Q of A U", gram_schmidt(product(a, turn)), product(q, turn));
  d.law("14", "R with the signs of q_1 turned, times its Q", product({{-5, 0}, {-3, 4}}, {{-q(0, 0), -q(0, 1)}, {q(1, 0), q(1, 1)}}), a);
  const Tensor random = drawn({2, 3}, [](Tensor& w, Generator& t) { w.assign(randn(w.shape(), w.dtype(), t)); });
  d.law("15", "Q of a random [2, 3]", gram_schmidt(random), drawn({2, 3}, [](Tensor& w, Generator& t) { nn::init_orthogonal(w, 1, t); }));
}

double by_rule(const char* name, int64_t sublayers, const Shape& shape, Role role) {
  Generator generator(1);
  Tensor w = zeros(shape, DType::f64);
  const nn::Init init = nn::inits().find(name).value({.added_sublayers = sublayers});
  manual_seed(1);
  init(w, role);
  manual_seed(1);
  return w.at({0, 0}) / randn(shape, DType::f64).at({0, 0});
}

void gpt2() {
  Derivation d("init-gpt2");
  constexpr int64_t sublayers = 4;
  const double v = d.given("v", 1)(0);
  const auto sum_of = [](const Numbers& f) { return sum(sublayers, [&](int64_t k) { return f(k); }); };
  d.law("1", "mean of f_1 f_k",
        each(sublayers, [&](int64_t k) { return over_draws(sublayers, std::sqrt(v), [&](const Numbers& f) { return f(0) * f(k); }); }),
        {v, 0, 0, 0});
  d.step("2", "mean of (Σ f_k)²", over_draws(sublayers, std::sqrt(v), [&](const Numbers& f) { return sum_of(f) * sum_of(f); }));
  d.step("3", "mean of (Σ f_k)²", sublayers * v);
  const double share = 1 / std::sqrt(sublayers);
  d.step("4", "factor", share);
  d.step("5", "mean of f_k² with it", v * share * share);
  d.law("6", "mean of (Σ f_k)² with it",
        over_draws(sublayers, std::sqrt(v) * share, [&](const Numbers& f) { return sum_of(f) * sum_of(f); }), v);
  d.law("7", "std for 12 layers", {0.02, 0.02 / std::sqrt(24)},
        {by_rule("gpt2", 24, {8, 24}, Role::weight), by_rule("gpt2", 24, {8, 24}, Role::writes_stream)});
  d.step("8", "up by 0.02 at widths 64, 768 and 2500", {64 * 4e-4, 768 * 4e-4, 2500 * 4e-4});
}

void depth_scaled() {
  Derivation d("init-depth-scaled");
  d.step("1", "s² for 64 numbers in", 1.0 / 64);
  d.step("2", "up", 64 * (1.0 / 64));
  d.step("3", "s² of what writes, 4 layers", 1.0 / (8 * 64));
  d.law("4", "both deviations", {1.0 / 8, 1 / std::sqrt(512)},
        {by_rule("depth-scaled", 8, {16, 64}, Role::weight), by_rule("depth-scaled", 8, {16, 64}, Role::writes_stream)});
}

}  // namespace

int main() {
  xavier_normal();
  xavier_uniform();
  kaiming();
  lecun();
  trunc_normal();
  orthogonal();
  gpt2();
  depth_scaled();
  return verdict();
}
