// Streams and depth: one step of each block, its value and its gradient line by line.
#include "docs/examples/block_steps.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

const Numbers kStream{8, 2, 0, -6}, kGradient{1, 0, 1, -1};

Numbers times(double c, const Numbers& x) {
  return each(x.shape()[0], [&](int64_t i) { return c * x(i); });
}
double dot(const Numbers& a, const Numbers& b) {
  return sum(a.shape()[0], [&](int64_t i) { return a(i) * b(i); });
}
Numbers row(const Numbers& x, int64_t k) {
  return each(x.shape()[1], [&](int64_t j) { return x(k, j); });
}
Numbers shifted(const Numbers& x) {
  return each(4, [&](int64_t i) { return right(x, i); });
}
Numbers back(const Numbers& g) {
  return each(4, [&](int64_t k) { return left(g, k); });
}
double sigma(double x) { return 1 / (1 + std::exp(-x)); }

// Two by two: one round by hand, and the limit, whose gradient is known in two ways.
void sinkhorn() {
  Derivation d("block-sinkhorn");
  const Numbers a = d.given("A", {{std::log(4.0), 0}, {0, 0}});
  const Numbers g = d.given("G", {{1, 0}, {2, -1}});
  const Numbers e = each(2, 2, [&](int64_t i, int64_t j) { return std::exp(a(i, j)); });
  d.step("1", "e^A", e);
  const Numbers r = each(2, 2, [&](int64_t i, int64_t j) { return e(i, j) / (e(i, 0) + e(i, 1)); });
  d.step("2", "rows divided", r);
  const Numbers m = each(2, 2, [&](int64_t i, int64_t j) { return r(i, j) / (r(0, j) + r(1, j)); });
  d.step("3", "M, one round", m);
  d.law("4", "Σ of columns", {m(0, 0) + m(1, 0), m(0, 1) + m(1, 1)}, {1, 1});
  d.step("5", "Σ of rows", each(2, [&](int64_t i) { return m(i, 0) + m(i, 1); }));
  const Numbers h = each(2, 2, [&](int64_t i, int64_t j) { return m(i, j) * g(i, j); });
  d.step("6", "H", h);
  const Numbers less = each(2, 2, [&](int64_t i, int64_t j) { return h(i, j) - m(i, j) * (h(0, j) + h(1, j)); });
  d.step("7", "H′", less);
  d.step("8", "dL/dA, one round", each(2, 2, [&](int64_t i, int64_t j) { return less(i, j) - r(i, j) * (less(i, 0) + less(i, 1)); }));
  d.gradient("dL/dA, one round", [](const Tensor& t) { return nn::sinkhorn(t, 1); }, a, g);

  const double p = sigma((a(0, 0) - a(0, 1) - a(1, 0) + a(1, 1)) / 2), q = 1 - p;
  d.step("9", "P, the limit", {{p, q}, {q, p}});
  const auto off = [&](int64_t rounds) { return std::abs(sum(nn::sinkhorn(a, rounds), {1})[0].item() - 1); };
  d.step("10", "|Σ of the first row - 1| after 1, 2, 3, 4 rounds", {off(1), off(2), off(3), off(4)});
  d.step("11", "(p - q)²", (p - q) * (p - q));
  const Numbers limit{{p, q}, {q, p}};
  const auto of_h = [&](int64_t i, int64_t j) { return limit(i, j) * g(i, j); };
  const double row1 = of_h(0, 0) + of_h(0, 1), row2 = of_h(1, 0) + of_h(1, 1), column1 = of_h(0, 0) + of_h(1, 0);
  const double mu = (column1 - p * row1 - q * row2) / (2 * p * q);
  d.step("12", "λ₁, λ₂, μ₁", {row1 - p * mu, row2 - q * mu, mu});
  const Numbers lambda{row1 - p * mu, row2 - q * mu}, of_column{mu, 0};
  const Numbers gradient = each(2, 2, [&](int64_t i, int64_t j) { return limit(i, j) * (g(i, j) - lambda(i) - of_column(j)); });
  d.step("13", "dL/dA, the limit", gradient);
  d.gradient("dL/dA, the limit", [](const Tensor& t) { return nn::sinkhorn(t, 60); }, a, g);
  const double twist = (g(0, 0) - g(0, 1) - g(1, 0) + g(1, 1)) * p * q / 2;
  d.law("14", "dL/dA, by p alone", {{twist, -twist}, {-twist, twist}}, gradient);
  d.law("15", "Σ of rows and of columns of dL/dA", {gradient(0, 0) + gradient(0, 1), gradient(0, 0) + gradient(1, 0)}, {0, 0});
}

