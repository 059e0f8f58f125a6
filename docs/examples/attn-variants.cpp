// Attention's variants: shared heads, the cache, the window, the cap and the sink, each on a few numbers.
#include <cmath>
#include <limits>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// A grid [T, H] as [1, T, H, 1]: one sample, heads of width 1.
Tensor heads_of_one(const Tensor& x) { return reshape(x, {1, x.size(0), x.size(1), 1}); }
Tensor one_head(const Tensor& x) { return reshape(x, {1, x.size(0), 1, 1}); }

// One query with four heads, two keys and values in `groups` heads. owner(h): whose keys the head reads.
void shared_heads(const std::string& id, int64_t groups, const Numbers& k, const Numbers& v) {
  constexpr int64_t heads = 4, keys = 2;
  Derivation d(id);
  d.given("k", k);
  d.given("v", v);
  const Numbers q = d.given("q", {1, 0, 1, -1});
  const Numbers g = d.given("g", {1, 2, -1, 2});
  const auto owner = [&](int64_t h) { return h / (heads / groups); };
  d.step("1", "c(h)", each(heads, [&](int64_t h) { return static_cast<double>(owner(h)) + 1; }));
  const auto of = [&](auto c) {  // P [H, keys], c(h) being the owner of head h
    return each(heads, keys, [&](int64_t h, int64_t s) {
      return std::exp(q(h) * k(s, c(h))) / sum(keys, [&](int64_t r) { return std::exp(q(h) * k(r, c(h))); });
    });
  };
  const auto read = [&](auto c) {
    const Numbers p = of(c);
    return each(heads, [&](int64_t h) { return sum(keys, [&](int64_t s) { return p(h, s) * v(s, c(h)); }); });
  };
  const Numbers p = of(owner), y = read(owner);
  d.step("2", "P", p);
  d.step("3", "y", y);
  const auto in_group = [&](int64_t h, int64_t c) { return owner(h) == c ? 1.0 : 0.0; };
  d.step("4", "dL/dv",
         each(keys, groups, [&](int64_t s, int64_t c) { return sum(heads, [&](int64_t h) { return in_group(h, c) * p(h, s) * g(h); }); }));
  const Numbers dz = each(heads, keys, [&](int64_t h, int64_t s) { return p(h, s) * (g(h) * v(s, owner(h)) - g(h) * y(h)); });
  d.step("5", "dL/dz", dz);
  d.step("6", "dL/dk",
         each(keys, groups, [&](int64_t s, int64_t c) { return sum(heads, [&](int64_t h) { return in_group(h, c) * dz(h, s) * q(h); }); }));
  if (groups > 1) d.step("7", "y with heads 1 2 1 2", read([&](int64_t h) { return h % groups; }));
  const auto attend = [&](const Tensor& a, const Tensor& b) {
    return reshape(nn::attention(reshape(q, {1, 1, heads, 1}), heads_of_one(a), heads_of_one(b)), {heads});
  };
  d.gradient("dL/dk", [&](const Tensor& t) { return attend(t, v); }, k, g);
  d.gradient("dL/dv", [&](const Tensor& t) { return attend(k, t); }, v, g);
}

// The tokens of attn-causal-mask, one by one.
void cache() {
  Derivation d("attn-kv-cache");
  const Numbers k = d.given("k", {0, std::log(2), std::log(3)}), v = d.given("v", {6, 12, 18});
  const auto y = [&](int64_t seen) {
    return sum(seen, [&](int64_t s) { return std::exp(k(s)) * v(s); }) / sum(seen, [&](int64_t s) { return std::exp(k(s)); });
  };
  const Tensor whole = nn::attention(ones({1, 3, 1, 1}, DType::f64), one_head(k), one_head(v), {.causal = true});
  const auto last = [&](int64_t seen) {  // one query, and the keys that are there
    return Numbers(reshape(
        nn::attention(ones({1, 1, 1, 1}, DType::f64), slice(one_head(k), 1, 0, seen), slice(one_head(v), 1, 0, seen), {.causal = true}),
        {}));
  };
  d.law("1", "y_1 with one key", y(1), last(1));
  d.law("2", "y_2 with two", y(2), last(2));
  d.law("3", "y_3 with three", y(3), last(3));
  d.law("4", "y of all at once", {y(1), y(2), y(3)}, Numbers(reshape(whole, {3})));
  const auto squares = sum(65, [](int64_t t) { return static_cast<double>(t * t); }),
             steps = sum(65, [](int64_t t) { return static_cast<double>(t); });
  d.step("5", "positions through the weights, with and without, 64 tokens", {64, steps});
  d.step("6", "their ratio", steps / 64);
  d.step("7", "queries times keys, with and without, 64 tokens", {steps, squares});
  d.step("8", "their ratio in scores", squares / steps);
}

