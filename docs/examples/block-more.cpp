// More blocks: one step of each, its value and its gradient line by line.
#include "docs/examples/block_steps.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

void parallel() {
  Derivation d("block-parallel");
  const Numbers x = d.given("x", {8, 2, 0, -6});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const Numbers hat = normed(x);
  d.step("1", "x̂", hat);
  const Numbers a = each(4, [&](int64_t i) { return right(hat, i); });
  const Numbers f = each(4, [&](int64_t i) { return 2 * right(hat, i, 2); });
  d.step("2", "attention", a);
  d.step("3", "feed-forward", f);
  d.step("4", "y", each(4, [&](int64_t i) { return x(i) + a(i) + f(i); }));
  const Numbers q = each(4, [&](int64_t k) { return left(g, k) + 2 * left(g, k, 2); });
  d.step("5", "q", q);
  d.step("6", "dL/dx", plus(g, norm_back(q, x)));
  const nn::PlacementPtr placement = make("parallel", kBoth);
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift(), shift(2, 2)}, *placement, {t}).x; }, x, g);
  const Numbers middle = plus(x, a), second = normed(middle);
  d.step("7", "y of pre-norm", each(4, [&](int64_t i) { return middle(i) + 2 * right(second, i, 2); }));
}

void rezero() {
  Derivation d("block-rezero");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const nn::PlacementPtr placement = make("rezero", kFeedForward);
  const auto with = [&](const Tensor& a, const Tensor& t) {
    Tensor scale = placement->parameters()[0];
    scale.assign(a.detach());
    return around({shift()}, *placement, {t}).x;
  };
  const double scale = d.given("a", 0.5)(0);
  const Numbers f = each(4, [&](int64_t i) { return right(x, i); });
  d.step("1", "f(x)", f);
  d.step("2", "y", each(4, [&](int64_t i) { return x(i) + scale * f(i); }));
  d.step("3", "dL/da", sum(4, [&](int64_t i) { return g(i) * f(i); }));
  d.step("4", "dL/df", each(4, [&](int64_t i) { return scale * g(i); }));
  d.step("5", "dL/dx", each(4, [&](int64_t j) { return g(j) + scale * left(g, j); }));
  d.gradient("dL/dx", [&](const Tensor& t) { return with(tensor(scale, DType::f64), t); }, x, g);
  d.gradient("dL/da", [&](const Tensor& t) { return x.tensor() + t * shift()(x.tensor()); }, scale, g);

  const Tensor leaf = x.tensor().set_requires_grad();
  const Tensor start = with(tensor(0.0, DType::f64), leaf);
  d.law("6", "y at 0", x, start);
  d.law("7", "dL/dx at 0", g, grad({start}, {leaf}, {.seeds = {g.tensor()}, .retain_graph = true})[0]);
  d.law("8", "dL/da at 0", sum(4, [&](int64_t i) { return g(i) * f(i); }),
        grad({start}, placement->parameters(), {.seeds = {g.tensor()}})[0]);
  const Numbers layers = d.given("sublayers", {24, 96});
  d.step("9", "(1 + a)^l at 0.01", each(2, [&](int64_t i) { return std::pow(1.01, layers(i)); }));
}

void layerscale() {
  Derivation d("block-layerscale");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const Numbers scale = d.given("λ", {0.1, 0.2, 0.1, 0.5});
  const Numbers f = each(4, [&](int64_t i) { return right(x, i); });
  d.step("1", "f(x)", f);
  d.step("2", "y", each(4, [&](int64_t i) { return x(i) + scale(i) * f(i); }));
  d.step("3", "dL/dλ", each(4, [&](int64_t i) { return g(i) * f(i); }));
  const Numbers df = each(4, [&](int64_t i) { return scale(i) * g(i); });
  d.step("4", "dL/df", df);
  d.step("5", "dL/dx", each(4, [&](int64_t j) { return g(j) + left(df, j); }));
  const nn::PlacementPtr placement = make("layerscale", kFeedForward);
  placement->parameters()[0].assign(scale.tensor());
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift()}, *placement, {t}).x; }, x, g);
  d.gradient("dL/dλ", [&](const Tensor& t) { return x.tensor() + t * shift()(x.tensor()); }, scale, g);
  const auto start = [](int64_t layers) { return nn::layer_scale_start(layers); };
  d.law("6", "λ at the start, 18, 24 and 36 blocks", {0.1, 1e-5, 1e-6}, {start(18), start(24), start(36)});
}