// The library's placement of mHC with two streams, with these biases and no maps.
nn::HyperConnections manifold(int64_t d_model, const Numbers& b1, const Numbers& b2, const Numbers& b3) {
  const auto norm = [=] {
    return std::make_unique<nn::LayerNorm>(Shape{d_model}, nn::LayerNormOptions{.eps = 0, .gain = false, .bias = false});
  };
  nn::HyperConnections placement({.make_norm = norm, .d_model = d_model, .sublayers = kFeedForward, .stack = {}},
                                 {.streams = 2, .map = nn::StreamMap::manifold, .rounds = 60});
  placement.to(DType::f64);
  const Tensor narrow = zeros({2 * d_model, 2}, DType::f64), wide = zeros({2 * d_model, 4}, DType::f64);
  const std::map<std::string, Tensor> values{{"read_map", narrow},       {"write_map", narrow},       {"mix_map", wide},
                                             {"read_bias", b1.tensor()}, {"write_bias", b2.tensor()}, {"mix_bias", b3.tensor()}};
  for (NamedTensor& parameter : placement.named_parameters()) {
    const auto found = values.find(parameter.name.substr(std::string("connection1.").size()));
    if (found != values.end()) parameter.tensor.assign(found->second);
  }
  return placement;
}

// By hand two columns, of which layer norm leaves [1, -1].
void mhc_by_hand(Derivation& d, const Numbers& b1, const Numbers& b2, const Numbers& b3) {
  const Numbers h = d.given("h by hand", {{6, 0}, {0, 3}});
  const Numbers x = each(2, [&](int64_t j) { return sigma(b1(0)) * h(0, j) + sigma(b1(1)) * h(1, j); });
  d.step("h1", "x by hand", x);
  const double middle = (x(0) + x(1)) / 2, half = std::abs(x(0) - x(1)) / 2;
  const Numbers y{(x(1) - middle) / half, (x(0) - middle) / half};
  d.step("h2", "y by hand", y);
  const double p = sigma((b3(0, 0) - b3(0, 1) - b3(1, 0) + b3(1, 1)) / 2), q = 1 - p;
  const Numbers mixed = each(2, 2, [&](int64_t k, int64_t j) { return (k == 0 ? p : q) * h(0, j) + (k == 0 ? q : p) * h(1, j); });
  d.step("h3", "mixed", mixed);
  const Numbers to = each(2, 2, [&](int64_t k, int64_t j) { return mixed(k, j) + 2 * sigma(b2(k)) * y(j); });
  d.step("h4", "h′ by hand", to);
  nn::HyperConnections placement = manifold(2, b1, b2, b3);
  d.law("h5", "h′ by hand, of the library", around({shift()}, placement, {.x = h.tensor(), .second = h.tensor()}).second, to);
}