// The same tokens in a window of two.
void window() {
  constexpr int64_t n = 3, reach = 2;
  Derivation d("attn-sliding-window");
  const Numbers k = d.given("k", {0, std::log(2), std::log(3)}), v = d.given("v", {6, 12, 18});
  const Numbers g = d.given("g", {2, 3, -5});
  const auto sees = [](int64_t t, int64_t s) { return s <= t && t - s < reach ? 1.0 : 0.0; };
  d.step("1", "seen", each(n, n, sees));
  const Numbers p = each(n, n, [&](int64_t t, int64_t s) {
    return sees(t, s) * std::exp(k(s)) / sum(n, [&](int64_t r) { return sees(t, r) * std::exp(k(r)); });
  });
  d.step("2", "P", p);
  const Numbers y = each(n, [&](int64_t t) { return sum(n, [&](int64_t s) { return p(t, s) * v(s); }); });
  d.step("3", "y", y);
  d.step("4", "dL/dv", each(n, [&](int64_t s) { return sum(n, [&](int64_t t) { return p(t, s) * g(t); }); }));
  const Numbers dz = each(n, n, [&](int64_t t, int64_t s) { return p(t, s) * (g(t) * v(s) - g(t) * y(t)); });
  d.step("5", "dL/dz", dz);
  d.step("6", "dL/dk", each(n, [&](int64_t s) { return sum(n, [&](int64_t t) { return dz(t, s); }); }));
  d.step("7", "scores of 1000 tokens, causal", 1000.0 * 1001 / 2);
  d.step("8", "scores of 1000 tokens in a window of 100",
         sum(1000, [](int64_t t) { return std::min<double>(static_cast<double>(t) + 1, 100); }));
  const auto attend = [&](const Tensor& a, const Tensor& b) {
    return reshape(nn::attention(ones({1, n, 1, 1}, DType::f64), one_head(a), one_head(b), {.causal = true, .window = reach}), {n});
  };
  d.gradient("dL/dk", [&](const Tensor& t) { return attend(t, v); }, k, g);
  d.gradient("dL/dv", [&](const Tensor& t) { return attend(k, t); }, v, g);
}

// One query of width 1, so that the keys are the scores.
void softcap() {
  Derivation d("attn-softcap");
  const double ln2 = std::log(2), cap = 5;
  const Numbers z = d.given("z", {0, 5 * ln2}), v = d.given("v", {0, 1}), g = d.given("g", 10);
  const Numbers capped = each(2, [&](int64_t s) { return cap * std::tanh(z(s) / cap); });
  d.step("1", "z'", capped);
  const Numbers slope = each(2, [&](int64_t s) { return 1 - std::pow(std::tanh(z(s) / cap), 2); });
  d.step("2", "dz'/dz", slope);
  d.step("3", "dz'/dz", each(2, [&](int64_t s) { return 1 - std::pow(capped(s) / cap, 2); }));
  const double total = sum(2, [&](int64_t s) { return std::exp(capped(s)); });
  const Numbers p = each(2, [&](int64_t s) { return std::exp(capped(s)) / total; });
  d.step("4", "P", p);
  const double y = sum(2, [&](int64_t s) { return p(s) * v(s); });
  const Numbers dcapped = each(2, [&](int64_t s) { return p(s) * (g(0) * v(s) - g(0) * y); });
  d.step("5", "dL/dz'", dcapped);
  d.step("6", "dL/dz", each(2, [&](int64_t s) { return dcapped(s) * slope(s); }));
  d.step("7", "greatest ratio of two weights", std::exp(2 * cap));
  d.gradient("dL/dz", [&](const Tensor& t) {
    return reshape(nn::attention(ones({1, 1, 1, 1}, DType::f64), one_head(t), one_head(v), {.scale = 1, .softcap = cap}), {});
  }, z, g);
}