void macaron() {
  Derivation d("block-macaron");
  const Numbers x = d.given("x", {8, 2, 0, -6});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const auto step = [](const Numbers& at, double c, int64_t by) {
    const Numbers hat = normed(at);
    return each(4, [&](int64_t i) { return at(i) + c * right(hat, i, by); });
  };
  const Numbers x1 = step(x, 0.5 * 2, 2), x2 = step(x1, 1, 1), y = step(x2, 0.5 * 2, 2);
  d.step("1", "after the first half step", x1);
  d.step("2", "after attention", x2);
  d.step("3", "y", y);
  const auto back = [](const Numbers& at, double c, int64_t by, const Numbers& gradient) {
    return plus(gradient, norm_back(each(4, [&](int64_t k) { return c * left(gradient, k, by); }), at));
  };
  d.step("4", "dL/df′", each(4, [&](int64_t i) { return 0.5 * g(i); }));
  const Numbers g2 = back(x2, 0.5 * 2, 2, g), g1 = back(x1, 1, 1, g2), g0 = back(x, 0.5 * 2, 2, g1);
  d.step("5", "dL/d(after attention)", g2);
  d.step("6", "dL/d(after the first half step)", g1);
  d.step("7", "dL/dx", g0);
  const nn::PlacementPtr placement = make("macaron", kBoth);
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift(2, 2), shift(), shift(2, 2)}, *placement, {t}).x; }, x, g);
}

void normformer() {
  Derivation d("block-normformer");
  const Numbers x = d.given("x", {8, 2, 0, -6});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const Numbers gain = d.given("γ", {1, 2});
  const Numbers hat = normed(x);
  const Numbers o = each(4, [&](int64_t i) { return 5 * right(hat, i); });
  d.step("1", "o", o);
  const Numbers u = each(4, [&](int64_t i) { return gain(i / 2) * o(i); });
  d.step("2", "u", u);
  const Numbers w = normed(u);
  d.step("3", "w", w);
  d.step("4", "y", plus(x, w));
  const Numbers du = norm_back(g, u);
  d.step("5", "dL/du", du);
  d.step("6", "dL/dγ", each(2, [&](int64_t h) { return du(2 * h) * o(2 * h) + du(2 * h + 1) * o(2 * h + 1); }));
  const Numbers back = each(4, [&](int64_t i) { return gain(i / 2) * du(i); });
  const Numbers q = each(4, [&](int64_t k) { return 5 * left(back, k); });
  d.step("7", "q", q);
  d.step("8", "dL/dx", plus(g, norm_back(q, x)));
  d.law("9", "Σ γ ⊙ dL/dγ", sum(2, [&](int64_t h) { return gain(h) * (du(2 * h) * o(2 * h) + du(2 * h + 1) * o(2 * h + 1)); }), 0);
  const nn::PlacementPtr placement = make("normformer", kAttention);
  const auto library = [&](const Tensor& t, const Tensor& by) {
    const Function heads = [&](const Tensor& in) { return reshape(reshape(shift(5)(in), {2, 2}) * reshape(by, {2, 1}), {4}); };
    return around({heads}, *placement, {t}).x;
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return library(t, gain); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return library(x, t); }, gain, g);
}

void resi_dual() {
  Derivation d("block-resi-dual");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const Numbers f = each(4, [&](int64_t i) { return right(x, i); });
  d.step("1", "y", f);
  const Numbers s = plus(x, f), z = plus(x, f);
  d.step("2", "x + y", s);
  d.step("3", "z", z);
  const Numbers x1 = normed(s);
  d.step("4", "x′", x1);
  d.step("5", "out", plus(x1, normed(z)));
  const Numbers dz = norm_back(g, z), ds = norm_back(g, s);
  d.step("6", "dL/dz", dz);
  d.step("7", "dL/d(x + y)", ds);
  const Numbers dy = plus(ds, dz);
  d.step("8", "dL/dy", dy);
  d.step("9", "dL/dx", each(4, [&](int64_t j) { return ds(j) + dz(j) + left(dy, j); }));
  const nn::PlacementPtr placement = make("resi-dual", kFeedForward);
  const nn::LayerPtr final_norm = make_norm();
  d.gradient("dL/dx", [&](const Tensor& t) { return placement->finish(around({shift()}, *placement, {t}), final_norm.get()); }, x, g);
  const Numbers layers = d.given("N", {12, 24});
  d.step("10", "2^(−N)", each(2, [&](int64_t i) { return std::pow(2, -layers(i)); }));
  d.step("11", "1 / √(1 + 2N)", each(2, [&](int64_t i) { return 1 / std::sqrt(1 + 2 * layers(i)); }));
}