// The two streams of block-hyper-connections. The loss reads the first stream alone.
void mhc() {
  Derivation d("block-mhc");
  const Numbers h = d.given("h", {{8, 2, 0, -6}, {4, 3, -2, -5}});
  const Numbers b1 = d.given("b₁", {0, std::log(3.0)});
  const Numbers b2 = d.given("b₂", {0, -std::log(3.0)});
  const Numbers b3 = d.given("b₃", {{std::log(4.0), 0}, {0, 0}});
  const Numbers g = d.given("g", {{1, 0, 1, -1}, {0, 0, 0, 0}});
  mhc_by_hand(d, b1, b2, b3);
  const Numbers read = each(2, [&](int64_t i) { return sigma(b1(i)); });
  d.step("1", "read", read);
  const Numbers write = each(2, [&](int64_t i) { return 2 * sigma(b2(i)); });
  d.step("2", "write", write);
  const double p = sigma((b3(0, 0) - b3(0, 1) - b3(1, 0) + b3(1, 1)) / 2);
  const Numbers mix{{p, 1 - p}, {1 - p, p}};
  d.step("3", "mix", mix);
  const Numbers x = each(4, [&](int64_t j) { return read(0) * h(0, j) + read(1) * h(1, j); });
  d.step("4", "x", x);
  const Numbers y = shifted(normed(x));
  d.step("5", "y", y);
  const Numbers to = each(2, 4, [&](int64_t k, int64_t j) { return mix(0, k) * h(0, j) + mix(1, k) * h(1, j) + write(k) * y(j); });
  d.step("6", "h′", to);
  d.law("7", "Σ h′", each(4, [&](int64_t j) { return to(0, j) + to(1, j); }),
        each(4, [&](int64_t j) { return h(0, j) + h(1, j) + (write(0) + write(1)) * y(j); }));
  d.step("8", "dL/db₂", each(2, [&](int64_t k) { return dot(row(g, k), y) * write(k) * (1 - write(k) / 2); }));
  const Numbers dy = each(4, [&](int64_t j) { return write(0) * g(0, j) + write(1) * g(1, j); });
  d.step("9", "dL/dy", dy);
  const Numbers dx = norm_back(back(dy), x);
  d.step("10", "dL/dx", dx);
  d.step("11", "dL/db₁", each(2, [&](int64_t i) { return dot(row(h, i), dx) * read(i) * (1 - read(i)); }));
  const Numbers dmix = each(2, 2, [&](int64_t i, int64_t k) { return dot(row(h, i), row(g, k)); });
  d.step("12", "dL/dmix", dmix);
  const double twist = (dmix(0, 0) - dmix(0, 1) - dmix(1, 0) + dmix(1, 1)) * p * (1 - p) / 2;
  d.step("13", "dL/db₃", {{twist, -twist}, {-twist, twist}});
  d.step("14", "dL/dh", each(2, 4, [&](int64_t i, int64_t j) { return read(i) * dx(j) + mix(i, 0) * g(0, j) + mix(i, 1) * g(1, j); }));

  nn::HyperConnections placement = manifold(4, b1, b2, b3);
  d.gradient("dL/dh", [&](const Tensor& t) { return around({shift()}, placement, {.x = t, .second = t}).second; }, h, g);
  const auto of_bias = [&](const Tensor& r, const Tensor& w, const Tensor& m) {
    const Tensor in = matmul(sigmoid(r), h.tensor()), out = shift()(nn::layer_norm(in, {4}, {}, {}, 0));
    return matmul(nn::sinkhorn(m, 60), h.tensor(), {.transpose_a = true}) + unsqueeze(2 * sigmoid(w), -1) * unsqueeze(out, 0);
  };
  d.gradient("dL/db₁", [&](const Tensor& t) { return of_bias(t, b2, b3); }, b1, g);
  d.gradient("dL/db₂", [&](const Tensor& t) { return of_bias(b1, t, b3); }, b2, g);
  d.gradient("dL/db₃", [&](const Tensor& t) { return of_bias(b1, b2, t); }, b3, g);
}

void attention_residual() {
  Derivation d("block-attention-residual");
  const Numbers v0 = d.given("v₀", kStream);
  const Numbers w = d.given("w", {std::log(3.0) / 1.2, 0, 0, 0});
  const Numbers g = d.given("g", kGradient);
  const Numbers k0 = normed(v0), v1 = shifted(k0), k1 = normed(v1);
  d.step("1", "v₁", v1);
  d.step("2", "norm(v₀)", k0);
  d.step("3", "norm(v₁)", k1);
  const Numbers s{dot(w, k0), dot(w, k1)};
  d.step("4", "s", s);
  const double p0 = sigma(s(0) - s(1));
  const Numbers p{p0, 1 - p0};
  d.step("5", "p", p);
  d.step("6", "x", plus(times(p(0), v0), times(p(1), v1)));
  const Numbers dp{dot(g, v0), dot(g, v1)};
  d.step("7", "dL/dp", dp);
  const double mean_dp = dot(p, dp);
  const Numbers ds{p(0) * (dp(0) - mean_dp), p(1) * (dp(1) - mean_dp)};
  d.step("8", "dL/ds", ds);
  d.step("9", "dL/dw", plus(times(ds(0), k0), times(ds(1), k1)));
  const Numbers dv1 = plus(times(p(1), g), norm_back(times(ds(1), w), v1));
  d.step("10", "dL/dv₁", dv1);
  const Numbers dv0 = plus(times(p(0), g), norm_back(times(ds(0), w), v0));
  d.step("11", "dL/dv₀", plus(dv0, norm_back(back(dv1), v0)));
  const nn::PlacementPtr placement = make("attention-residual", kFeedForward);
  const auto with = [&](const Tensor& query, const Tensor& x) {
    placement->parameters()[0].assign(query.detach());
    return around({shift()}, *placement, {x}).x;
  };
  d.gradient("dL/dv₀", [&](const Tensor& t) { return with(w, t); }, v0, g);
  const auto of_query = [&](const Tensor& t) {
    const Tensor v = stack({v0.tensor(), v1.tensor()}), k = stack({k0.tensor(), k1.tensor()});
    return matmul(nn::softmax(matmul(k, t)), v);
  };
  d.gradient("dL/dw", of_query, w, g);
  d.law("12", "x at w = 0", with(zeros({4}, DType::f64), v0), times(0.5, plus(v0, v1)));
}