void sink() {
  Derivation d("attn-sink");
  const Numbers z = d.given("z", {0, std::log(3)}), v = d.given("v", {8, 16}), g = d.given("g", 1);
  const Numbers s = d.given("s", {std::log(4)});
  const double total = std::exp(s(0)) + std::exp(z(0)) + std::exp(z(1));
  d.step("1", "Z", total);
  const Numbers p = each(2, [&](int64_t i) { return std::exp(z(i)) / total; });
  d.step("2", "P", p);
  const double p_sink = std::exp(s(0)) / total;
  d.step("3", "P_sink", p_sink);
  const double y = p(0) * v(0) + p(1) * v(1);
  d.step("4", "y", y);
  const double keys_alone = (v(0) + 3 * v(1)) / 4;
  d.step("5", "y", keys_alone * (1 - p_sink));
  d.step("6", "D", g(0) * y);
  d.step("7", "dL/dz", each(2, [&](int64_t i) { return p(i) * (g(0) * v(i) - g(0) * y); }));
  d.step("8", "dL/ds", {p_sink * (0 - g(0) * y)});
  d.step("9", "dL/dv", each(2, [&](int64_t i) { return p(i) * g(0); }));
  d.law("10", "Σ dL/dz + dL/ds", p(0) * (v(0) - y) + p(1) * (v(1) - y) - p_sink * y, 0);
  const auto attend = [](const Tensor& a, const Tensor& b, const Tensor& c) {
    return reshape(nn::attention(ones({1, 1, 1, 1}, DType::f64), one_head(a), one_head(b), {.sink = c}), {});
  };
  d.gradient("dL/dz", [&](const Tensor& t) { return attend(t, v, s); }, z, g);
  d.gradient("dL/ds", [&](const Tensor& t) { return attend(z, v, t); }, s, g);
  d.gradient("dL/dv", [&](const Tensor& t) { return attend(z, t, s); }, v, g);
}

// A query at place 1 of width 1, and two keys.
void temperature() {
  Derivation d("attn-temperature");
  const double ln2 = std::log(2), beta = 1 / ln2;
  constexpr int64_t length = 2;
  const Numbers k = d.given("k", {0, ln2}), v = d.given("v", {0, 10}), q = d.given("q", {1}), g = d.given("g", 1);
  const auto factor = [&](int64_t p) { return 1 + beta * std::log(1 + static_cast<double>((p + 1) / length)); };
  d.law("1", "s", each(4, factor), nn::query_scale(arange(4), beta, length, DType::f64));
  const double s = factor(1);
  const Numbers z = each(2, [&](int64_t j) { return s * q(0) * k(j); });
  d.step("2", "z'", z);
  const double total = sum(2, [&](int64_t j) { return std::exp(z(j)); });
  const Numbers p = each(2, [&](int64_t j) { return std::exp(z(j)) / total; });
  d.step("3", "P", p);
  const double y = sum(2, [&](int64_t j) { return p(j) * v(j); });
  d.step("4", "y", y);
  const Numbers dz = each(2, [&](int64_t j) { return p(j) * (g(0) * v(j) - g(0) * y); });
  d.step("5", "dL/dz'", dz);
  const double dq = sum(2, [&](int64_t j) { return dz(j) * k(j); });
  d.step("6", "dL/dq'", dq);
  d.step("7", "dL/dq", {s * dq});
  const auto weight = [](double n, double times) { return std::pow(9, times) / (std::pow(9, times) + n - 1); };
  d.step("8", "weight among 10 and 100 keys", {weight(10, 1), weight(100, 1)});
  const auto remedy = [](double n) { return std::log(n - 1) / std::log(9); };
  d.law("9", "factor with which it is half", {remedy(10), remedy(100)},
        {weight(10, remedy(10)) / 0.5 * remedy(10), weight(100, remedy(100)) / 0.5 * remedy(100)});
  d.gradient("dL/dq", [&](const Tensor& t) {
    const Tensor scaled = t * nn::query_scale(tensor({1}, DType::i64), beta, length, DType::f64);
    return reshape(nn::attention(reshape(scaled, {1, 1, 1, 1}), one_head(k), one_head(v), {.scale = 1}), {});
  }, q, g);
}

}  // namespace

int main() {
  const double ln3 = std::log(3);
  shared_heads("attn-gqa", 2, {{0, 0}, {ln3, ln3}}, {{4, 8}, {8, 0}});
  shared_heads("attn-mqa", 1, Numbers(Shape{2, 1}, {0, ln3}), Numbers(Shape{2, 1}, {4, 8}));
  cache();
  window();
  softcap();
  sink();
  temperature();
  return verdict();
}
