// The encodings that add a number to each score: pos-alibi, pos-t5, pos-kerple, pos-fire, pos-cope, pos-dynamic-bias.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"
#include "nn/position/alibi.h"
#include "nn/position/cope.h"
#include "nn/position/dynamic_bias.h"
#include "nn/position/fire.h"
#include "nn/position/kerple.h"
#include "nn/position/t5.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr nn::PositionOptions kOneHead{.d_model = 1, .heads = 1, .head_dim = 1, .max_length = 32};

// What an encoding of one head adds to the scores of queries and keys at these places, [T, S].
Tensor added(nn::PositionEncoding& position, const nn::Positions& places) {
  const int64_t rows = places.queries.size(0), columns = places.keys.size(0);
  const Tensor q = zeros({1, rows, 1, 1}, DType::f64), k = zeros({1, columns, 1, 1}, DType::f64);
  return reshape(position.on_scores(q, k, places, 1), {rows, columns});
}

nn::Positions at(const std::vector<int64_t>& queries, const std::vector<int64_t>& keys) {
  return {from_vector(queries, {static_cast<int64_t>(queries.size())}), from_vector(keys, {static_cast<int64_t>(keys.size())})};
}

Numbers softmax(int64_t n, const Numbers& e) {
  const double all = sum(n, [&](int64_t j) { return std::exp(e(j)); });
  return each(n, [&](int64_t j) { return std::exp(e(j)) / all; });
}

void alibi() {
  Derivation d("pos-alibi");
  constexpr int64_t n = 4, heads = 8;
  const Numbers s = d.given("s", {1.5 + std::log(2), 1, 0.5, 0});
  const Numbers far = d.given("d", {3, 2, 1, 0});
  const Numbers g = d.given("g", {1, 0, 0, 1});

  const auto text = [](int64_t all, int64_t h) { return std::pow(2, -8.0 * static_cast<double>(h) / static_cast<double>(all)); };
  const Numbers slopes = each(heads, [&](int64_t h) { return text(heads, h + 1); });
  d.law("h1", "1/m of 8 heads", each(heads, [&](int64_t h) { return 1 / slopes(h); }), 1 / nn::alibi_slopes(heads));
  d.law("h2", "m of 3 heads by the text", each(3, [&](int64_t h) { return text(3, h + 1); }), nn::alibi_slopes(3, nn::AlibiSlopes::text));
  d.law("h3", "m of 3 heads", {text(2, 1), text(2, 2), text(4, 1)}, nn::alibi_slopes(3));
  const double m = slopes(0);
  d.step("h4", "-m d", each(n, [&](int64_t j) { return -m * far(j); }));
  const Numbers e = each(n, [&](int64_t j) { return s(j) - m * far(j); });
  d.step("h5", "e", e);
  const Numbers p = softmax(n, e), without = softmax(n, s);
  d.step("h6", "P", p);
  d.step("h7", "softmax(s)", without);

  d.step("1", "e", e);
  const auto weight = [&](int64_t j) { return std::exp(-m * far(j)); };
  d.step("2", "w", each(n, weight));
  const double products = sum(n, [&](int64_t j) { return std::exp(s(j)) * weight(j); });
  d.step("3", "P", each(n, [&](int64_t j) { return std::exp(s(j)) * weight(j) / products; }));
  const double shares = sum(n, [&](int64_t j) { return without(j) * weight(j); });
  d.step("4", "P", each(n, [&](int64_t j) { return without(j) * weight(j) / shares; }));
  d.law("5", "P_1 / P_2", std::exp(s(0) - s(1)) * std::exp(-m), p(0) / p(1));
  d.step("6", "P", softmax(n, each(n, [&](int64_t j) { return s(j) + m * static_cast<double>(j); })));
  const double mean_g = sum(n, [&](int64_t j) { return g(j) * p(j); });
  const Numbers de = each(n, [&](int64_t j) { return p(j) * (g(j) - mean_g); });
  d.step("7", "dL/de", de);
  d.step("8", "dL/ds", de);
  d.step("9", "dL/dm", -sum(n, [&](int64_t j) { return far(j) * de(j); }));
  const double mean_d = sum(n, [&](int64_t j) { return p(j) * far(j); });
  d.step("10", "dL/dm", -(sum(n, [&](int64_t j) { return p(j) * g(j) * far(j); }) - mean_g * mean_d));
  d.step("11", "mean d", mean_d);
  const double variance = sum(n, [&](int64_t j) { return p(j) * far(j) * far(j); }) - mean_d * mean_d;
  d.step("12", "∂(mean d)/∂m", -variance);
  d.step("13", "P of 0 … 3 for equal scores",
         each(n, [&](int64_t j) { return (1 - std::exp(-m)) * std::exp(-m * static_cast<double>(j)); }));
  const auto mean_of = [&](double slope) {  // by the sum itself, until nothing is left of it
    constexpr int64_t many = 20000;
    return sum(many,
               [&](int64_t t) { return static_cast<double>(t) * (1 - std::exp(-slope)) * std::exp(-slope * static_cast<double>(t)); });
  };
  d.law("14", "mean d of 8 heads for equal scores", each(heads, [&](int64_t h) { return 1 / (std::exp(slopes(h)) - 1); }),
        each(heads, [&](int64_t h) { return mean_of(slopes(h)); }));
  d.step("15", "half of the weight", each(heads, [&](int64_t h) { return std::log(2) / slopes(h); }));

  nn::PositionOptions options = kOneHead;
  options.heads = heads;
  nn::ALiBi position(options);
  const Tensor any = zeros({1, 1, heads, 1}, DType::f64), keys = zeros({1, n, heads, 1}, DType::f64);
  const Tensor bias = reshape(slice(position.on_scores(any, keys, at({3}, {0, 1, 2, 3}), 1), -3, 0, 1), {n});
  d.gradient("dL/ds", [&](const Tensor& t) { return nn::softmax(t + bias); }, s, g);
  d.gradient("dL/dm", [&](const Tensor& t) { return nn::softmax(s.tensor() - t * far.tensor()); }, m, g);
}