void gated_streams() {
  Derivation d("block-gated-streams");
  const Numbers h = d.given("h", {{100, -100}, {200, 200}});
  const Numbers down = d.given("D", {2, 0, 0, 2});
  const Numbers up = d.given("U", {0, 1, -1, 0});
  const Numbers w = d.given("w₁", {1, 0, 0, 0});
  const Numbers g = d.given("g", {1, 2});
  const Numbers y =
      each(2, 2, [&](int64_t k, int64_t j) { return h(k, j) / std::sqrt((h(k, 0) * h(k, 0) + h(k, 1) * h(k, 1)) / 2 + 1e-5); });
  d.step("1", "ĥ", y);
  const double z = sum(4, [&](int64_t i) { return down(i) * y(i) / 2; });
  d.step("2", "D ĥ / n", z);
  const Numbers gate = each(2, 2, [&](int64_t k, int64_t j) { return sigma(up(2 * k + j) * z * sigma(z)); });
  d.step("3", "gate", gate);
  const Numbers x = each(2, [&](int64_t j) { return (gate(0, j) * y(0, j) + gate(1, j) * y(1, j)) / 2; });
  d.step("4", "x", x);
  const Numbers f{x(1), x(0)};
  d.step("5", "f(x)", f);
  const double a = w(0) * y(0) / 2, write = 2 * sigma(a);
  d.step("6", "write of the first stream", write);
  d.step("7", "h₁′", each(2, [&](int64_t j) { return h(0, j) + write * f(j); }));
  const double da = dot(g, f) * write * (1 - write / 2);
  d.step("8", "dL/dw₁", each(4, [&](int64_t i) { return da * y(i) / 2; }));
  const Numbers dx{write * g(1), write * g(0)};
  d.step("9", "dL/dx", dx);
  const Numbers dgate = each(2, 2, [&](int64_t k, int64_t j) { return dx(j) * y(k, j) / 2; });
  d.step("10", "dL/dgate", dgate);
  d.step("11", "dL/dU", each(4, [&](int64_t i) { return dgate(i) * gate(i) * (1 - gate(i)) * z * sigma(z); }));

  nn::StreamReader reader({.make_norm = make_norm, .d_model = 2, .sublayers = kFeedForward, .stack = {}}, {.streams = 2, .rank = 1});
  reader.to(DType::f64);
  reader.down.assign(unsqueeze(down.tensor(), -1));
  reader.up.assign(unsqueeze(up.tensor(), 0));
  d.law("12", "x, of the library", x, reader(h.tensor()).x);
  const auto written = [&](const Tensor& of_up, const Tensor& of_w) {
    const Tensor row = reshape(y.tensor(), {4}) / 2, inner = matmul(row, down.tensor());
    const Tensor gates = reshape(sigmoid(inner * sigmoid(inner) * of_up), {2, 2});
    const Tensor in = mean(gates * y.tensor(), 0);
    return h.tensor()[0] + 2 * sigmoid(matmul(row, of_w)) * flip(in, {0});
  };
  d.gradient("dL/dU", [&](const Tensor& t) { return written(t, w); }, up, g);
  d.gradient("dL/dw₁", [&](const Tensor& t) { return written(up, t); }, w, g);
}

void denseformer() {
  Derivation d("block-denseformer");
  const Numbers x0 = d.given("X₀", kStream);
  const Numbers alpha = d.given("α", {0.5, 2});
  const Numbers g = d.given("g", kGradient);
  const Numbers x1 = plus(x0, shifted(normed(x0)));
  d.step("1", "X₁", x1);
  d.step("2", "x", plus(times(alpha(0), x0), times(alpha(1), x1)));
  d.step("3", "dL/dα", {dot(g, x0), dot(g, x1)});
  const Numbers dx1 = times(alpha(1), g);
  d.step("4", "dL/dX₁", dx1);
  d.step("5", "dL/dX₀", plus(times(alpha(0), g), plus(dx1, norm_back(back(dx1), x0))));
  const nn::PlacementPtr placement = make("denseformer", kFeedForward);
  const auto with = [&](const Tensor& weights, const Tensor& x) {
    placement->parameters()[0].assign(weights.detach());
    return around({shift()}, *placement, {x}).x;
  };
  d.gradient("dL/dX₀", [&](const Tensor& t) { return with(alpha, t); }, x0, g);
  d.gradient("dL/dα", [&](const Tensor& t) { return matmul(t, stack({x0.tensor(), x1.tensor()})); }, alpha, g);
  d.law("6", "x at the start", with(tensor({0, 1}, DType::f64), x0), x1);
}