// Three layers, one number for a value: the first hands its value to both others.
void value_residual() {
  Derivation d("block-value-residual");
  const Numbers v = d.given("v₁, v₂, v₃", {2, 4, -1});
  const Numbers mix2 = d.given("λ of layer 2", {0.5, 0.5});
  const Numbers mix3 = d.given("λ of layer 3", {1, 3});
  const Numbers g = d.given("g", {1, 2, -1});
  d.step("1", "v′", {v(0), mix2(0) * v(1) + mix2(1) * v(0), mix3(0) * v(2) + mix3(1) * v(0)});
  d.step("2", "dL/dλ of layer 2", {g(1) * v(1), g(1) * v(0)});
  d.step("3", "dL/dλ of layer 3", {g(2) * v(2), g(2) * v(0)});
  d.step("4", "dL/dv₂, dL/dv₃", {mix2(0) * g(1), mix3(0) * g(2)});
  d.step("5", "dL/dv₁", g(0) + mix2(1) * g(1) + mix3(1) * g(2));
  d.step("6", "dL/dv", {g(0) + mix2(1) * g(1) + mix3(1) * g(2), mix2(0) * g(1), mix3(0) * g(2)});
  const auto mixed = [&](const Tensor& t, const Tensor& a, const Tensor& b) {
    return stack({t[0], a[0] * t[1] + a[1] * t[0], b[0] * t[2] + b[1] * t[0]});
  };
  d.gradient("dL/dv", [&](const Tensor& t) { return mixed(t, mix2, mix3); }, v, g);
  d.gradient("dL/dλ of layer 2", [&](const Tensor& t) { return mixed(v, t, mix3); }, mix2, g);
  d.gradient("dL/dλ of layer 3", [&](const Tensor& t) { return mixed(v, mix2, t); }, mix3, g);
}

// Two layers, one query each, with the same keys and values.
void shared_kv() {
  Derivation d("block-shared-kv");
  const Numbers q = d.given("q", {1, 2}), k = d.given("k", {0, std::log(2)}), v = d.given("v", {3, 9}), g = d.given("g", {1, 2});
  const Numbers z = each(2, 2, [&](int64_t l, int64_t s) { return q(l) * k(s); });
  d.step("1", "z", z);
  const Numbers p = each(2, 2, [&](int64_t l, int64_t s) { return std::exp(z(l, s)) / (std::exp(z(l, 0)) + std::exp(z(l, 1))); });
  d.step("2", "P", p);
  const Numbers y = each(2, [&](int64_t l) { return sum(2, [&](int64_t s) { return p(l, s) * v(s); }); });
  d.step("3", "y", y);
  d.step("4", "dL/dv", each(2, [&](int64_t s) { return sum(2, [&](int64_t l) { return p(l, s) * g(l); }); }));
  const Numbers dz = each(2, 2, [&](int64_t l, int64_t s) { return g(l) * p(l, s) * (v(s) - y(l)); });
  d.step("5", "dL/dz", dz);
  d.step("6", "dL/dk", each(2, [&](int64_t s) { return sum(2, [&](int64_t l) { return dz(l, s) * q(l); }); }));
  d.step("7", "dL/dq", each(2, [&](int64_t l) { return sum(2, [&](int64_t s) { return dz(l, s) * k(s); }); }));
  d.step("8", "share of the cache that is left", 20.0 / 35);
  const auto layers = [](const Tensor& queries, const Tensor& keys, const Tensor& values) {
    const auto one = [&](int64_t l) {
      return reshape(nn::attention(reshape(queries[l], {1, 1, 1, 1}), reshape(keys, {1, 2, 1, 1}), reshape(values, {1, 2, 1, 1})), {});
    };
    return stack({one(0), one(1)});
  };
  d.gradient("dL/dv", [&](const Tensor& t) { return layers(q, k, t); }, v, g);
  d.gradient("dL/dk", [&](const Tensor& t) { return layers(q, t, v); }, k, g);
  d.gradient("dL/dq", [&](const Tensor& t) { return layers(t, k, v); }, q, g);
}