void t5() {
  Derivation d("pos-t5");
  constexpr int64_t rows = 2, columns = 3, n = 8;
  constexpr double longest = 16;
  const std::vector<int64_t> queries{6, 12}, keys{0, 5, 6};
  const Numbers b = d.given("b", {4, 3, 0, 0, 0, 1, 0, -2});
  const Numbers e_bar = d.given("E", {{1, 2, -3}, {-1, 2, -1}});
  const auto far = [&](int64_t i, int64_t j) {
    return static_cast<double>(queries[static_cast<std::size_t>(i)] - keys[static_cast<std::size_t>(j)]);
  };
  const auto steps = [&](double distance) { return std::log(distance / 4) / std::log(longest / 4) * 4; };
  const auto bucket = [&](double distance) { return distance < 4 ? distance : std::min<double>(4 + std::floor(steps(distance)), n - 1); };
  d.step("1", "d", each(rows, columns, far));
  d.step("2", "log steps of d: 4, 5, 6, 7, 8", each(5, [&](int64_t t) { return steps(static_cast<double>(4 + t)); }));
  const Numbers ids = each(rows, columns, [&](int64_t i, int64_t j) { return bucket(far(i, j)); });
  d.law("3", "bucket", ids, cast(nn::t5_buckets(nn::key_offsets(at(queries, keys)), true, {.buckets = n, .max_distance = 16}), DType::f64));
  d.step("4", "e - s", each(rows, columns, [&](int64_t i, int64_t j) { return b(static_cast<int64_t>(ids(i, j))); }));
  d.step("5", "dL/db", each(n, [&](int64_t r) {
    return sum(rows,
               [&](int64_t i) { return sum(columns, [&](int64_t j) { return delta(static_cast<int64_t>(ids(i, j)), r) * e_bar(i, j); }); });
  }));
  d.step("6", "where buckets 4 to 7 begin", each(4, [&](int64_t t) { return 4 * std::pow(longest / 4, static_cast<double>(t) / 4); }));
  d.step("7", "where bucket 31 of 32 begins", 16 * std::pow(128.0 / 16, 15.0 / 16));
  const Tensor ends = cast(nn::t5_buckets(from_vector(std::vector<int64_t>{-112, -113, -100000}, {3}), true), DType::f64);
  d.law("8", "bucket of 112, 113 and 100,000", {30, 31, 31}, ends);

  d.gradient("dL/db", [&](const Tensor& t) {
    nn::T5Position position(kOneHead, {.buckets = n, .max_distance = 16});
    static_cast<Tensor&>(position.weight) = reshape(t, {n, 1});
    return added(position, at(queries, keys));
  }, b, e_bar);
}