void input_residual() {
  Derivation d("block-input-residual");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers x0 = d.given("x₀", kStream);
  const Numbers mix = d.given("λ", {0.5, 2});
  const Numbers g = d.given("g", kGradient);
  const Numbers u = plus(times(mix(0), x), times(mix(1), x0));
  d.step("1", "u", u);
  d.step("2", "y", plus(u, shifted(normed(u))));
  const Numbers du = plus(g, norm_back(back(g), u));
  d.step("3", "dL/du", du);
  d.step("4", "dL/dλ", {dot(du, x), dot(du, x0)});
  d.step("5", "dL/dx", times(mix(0), du));
  d.step("6", "dL/dx₀", times(mix(1), du));
  const nn::PlacementPtr placement = make("input-residual", kFeedForward);
  placement->parameters()[0].assign(mix.tensor());
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift()}, *placement, {.x = t, .second = x0}).x; }, x, g);
  d.gradient("dL/dx₀", [&](const Tensor& t) { return around({shift()}, *placement, {.x = x, .second = t}).x; }, x0, g);
  const auto of_mix = [&](const Tensor& t) {
    const Tensor in = t[0] * x.tensor() + t[1] * x0.tensor();
    return in + shift()(nn::layer_norm(in, {4}, {}, {}, 0));
  };
  d.gradient("dL/dλ", of_mix, mix, g);
}

// One column, so that every matrix is a number.
// For a single token, whose attention is its value: the shift is v_proj.
void mudd() {
  Derivation d("block-mudd");
  const Numbers x0 = d.given("X₀", {800, 200, 0, -600});
  const Numbers x1 = d.given("X₁", {200, 200, -200, -200});
  const Numbers w1 = d.given("w₁", {1, 0, 0, 0});
  const Numbers wv = d.given("w₂ of values", {1, 0});
  const Numbers wr = d.given("w₂ of the stream", {0.5, 0});
  const Numbers a = d.given("a of both", {0, 1});
  const Numbers g = d.given("g", kGradient);
  const double rms = std::sqrt(dot(x1, x1) / 4 + 1e-5);  // ε is the usual one
  const Numbers hat = times(1 / rms, x1);
  d.step("1", "norm(X₁)", hat);
  const double s = dot(hat, w1), phi = std::erfc(-s / std::sqrt(2)) / 2, z = s * phi;
  d.step("2", "z", z);
  const Numbers of_v = plus(a, times(z, wv)), of_r = plus(a, times(z, wr));
  d.step("3", "A of values and of the stream", each(2, 2, [&](int64_t c, int64_t j) { return c == 0 ? of_v(j) : of_r(j); }));
  const auto summed = [&](const Numbers& by) { return plus(times(by(0), x0), times(by(1), x1)); };
  const Numbers v = summed(of_v), r = summed(of_r);
  d.step("4", "x_v", v);
  d.step("5", "x_r", r);
  d.step("6", "x", plus(r, shifted(normed(v))));
  const Numbers dv = norm_back(back(g), v);
  d.step("7", "dL/dx_v", dv);
  const Numbers of_a = each(2, 2, [&](int64_t c, int64_t j) { return dot(c == 0 ? dv : g, j == 0 ? x0 : x1); });
  d.step("8", "dL/dA", of_a);
  const double dz = of_a(0, 0) * wv(0) + of_a(0, 1) * wv(1) + of_a(1, 0) * wr(0) + of_a(1, 1) * wr(1);
  d.step("9", "dL/dz", dz);
  d.step("10", "dL/dX₀", plus(times(of_v(0), dv), times(of_r(0), g)));
  const double slope = phi + s * std::exp(-s * s / 2) / std::sqrt(2 * std::acos(-1.0));
  const Numbers by_weights = each(4, [&](int64_t j) { return dz * slope * (w1(j) - hat(j) * s / 4) / rms; });
  d.step("11", "dL/dX₁", plus(plus(times(of_v(1), dv), times(of_r(1), g)), by_weights));

  const nn::PlacementPtr placement = make("mudd", kAttention, {.layers = 3, .index = 1});
  for (const NamedTensor& p : placement->named_parameters()) {
    Tensor parameter = p.tensor;
    if (p.name == "ways.down") parameter.assign(cat({unsqueeze(w1.tensor(), 1), zeros({4, 7}, DType::f64)}, 1));
    if (p.name == "ways.up") {
      const Tensor row = cat({zeros({4}, DType::f64), wv.tensor(), wr.tensor()}, 0);
      parameter.assign(cat({unsqueeze(row, 0), zeros({7, 8}, DType::f64)}, 0));
    }
  }
  nn::MultiHeadAttention attention({.d_model = 4, .heads = 1});
  attention.to(DType::f64);
  attention.v_proj.weight.assign(permute(shift()(eye(4, 4, DType::f64)), {1, 0}));
  attention.out_proj.weight.assign(eye(4, 4, DType::f64));
  const nn::AttentionInputs inputs;
  const auto block = [&](const Tensor& state0, const Tensor& state1) {
    const Tensor states = reshape(stack({state0, state1}), {1, 1, 2, 4});
    return reshape((*placement)({reshape(state1, {1, 1, 4}), states}, {nn::Sublayer(attention, inputs)}).x, {4});
  };
  d.law("12", "x, by the library", block(x0, x1), plus(r, shifted(normed(v))));
  d.gradient("dL/dX₀", [&](const Tensor& t) { return block(t, x1); }, x0, g);
  d.gradient("dL/dX₁", [&](const Tensor& t) { return block(x0, t); }, x1, g);
}

