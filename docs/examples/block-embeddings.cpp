// Ids inside the blocks: value embeddings and per-layer embeddings, their values and their gradients line by line.
#include <cmath>
#include <numbers>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double sigma(double x) { return 1 / (1 + std::exp(-x)); }

// Three tokens of two ids, one head of one column; the gate reads x, which has one column, too.
void value_embedding() {
  Derivation d("block-value-embedding");
  const Numbers x = d.given("x", {0, std::log(2), -std::log(2)});
  const Numbers v = d.given("v", {2, 4, -1}), table = d.given("E", {3, 5});
  const Numbers w = d.given("W_g", {1});
  const Numbers big = d.given("g′", {1, 2, -1});
  const std::vector<int64_t> ids{1, 0, 1};
  const auto row = [&](int64_t t) { return table(ids[static_cast<std::size_t>(t)]); };
  const Numbers u = each(3, [&](int64_t t) { return w(0) * x(t); });
  d.step("1", "u", u);
  const Numbers g = each(3, [&](int64_t t) { return 3 * sigma(u(t)); });
  d.step("2", "g", g);
  d.step("3", "v′", each(3, [&](int64_t t) { return v(t) + g(t) * row(t); }));
  d.step("4", "dL/dv", big);
  const auto of_id = [&](int64_t i, int64_t t) { return ids[static_cast<std::size_t>(t)] == i ? 1.0 : 0.0; };
  d.step("5", "dL/dE", each(2, [&](int64_t i) { return sum(3, [&](int64_t t) { return of_id(i, t) * g(t) * big(t); }); }));
  const Numbers dg = each(3, [&](int64_t t) { return big(t) * row(t); });
  d.step("6", "dL/dg", dg);
  const Numbers du = each(3, [&](int64_t t) { return g(t) * (1 - g(t) / 3) * dg(t); });
  d.step("7", "dL/du", du);
  d.step("8", "dL/dW_g", Numbers{sum(3, [&](int64_t t) { return du(t) * x(t); })});
  const double rows = 6.0 * 32'768 * 768;
  d.step("9", "numbers in the tables of nanochat's model of 12 layers", rows);
  d.step("10", "and in its matrices", 12.0 * 12 * 768 * 768);
  const Tensor places = tensor({1, 0, 1}, DType::i64);
  const auto all = [&](const Tensor& values, const Tensor& rows_of_ids, const Tensor& map) {
    const Tensor gate = 3 * nn::act::sigmoid(map * x.tensor());
    return values + gate * flatten(nn::embedding(places, reshape(rows_of_ids, {2, 1})));
  };
  d.gradient("dL/dv", [&](const Tensor& t) { return all(t, table, w); }, v, big);
  d.gradient("dL/dE", [&](const Tensor& t) { return all(v, t, w); }, table, big);
  d.gradient("dL/dW_g", [&](const Tensor& t) { return all(v, table, t); }, w, big);
}

double rms(const Numbers& x) {
  return std::sqrt(sum(2, [&](int64_t i) { return x(i) * x(i); }) / 2);
}
Numbers normed(const Numbers& x) {
  return each(2, [&](int64_t i) { return x(i) / rms(x); });
}
// RMS norm backward.
Numbers norm_back(const Numbers& g, const Numbers& x) {
  const Numbers hat = normed(x);
  const double along = sum(2, [&](int64_t i) { return g(i) * hat(i); }) / 2;
  return each(2, [&](int64_t i) { return (g(i) - hat(i) * along) / rms(x); });
}
Numbers times(const Numbers& w, const Numbers& x) {
  return each(2, [&](int64_t i) { return sum(2, [&](int64_t j) { return w(i, j) * x(j); }); });
}
Numbers back(const Numbers& w, const Numbers& g) {
  return each(2, [&](int64_t j) { return sum(2, [&](int64_t i) { return w(i, j) * g(i); }); });
}
double gelu(double a) { return a / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (a + 0.044715 * a * a * a))); }
double gelu_slope(double a) {
  const double c = std::sqrt(2 / std::numbers::pi), t = std::tanh(c * (a + 0.044715 * a * a * a));
  return (1 + t) / 2 + a / 2 * (1 - t * t) * c * (1 + 3 * 0.044715 * a * a);
}

// One token, one layer; the stream and the layer's vector have two numbers each, so that √w/√2 is 1.
void per_layer_embedding() {
  Derivation d("block-per-layer-embedding");
  const double root = std::sqrt(2.0);
  const Numbers x0 = d.given("x₀", {root, 7 * root}), x = d.given("x", {1, 2}), row = d.given("E_l[id]", {1, 1});
  const Numbers map = d.given("W_l", {{1, 0}, {0, 1}}), gate = d.given("W_g", {{0, 0.5}, {2, 0}}), out = d.given("W_p", {{1, 1}, {0, 2}});
  const Numbers g = d.given("g", {1, 0});
  const Numbers mapped = times(map, x0), c = each(2, [&](int64_t i) { return mapped(i) / root; });
  d.step("1", "c", c);
  const Numbers hat = normed(c), p = each(2, [&](int64_t i) { return (root * row(i) + hat(i)) / root; });
  d.step("2", "p", p);
  const Numbers a = times(gate, x), h = each(2, [&](int64_t i) { return gelu(a(i)) * p(i); });
  d.step("3", "a", a);
  d.step("4", "h", h);
  const Numbers r = times(out, h);
  d.step("5", "r", r);
  d.step("6", "y", each(2, [&](int64_t i) { return x(i) + normed(r)(i); }));
  const Numbers dr = norm_back(g, r), dh = back(out, dr);
  d.step("7", "dL/dr", dr);
  d.step("8", "dL/dh", dh);
  const Numbers dp = each(2, [&](int64_t i) { return dh(i) * gelu(a(i)); });
  d.step("9", "dL/dp", dp);
  d.step("10", "dL/dE", dp);
  const Numbers da = each(2, [&](int64_t i) { return dh(i) * p(i) * gelu_slope(a(i)); });
  d.step("11", "dL/da", da);
  const Numbers through = back(gate, da);
  d.step("12", "dL/dx", each(2, [&](int64_t i) { return g(i) + through(i); }));
  const Numbers dc = norm_back(each(2, [&](int64_t i) { return dp(i) / root; }), c), dx0 = back(map, dc);
  d.step("13", "dL/dx₀", each(2, [&](int64_t i) { return dx0(i) / root; }));
  const auto norm = [](const Tensor& t) { return t / sqrt(mean(square(t), -1, true)); };
  const auto mul = [](const Numbers& w, const Tensor& t) { return nn::linear(reshape(t, {1, 2}), w); };
  const auto all = [&](const Tensor& first, const Tensor& stream, const Tensor& own) {
    const Tensor vector = (root * own + norm(mul(map, first) / root)) / root;
    return reshape(stream + norm(nn::linear(nn::act::gelu_tanh(mul(gate, stream)) * vector, out)), {2});
  };
  d.gradient("dL/dE", [&](const Tensor& t) { return all(x0, x, t); }, row, g);
  d.gradient("dL/dx", [&](const Tensor& t) { return all(x0, t, row); }, x, g);
  d.gradient("dL/dx₀", [&](const Tensor& t) { return all(t, x, row); }, x0, g);
}

}  // namespace

int main() {
  value_embedding();
  per_layer_embedding();
  return verdict();
}