void kerple() {
  Derivation d("pos-kerple");
  constexpr int64_t n = 3;
  const nn::Positions places = at({3}, {3, 2, 0});
  const Numbers far = d.given("d", {0, 1, 3});
  const Numbers e_bar = d.given("E", {1, 1, -2});
  const double r1 = 2, r2 = 1;
  d.given("r1", r1);
  d.given("r2", r2);
  d.step("1", "e - s", each(n, [&](int64_t j) { return -r1 * std::log(1 + r2 * far(j)); }));
  d.step("2", "w", each(n, [&](int64_t j) { return std::pow(1 + r2 * far(j), -r1); }));
  const double by_r1 = -sum(n, [&](int64_t j) { return e_bar(j) * std::log(1 + r2 * far(j)); });
  d.step("3", "dL/dr1", by_r1);
  d.step("4", "dL/dr2", -r1 * sum(n, [&](int64_t j) { return e_bar(j) * far(j) / (1 + r2 * far(j)); }));
  d.step("5", "dL/dr1 at r1: -2", -by_r1);
  const double p1 = 0.5, p2 = 1;
  d.step("6", "e - s of the power, r1: 0.5, r2: 1", each(n, [&](int64_t j) { return -p1 * std::pow(far(j), p2); }));
  d.step("7", "dL/dr1 of the power", -sum(n, [&](int64_t j) { return e_bar(j) * std::pow(far(j), p2); }));
  d.step("8", "dL/dr2 of the power",
         -p1 * sum(n, [&](int64_t j) { return far(j) == 0 ? 0 : e_bar(j) * std::pow(far(j), p2) * std::log(far(j)); }));

  const auto bias = [&](nn::KerpleForm form, const Tensor& a, const Tensor& b) {
    nn::KerplePosition position(kOneHead, form);
    static_cast<Tensor&>(position.r1) = reshape(a, {1});
    static_cast<Tensor&>(position.r2) = reshape(b, {1});
    const Tensor q = zeros({1, 1, 1, 1}, DType::f64), k = zeros({1, n, 1, 1}, DType::f64);
    return reshape(position.on_scores(q, k, places, 1), {n});
  };
  constexpr auto logarithmic = nn::KerpleForm::logarithmic, power = nn::KerpleForm::power;
  d.gradient("dL/dr1", [&](const Tensor& t) { return bias(logarithmic, t, Numbers(r2)); }, r1, e_bar);
  d.gradient("dL/dr2", [&](const Tensor& t) { return bias(logarithmic, Numbers(r1), t); }, r2, e_bar);
  d.gradient("dL/dr1 at r1: -2", [&](const Tensor& t) { return bias(logarithmic, t, Numbers(r2)); }, -2, e_bar);
  d.gradient("dL/dr1 of the power", [&](const Tensor& t) { return bias(power, t, Numbers(p2)); }, p1, e_bar);
  d.gradient("dL/dr2 of the power", [&](const Tensor& t) { return bias(power, Numbers(p1), t); }, p2, e_bar);
}