void gru_gate() {
  Derivation d("block-gru-gate");
  const double x = d.given("x", 2)(0), y = d.given("y", 1)(0), b = d.given("b", 2)(0), g = d.given("g", 1)(0);
  const Numbers w = d.given("W_r, W_z, W_h", {0, 1, -1}), u = d.given("U_r, U_z, U_h", {1, 0.5, 0.5});
  const double r = sigma(w(0) * y + u(0) * x), z = sigma(w(1) * y + u(1) * x - b), h = std::tanh(w(2) * y + u(2) * r * x);
  d.step("1", "r", r);
  d.step("2", "z", z);
  d.step("3", "ĥ", h);
  d.step("4", "x′", (1 - z) * x + z * h);
  const double dz = g * (h - x) * z * (1 - z), dh = g * z * (1 - h * h);
  d.step("5", "dL/d of what z is the sigmoid of", dz);
  d.step("6", "dL/d of what ĥ is the tanh of", dh);
  d.step("7", "dL/db", -dz);
  const double dr = dh * u(2) * x * r * (1 - r);
  d.step("8", "dL/d of what r is the sigmoid of", dr);
  d.step("9", "dL/dy", w(0) * dr + w(1) * dz + w(2) * dh);
  d.step("10", "dL/dx", g * (1 - z) + u(0) * dr + u(1) * dz + u(2) * r * dh);
  const auto of = [&](const Tensor& stream, const Tensor& branch, const Tensor& bias) {
    const Tensor reset = sigmoid(w(0) * branch + u(0) * stream), update = sigmoid(w(1) * branch + u(1) * stream - bias);
    return (1 - update) * stream + update * tanh(w(2) * branch + u(2) * (reset * stream));
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return of(t, Numbers(y).tensor(), Numbers(b).tensor()); }, x, g);
  d.gradient("dL/dy", [&](const Tensor& t) { return of(Numbers(x).tensor(), t, Numbers(b).tensor()); }, y, g);
  d.gradient("dL/db", [&](const Tensor& t) { return of(Numbers(x).tensor(), Numbers(y).tensor(), t); }, b, g);
  d.step("11", "1 - σ(-b) at b = 0, 2, 4", {1 - sigma(0), 1 - sigma(-2), 1 - sigma(-4)});
}

void orthogonal() {
  Derivation d("block-orthogonal");
  const Numbers x = d.given("x", kStream);
  const Numbers g = d.given("g", kGradient);
  const Numbers y = shifted(normed(x));
  d.step("1", "y", y);
  const double s = dot(x, x) + 1e-6, c = dot(x, y) / s;
  d.step("2", "c", c);
  const Numbers upright = plus(y, times(-c, x));
  d.step("3", "y⊥", upright);
  d.step("4", "x′", plus(x, upright));
  d.step("5", "|x|², |y⊥|², |x′|²", {dot(x, x), dot(upright, upright), dot(plus(x, upright), plus(x, upright))});
  const Numbers dy = plus(g, times(-dot(x, g) / s, x));
  d.step("6", "dL/dy", dy);
  const Numbers direct = plus(times(1 - c, g), times(-dot(g, x) / s, plus(y, times(-2 * c, x))));
  d.step("7", "dL/dx, past f", direct);
  d.step("8", "dL/dx", plus(direct, norm_back(back(dy), x)));
  const nn::PlacementPtr placement = make("orthogonal", kFeedForward);
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift()}, *placement, {t}).x; }, x, g);
}