// Two streams of four numbers, static numbers; the output is the sum of the streams.
void hyper_connections() {
  Derivation d("block-hyper-connections");
  const Numbers h = d.given("h", {{8, 2, 0, -6}, {4, 3, -2, -5}});
  const Numbers A = d.given("A", {{1, 1, 0.5}, {0, 0, 1}});
  const Numbers b = d.given("b", {1, 2});
  const Numbers g = d.given("g", {1, 0, 1, -1});
  const Numbers read = each(4, [&](int64_t j) { return A(0, 0) * h(0, j) + A(1, 0) * h(1, j); });
  d.step("1", "x", read);
  const Numbers mixed = each(2, 4, [&](int64_t k, int64_t j) { return A(0, k + 1) * h(0, j) + A(1, k + 1) * h(1, j); });
  d.step("2", "m", mixed);
  const Numbers hat = normed(read);
  const Numbers y = each(4, [&](int64_t j) { return right(hat, j); });
  d.step("3", "y", y);
  d.step("4", "h′", each(2, 4, [&](int64_t k, int64_t j) { return mixed(k, j) + b(k) * y(j); }));
  d.step("5", "Σ h′", each(4, [&](int64_t j) { return mixed(0, j) + mixed(1, j) + (b(0) + b(1)) * y(j); }));
  d.step("6", "dL/dh′", each(2, 4, [&](int64_t, int64_t j) { return g(j); }));
  const double along = sum(4, [&](int64_t j) { return g(j) * y(j); });
  d.step("7", "dL/db", {along, along});
  const Numbers dy = each(4, [&](int64_t j) { return (b(0) + b(1)) * g(j); });
  d.step("8", "dL/dy", dy);
  const Numbers dx = norm_back(each(4, [&](int64_t k) { return left(dy, k); }), read);
  d.step("9", "dL/dx", dx);
  d.step("10", "dL/dA",
         each(2, 3, [&](int64_t i, int64_t k) { return sum(4, [&](int64_t j) { return h(i, j) * (k == 0 ? dx(j) : g(j)); }); }));
  d.step("11", "dL/dh", each(2, 4, [&](int64_t i, int64_t j) { return A(i, 0) * dx(j) + (A(i, 1) + A(i, 2)) * g(j); }));

  const auto library = [&](const Tensor& streams, const Tensor& a, const Tensor& by) {
    const Tensor all = matmul(a, streams, {.transpose_a = true});
    const Tensor result = shift()(nn::layer_norm(select(all, 0, 0), {4}, {}, {}, 0));
    return sum(slice(all, 0, 1) + unsqueeze(by, -1) * unsqueeze(result, 0), 0);
  };
  d.gradient("dL/dh", [&](const Tensor& t) { return library(t, A, b); }, h, g);
  d.gradient("dL/dA", [&](const Tensor& t) { return library(h, t, b); }, A, g);
  d.gradient("dL/db", [&](const Tensor& t) { return library(h, A, t); }, b, g);
  // The library's placement itself, with these numbers.
  nn::HyperConnections placement({.make_norm = make_norm, .d_model = 4, .sublayers = kFeedForward, .stack = {}},
                                 {.streams = 2, .map = nn::StreamMap::fixed});
  placement.to(DType::f64);
  for (NamedTensor& p : placement.named_parameters()) p.tensor.assign(p.name == "connection1.alpha" ? A.tensor() : b.tensor());
  const Tensor from = h.tensor().set_requires_grad();
  const Tensor top = around({shift()}, placement, {.x = from, .second = from}).x;
  d.law("12", "dL/dh, of the library", each(2, 4, [&](int64_t i, int64_t j) { return A(i, 0) * dx(j) + (A(i, 1) + A(i, 2)) * g(j); }),
        grad({top}, {from}, {.seeds = {g.tensor()}})[0]);
}

}  // namespace

int main() {
  parallel();
  rezero();
  layerscale();
  macaron();
  normformer();
  resi_dual();
  value_residual();
  shared_kv();
  hyper_connections();
  return verdict();
}