// Two queries, one nearer to the beginning than ℓ and one beyond; f(t): 2 t.
void fire() {
  Derivation d("pos-fire");
  constexpr int64_t rows = 2, columns = 2;
  const std::vector<int64_t> queries{1, 7}, keys{0, 4};
  const double c = 1, length = 3, slope = 2;
  d.given("c", c);
  d.given("ℓ", length);
  const Numbers e_bar = d.given("E", {{1, -1}, {4, -4}});
  const auto place = [](const std::vector<int64_t>& of, int64_t i) { return static_cast<double>(of[static_cast<std::size_t>(i)]); };
  const auto far = [&](int64_t i, int64_t j) { return std::abs(place(queries, i) - place(keys, j)); };
  const auto longest = [&](int64_t i) { return std::max(length, place(queries, i)); };
  const auto psi = [&](double x) { return std::log(c * x + 1); };
  d.step("1", "d", each(rows, columns, far));
  d.step("2", "t", each(rows, columns, [&](int64_t i, int64_t j) { return psi(far(i, j)) / psi(longest(i)); }));
  d.step("3", "e - s", each(rows, columns, [&](int64_t i, int64_t j) { return slope * psi(far(i, j)) / psi(longest(i)); }));
  d.step("4", "dL/dt", each(rows, columns, [&](int64_t i, int64_t j) { return e_bar(i, j) * slope; }));
  const auto over_pairs = [&](const auto& f) {
    return sum(rows, [&](int64_t i) { return sum(columns, [&](int64_t j) { return e_bar(i, j) * slope * f(i, j); }); });
  };
  const auto psi_c = [&](double x) { return x / (c * x + 1); };
  d.step("5", "∂ψ/∂c of d", each(rows, columns, [&](int64_t i, int64_t j) { return psi_c(far(i, j)); }));
  d.step("6", "dL/dc", over_pairs([&](int64_t i, int64_t j) {
    const double below = psi(longest(i));
    return (psi_c(far(i, j)) * below - psi(far(i, j)) * psi_c(longest(i))) / (below * below);
  }));
  d.step("7", "dL/dℓ", over_pairs([&](int64_t i, int64_t j) {
    const double below = psi(longest(i));
    return (place(queries, i) < length ? 1 : 0) * -psi(far(i, j)) / (below * below) * c / (c * length + 1);
  }));
  const auto bias = [&](const Tensor& c_, const Tensor& length_) {
    nn::FirePosition position(kOneHead, {.hidden = 1, .threshold = 1});
    position.to(DType::f64);
    position.inner.weight.fill(1);
    position.inner.bias.fill(0);
    position.outer.weight.fill(slope);
    position.outer.bias.fill(0);
    static_cast<Tensor&>(position.c) = c_;
    static_cast<Tensor&>(position.factor) = length_;  // of a threshold of 1
    return added(position, at(queries, keys));
  };
  d.gradient("dL/dc", [&](const Tensor& t) { return bias(t, Numbers(length)); }, c, e_bar);
  d.gradient("dL/dℓ", [&](const Tensor& t) { return bias(Numbers(c), t); }, length, e_bar);
}