void highway() {
  Derivation d("block-highway");
  const Numbers x = d.given("x", kStream);
  const Numbers g = d.given("g", kGradient);
  const double alpha = d.given("α", 2)(0);
  const Numbers f = shifted(normed(x));
  d.step("1", "f(norm(x))", f);
  const Numbers s = plus(times(alpha, x), f);
  d.step("2", "s", s);
  d.step("3", "y", normed(s));
  const Numbers ds = norm_back(g, s);
  d.step("4", "dL/ds", ds);
  d.step("5", "dL/dx", plus(times(alpha, ds), norm_back(back(ds), x)));
  const nn::PlacementPtr placement = make("highway", kFeedForward, {.layers = 2});
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift()}, *placement, {t}).x; }, x, g);
  const Numbers layers = d.given("sublayers", {12, 24, 48});
  d.step("6", "(1 + 1/L²)^(-L/2)", each(3, [&](int64_t i) { return std::pow(1 + 1 / (layers(i) * layers(i)), -layers(i) / 2); }));
  d.step("7", "2^(-L/2)", each(3, [&](int64_t i) { return std::pow(2, -layers(i) / 2); }));
}

void mixed() {
  Derivation d("block-mix");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers g = d.given("g", kGradient);
  const Numbers s = plus(x, shifted(x)), x1 = normed(s);
  d.step("1", "after the first block, post-norm", x1);
  d.step("2", "after the second, pre-norm", plus(x1, shifted(normed(x1))));
  const Numbers g1 = plus(g, norm_back(back(g), x1));
  d.step("3", "dL/d of line 1", g1);
  const Numbers ds = norm_back(g1, s);
  d.step("4", "dL/dx", plus(ds, back(ds)));
  const nn::PlacementPtr first = make("mix", kFeedForward, {.layers = 2, .index = 0}),
                         second = make("mix", kFeedForward, {.layers = 2, .index = 1});
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift()}, *second, around({shift()}, *first, {t})).x; }, x, g);
  const Numbers layers = d.given("N", {2, 4, 12, 24});
  d.step("5", "post-norm blocks", each(4, [&](int64_t i) { return std::ceil(layers(i) / 4); }));
}

void depth_scaled() {
  Derivation d("block-depth-scaled-norm");
  const Numbers x = d.given("x", kStream);
  const Numbers g = d.given("g", kGradient);
  const double l = d.given("l", 4)(0);
  const Numbers u = times(1 / std::sqrt(l), normed(x));
  d.step("1", "u", u);
  d.step("2", "y", plus(x, shifted(u)));
  d.step("3", "dL/du", back(g));
  d.step("4", "dL/dx", plus(g, norm_back(times(1 / std::sqrt(l), back(g)), x)));
  const nn::PlacementPtr placement = make("depth-scaled-norm", kFeedForward, {.layers = 4, .index = 3});
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift()}, *placement, {t}).x; }, x, g);
  const Numbers layers = d.given("N", {6, 12, 24, 48});
  d.step("5", "1 + N", each(4, [&](int64_t i) { return 1 + layers(i); }));
  d.step("6", "1 + Σ 1/l", each(4, [&](int64_t i) {
    return 1 + sum(static_cast<int64_t>(layers(i)), [](int64_t k) { return 1 / (static_cast<double>(k) + 1); });
  }));
}

void hybrid() {
  Derivation d("block-hybrid");
  const Numbers x = d.given("x", {4, 3, -2, -5});
  const Numbers g = d.given("g", kGradient);
  const Numbers u = plus(x, shifted(x)), n = normed(u);
  d.step("1", "u", u);
  d.step("2", "n", n);
  d.step("3", "y", plus(n, shifted(n)));
  const Numbers dn = plus(g, back(g));
  d.step("4", "dL/dn", dn);
  const Numbers du = norm_back(dn, u);
  d.step("5", "dL/du", du);
  d.step("6", "dL/dx", plus(du, back(du)));
  const nn::PlacementPtr placement = make("hybrid", kBoth, {.layers = 2});
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift(), shift()}, *placement, {t}).x; }, x, g);
  const Numbers blocks = d.given("N", {3, 6, 12});
  d.step("7", "(2 · 3^(N-1))^(-1/2)", each(3, [&](int64_t i) { return std::pow(2 * std::pow(3, blocks(i) - 1), -0.5); }));
  d.step("8", "2^(-N)", each(3, [&](int64_t i) { return std::pow(2, -blocks(i)); }));
}

// A state of length 7, which is brought to 1 first, and a rate of ½ for each column.
void sphere() {
  Derivation d("block-sphere");
  const Numbers x = d.given("x", {4, 2, -5, -2});
  const Numbers g = d.given("g", kGradient);
  const double alpha = d.given("α", 0.5)(0);
  const auto length = [](const Numbers& v) { return std::sqrt(dot(v, v)); };
  const auto unit = [&](const Numbers& v) { return times(1 / length(v), v); };
  // g - (g · v̂) v̂ over |v|: the gradient of v̂.
  const auto unit_back = [&](const Numbers& of_unit, const Numbers& v) {
    return times(1 / length(v), plus(of_unit, times(-dot(of_unit, unit(v)), unit(v))));
  };
  const Numbers h = unit(x), y = shifted(times(2, x)), y_hat = unit(y);
  d.step("1", "ĥ", h);
  d.step("2", "y", y);
  d.step("3", "ŷ", y_hat);
  const Numbers difference = plus(y_hat, times(-1, h)), n = plus(h, times(alpha, difference)), to = unit(n);
  d.step("4", "n", n);
  d.law("5", "|n|²", {dot(n, n)}, {1 - 2 * alpha * (1 - alpha) * (1 - dot(h, y_hat))});
  d.step("6", "x′", to);
  const Numbers dn = unit_back(g, n);
  d.step("7", "dL/dn", dn);
  const Numbers dalpha = each(4, [&](int64_t i) { return dn(i) * difference(i); });
  d.step("8", "dL/dα", dalpha);
  const Numbers dy = unit_back(times(alpha, dn), y);
  d.step("9", "dL/dy", dy);
  const Numbers dx = plus(unit_back(times(1 - alpha, dn), x), times(2, back(dy)));
  d.step("10", "dL/dx", dx);
  d.law("11", "n · dL/dn", {dot(n, dn)}, {0});
  const nn::PlacementPtr placement = make("sphere", kFeedForward);
  const double stored = alpha / (0.05 * 2);  // α over 0.05 √4
  for (Tensor& rate : placement->parameters()) rate.assign(full({4}, stored, DType::f64));
  d.gradient("dL/dx", [&](const Tensor& t) { return around({shift()}, *placement, {t}).x; }, x, g);
  const Numbers width = d.given("d", {64, 1024});
  d.step("12", "0.05 √d", each(2, [&](int64_t i) { return 0.05 * std::sqrt(width(i)); }));
}

// One query and two keys in each of two layers.
void residual_scores() {
  Derivation d("block-residual-scores");
  const Numbers own1 = d.given("s₁", {std::log(3.0), 0});
  const Numbers own2 = d.given("s₂", {0, std::log(3.0)});
  const Numbers v = d.given("v", {4, 0});
  const Numbers g = d.given("g of each layer", {1, 2});
  const auto softmaxed = [](const Numbers& s) {
    const double p = sigma(s(0) - s(1));
    return Numbers{p, 1 - p};
  };
  const Numbers p1 = softmaxed(own1);
  d.step("1", "P of layer 1", p1);
  const Numbers sum2 = each(2, [&](int64_t i) { return own1(i) + own2(i); });
  d.step("2", "S of layer 2", sum2);
  const Numbers p2 = softmaxed(sum2);
  d.step("3", "P of layer 2", p2);
  d.step("4", "y₁, y₂", {dot(p1, v), dot(p2, v)});
  const auto score_gradient = [&](const Numbers& p, double of_y) {
    return each(2, [&](int64_t i) { return p(i) * of_y * (v(i) - dot(p, v)); });
  };
  const Numbers ds2 = score_gradient(p2, g(1)), ds1 = score_gradient(p1, g(0));
  d.step("5", "dL/ds₂", ds2);
  d.step("6", "dL/ds₁", each(2, [&](int64_t i) { return ds1(i) + ds2(i); }));
  const auto both = [&](const Tensor& a, const Tensor& b) {
    return stack({sum(nn::softmax(a) * v.tensor()), sum(nn::softmax(a + b) * v.tensor())});
  };
  d.gradient("dL/ds₂", [&](const Tensor& t) { return both(own1, t); }, own2, g);
  d.gradient("dL/ds₁", [&](const Tensor& t) { return both(t, own2); }, own1, g);
}

}  // namespace

int main() {
  sinkhorn();
  mhc();
  attention_residual();
  gated_streams();
  denseformer();
  input_residual();
  mudd();
  gru_gate();
  orthogonal();
  highway();
  mixed();
  depth_scaled();
  hybrid();
  sphere();
  residual_scores();
  return verdict();
}