// One query at 2 and its keys at 0, 1, 2, of width 1 and scale 1.
void cope() {
  Derivation d("pos-cope");
  constexpr int64_t n = 3;
  const double q = 1;
  d.given("q", q);
  const Numbers k = d.given("k", {0, 0, std::log(3)});
  const Numbers e = d.given("w", {0, 2, 3});
  const Numbers g = d.given("E", {2, 4, -6});
  const Numbers gates = each(n, [&](int64_t j) { return 1 / (1 + std::exp(-q * k(j))); });
  d.step("1", "u", gates);
  const Numbers p = each(n, [&](int64_t j) { return sum(n - j, [&](int64_t t) { return gates(j + t); }); });
  d.step("2", "p", p);
  const auto below = [&](int64_t j) { return std::floor(p(j)); };
  const auto share = [&](int64_t j) { return p(j) - below(j); };
  const auto row = [&](int64_t j, int64_t up) { return e(static_cast<int64_t>(below(j)) + up); };
  d.step("3", "share", each(n, share));
  d.step("4", "e - s", each(n, [&](int64_t j) { return q * ((1 - share(j)) * row(j, 0) + share(j) * row(j, 1)); }));
  const Numbers by_p = each(n, [&](int64_t j) { return g(j) * q * (row(j, 1) - row(j, 0)); });
  d.step("5", "dL/dp", by_p);
  const Numbers by_gate = each(n, [&](int64_t t) { return sum(t + 1, [&](int64_t j) { return by_p(j); }); });
  d.step("6", "dL/du", by_gate);
  d.step("7", "dL/dk", each(n, [&](int64_t t) { return by_gate(t) * gates(t) * (1 - gates(t)) * q; }));
  d.step("8", "dL/dw", each(n, [&](int64_t r) {
    return sum(n, [&](int64_t j) {
      const auto low = static_cast<int64_t>(below(j));
      return g(j) * q * ((1 - share(j)) * delta(low, r) + share(j) * delta(low + 1, r));
    });
  }));
  const auto bias = [&](const Tensor& keys, const Tensor& table) {
    nn::CoPE position(kOneHead, 3);
    static_cast<Tensor&>(position.weight) = reshape(table, {n, 1});
    const Tensor qh = full({1, 1, 1, 1}, q, DType::f64);
    return reshape(position.on_scores(qh, reshape(keys, {1, n, 1, 1}), at({2}, {0, 1, 2}), 1), {n});
  };
  d.gradient("dL/dk", [&](const Tensor& t) { return bias(t, e); }, k, g);
  d.gradient("dL/dw", [&](const Tensor& t) { return bias(k, t); }, e, g);
}

// Queries and keys at 0 and 1; one hidden layer of three.
void dynamic_bias() {
  Derivation d("pos-dynamic-bias");
  constexpr int64_t distances = 3, hidden = 3, n = 2;
  const Numbers w = d.given("w", {1, 0, -1});
  const Numbers b = d.given("b", {1, -1, 0});
  const Numbers v = d.given("v", {1, 2, 3});
  const Numbers e_bar = d.given("E", {{1, -1}, {2, -2}});
  const Numbers a = each(distances, hidden, [&](int64_t r, int64_t c) { return w(c) * static_cast<double>(r - 1) + b(c); });
  d.step("1", "a", a);
  const Numbers h = each(distances, hidden, [&](int64_t r, int64_t c) {
    const double mean = sum(hidden, [&](int64_t m) { return a(r, m); }) / hidden;
    const double variance = sum(hidden, [&](int64_t m) { return (a(r, m) - mean) * (a(r, m) - mean); }) / hidden;
    return std::max(0.0, (a(r, c) - mean) / std::sqrt(variance + 1e-5));
  });
  d.step("2", "h", h);
  const auto f = [&](int64_t r) { return sum(hidden, [&](int64_t c) { return v(c) * h(r, c); }); };
  d.step("3", "f", each(distances, f));
  d.step("4", "e - s", each(n, n, [&](int64_t i, int64_t j) { return f(i - j + 1); }));
  const Numbers df = each(distances, [&](int64_t r) {
    return sum(n, [&](int64_t i) { return sum(n, [&](int64_t j) { return delta(i - j + 1, r) * e_bar(i, j); }); });
  });
  d.step("5", "dL/df", df);
  d.step("6", "dL/dv", each(hidden, [&](int64_t c) { return sum(distances, [&](int64_t r) { return df(r) * h(r, c); }); }));
  d.step("7", "dL/dh", each(distances, hidden, [&](int64_t r, int64_t c) { return df(r) * v(c); }));
  d.gradient("dL/dv", [&](const Tensor& t) {
    nn::DynamicPositionBias position(kOneHead, {.hidden = hidden, .depth = 1});
    position.to(DType::f64);
    position.maps[0].weight.assign(reshape(w.tensor(), {hidden, 1}));
    position.maps[0].bias.assign(b.tensor());
    position.maps[1].bias.fill(0);
    static_cast<Tensor&>(position.maps[1].weight) = reshape(t, {1, hidden});
    return added(position, at({0, 1}, {0, 1}));
  }, v, e_bar);
}

}  // namespace

int main() {
  alibi();
  t5();
  kerple();
  fire();
  cope();
  dynamic_bias();
  return verdict();
}
