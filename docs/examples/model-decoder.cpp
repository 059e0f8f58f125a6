// model-encoder and model-decoder: the library's own stacks on two tokens of two numbers, with weights that leave one
// sublayer of each layer awake, so that every number fits on paper.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t n = 2;  // d, the source's tokens and the target's

nn::TransformerOptions small(int64_t layers) {
  return {.vocabulary = 2,
          .d_model = 2,
          .layers = layers,
          .heads = 1,
          .d_ff = 1,
          .norm = "rms-noeps",
          .position = "none",
          .feed_forward = "relu"};
}

// Sets these parameters; all other matrices are 0, gains stay 1.
void set(nn::Module& module, const std::map<std::string, Numbers>& values) {
  module.to(DType::f64);
  std::size_t found = 0;
  for (auto& [path, parameter, role] : module.named_parameters()) {
    Tensor to = parameter;
    if (const auto value = values.find(path); value != values.end()) {
      to.assign(value->second.tensor());
      ++found;
    } else if (to.rank() == 2) {
      to.fill(0);
    }
  }
  check<ValueError>(found == values.size(), "a parameter has another name");
}

Tensor one_sample(const Tensor& x) { return reshape(x, {1, x.size(0), x.size(1)}); }

// x / r of a row, and the way back, line 9 of norm-rms with γ = 1.
double size_of_row(const Numbers& x, int64_t t) {
  return std::sqrt(sum(n, [&](int64_t i) { return x(t, i) * x(t, i); }) / n);
}
Numbers normed(const Numbers& x) {
  return each(n, n, [&](int64_t t, int64_t i) { return x(t, i) / size_of_row(x, t); });
}
Numbers normed_back(const Numbers& x, const Numbers& g) {
  return each(n, n, [&](int64_t t, int64_t j) {
    const double r = size_of_row(x, t), mean = sum(n, [&](int64_t i) { return g(t, i) * x(t, i); }) / n;
    return (g(t, j) - x(t, j) * mean / (r * r)) / r;
  });
}
Numbers plus(const Numbers& a, const Numbers& b) {
  return each(n, n, [&](int64_t t, int64_t i) { return a(t, i) + b(t, i); });
}

double dot(const Numbers& a, int64_t t, const Numbers& b, int64_t s) {
  return sum(n, [&](int64_t i) { return a(t, i) * b(s, i); });
}

void encoder() {
  Derivation d("model-encoder");
  const Numbers x = d.given("x", {{1, 7}, {7, -1}});
  const Numbers g = d.given("g", {{1, 0}, {0, 1}});
  const Numbers identity{{1, 0}, {0, 1}};
  const Numbers u = normed(x);
  d.step("h1", "u", u);
  const Numbers mean = each(n, [&](int64_t i) { return sum(n, [&](int64_t s) { return u(s, i); }) / n; });
  d.step("h2", "mean of u", mean);
  const Numbers z = each(n, n, [&](int64_t t, int64_t i) { return x(t, i) + mean(i); });
  d.step("h3", "z", z);
  d.step("h4", "m", normed(z));
  const Numbers dz = normed_back(z, g);
  d.step("1", "dL/dz", dz);
  const Numbers du = each(n, n, [&](int64_t, int64_t i) { return sum(n, [&](int64_t t) { return dz(t, i); }) / n; });
  d.step("2", "dL/du", du);
  d.step("3", "dL/dx", plus(dz, normed_back(x, du)));
  d.law("4", "of each place, Σ z ⊙ dL/dz", each(n, [&](int64_t t) { return dot(z, t, dz, t); }), {0, 0});
  d.gradient("dL/dx", [&](const Tensor& t) {
    nn::Encoder encoder(small(1));
    set(encoder, {{"blocks.0.attention.v_proj.weight", identity}, {"blocks.0.attention.out_proj.weight", identity}});
    return reshape(encoder(one_sample(t)), {n, n});
  }, x, g);
}

// Cross-attention of one layer: what it reads, and the gradients that it hands on.
struct Layer {
  double sharpness;  // W_q is √2 times this times the identity: a score is `sharpness` u · k
  Numbers W_v;       // [d, d]; W_k and W_o are the identity

  Numbers scores(const Numbers& u, const Numbers& m) const {
    return each(n, n, [&](int64_t t, int64_t s) { return sharpness * sum(n, [&](int64_t i) { return u(t, i) * m(s, i); }); });
  }
  static Numbers softmax(const Numbers& a) {
    return each(n, n, [&](int64_t t, int64_t s) { return std::exp(a(t, s)) / sum(n, [&](int64_t k) { return std::exp(a(t, k)); }); });
  }
  Numbers values(const Numbers& m) const {
    return each(n, n, [&](int64_t s, int64_t i) { return sum(n, [&](int64_t j) { return W_v(i, j) * m(s, j); }); });
  }
  static Numbers mixed(const Numbers& p, const Numbers& v) {
    return each(n, n, [&](int64_t t, int64_t i) { return sum(n, [&](int64_t s) { return p(t, s) * v(s, i); }); });
  }
};

void decoder() {
  Derivation d("model-decoder");
  const Numbers x = d.given("x", {{1, 1}, {1, -1}});
  const Numbers m = d.given("m", {{1, 0}, {0, 1}});
  const Layer one{std::log(3), d.given("W_v of layer 1", {{0, 4}, {-1, 5}})};
  const Layer two{std::log(2), d.given("W_v of layer 2", {{0, 1.5}, {-1, 2.5}})};
  const Numbers g = d.given("g", {{7.5, 0}, {3.4, 0}});

  const Numbers u1 = normed(x), v1 = one.values(m), p1 = Layer::softmax(one.scores(u1, m)), y1 = Layer::mixed(p1, v1);
  d.step("h1", "u of layer 1", u1);
  d.step("h2", "scores of layer 1", one.scores(u1, m));
  d.step("h3", "p of layer 1", p1);
  d.step("h4", "v of layer 1", v1);
  d.step("h5", "y of layer 1", y1);
  const Numbers a = plus(x, y1);
  d.step("h6", "a", a);
  const Numbers u2 = normed(a), v2 = two.values(m), p2 = Layer::softmax(two.scores(u2, m)), y2 = Layer::mixed(p2, v2);
  d.step("h7", "u of layer 2", u2);
  d.step("h8", "p of layer 2", p2);
  d.step("h9", "v of layer 2", v2);
  d.step("h10", "y of layer 2", y2);
  const Numbers b = plus(a, y2);
  d.step("h11", "b", b);
  d.step("h12", "out", normed(b));

  // Back through the last norm, then layer 2.
  const Numbers db = normed_back(b, g);
  d.step("1", "g of layer 2", db);
  const auto dv_of = [&](const Numbers& p, const Numbers& dy) {
    return each(n, n, [&](int64_t s, int64_t i) { return sum(n, [&](int64_t t) { return dy(t, i) * p(t, s); }); });
  };
  const Numbers dv2 = dv_of(p2, db);
  d.step("2", "dL/dv of layer 2", dv2);
  const Numbers dp2 = each(n, n, [&](int64_t t, int64_t s) { return dot(db, t, v2, s); });
  d.step("3", "dL/dp of layer 2", dp2);
  const auto da_of = [&](const Numbers& p, const Numbers& dp) {
    return each(n, n, [&](int64_t t, int64_t s) { return p(t, s) * (dp(t, s) - sum(n, [&](int64_t k) { return p(t, k) * dp(t, k); })); });
  };
  const Numbers ds2 = da_of(p2, dp2);
  d.step("4", "dL/dscores of layer 2", ds2);
  const auto dk_of = [&](const Layer& layer, const Numbers& ds, const Numbers& u) {
    return each(n, n, [&](int64_t s, int64_t i) { return layer.sharpness * sum(n, [&](int64_t t) { return ds(t, s) * u(t, i); }); });
  };
  const Numbers dk2 = dk_of(two, ds2, u2);
  d.step("5", "dL/dk of layer 2", dk2);
  const Numbers du2 =
      each(n, n, [&](int64_t t, int64_t i) { return two.sharpness * sum(n, [&](int64_t s) { return ds2(t, s) * m(s, i); }); });
  d.step("6", "dL/du of layer 2", du2);
  const Numbers da = plus(db, normed_back(a, du2));
  d.step("7", "g of layer 1", da);

  const Numbers dv1 = dv_of(p1, da);
  d.step("8", "dL/dv of layer 1", dv1);
  const Numbers ds1 = da_of(p1, each(n, n, [&](int64_t t, int64_t s) { return dot(da, t, v1, s); }));
  d.step("9", "dL/dscores of layer 1", ds1);
  const Numbers dk1 = dk_of(one, ds1, u1);
  d.step("10", "dL/dk of layer 1", dk1);

  const auto through_v = [&](const Layer& layer, const Numbers& dv) {
    return each(n, n, [&](int64_t s, int64_t j) { return sum(n, [&](int64_t i) { return dv(s, i) * layer.W_v(i, j); }); });
  };
  d.step("11", "part of m by k of layer 1", dk1);
  d.step("12", "part of m by v of layer 1", through_v(one, dv1));
  d.step("13", "part of m by k of layer 2", dk2);
  d.step("14", "part of m by v of layer 2", through_v(two, dv2));
  d.step("15", "dL/dm", plus(plus(dk1, through_v(one, dv1)), plus(dk2, through_v(two, dv2))));
  d.law("16", "Σ dL/dk of layer 2 over the source", each(n, [&](int64_t i) { return sum(n, [&](int64_t s) { return dk2(s, i); }); }),
        {0, 0});

  const auto run = [&](const Tensor& target, const Tensor& memory) {
    nn::Decoder decoder(small(2));
    const Numbers identity{{1, 0}, {0, 1}};
    const auto times = [](double c) { return Numbers{{c, 0}, {0, c}}; };
    std::map<std::string, Numbers> values;
    for (const auto& [layer, at] : {std::pair<const Layer&, std::string>{one, "blocks.0"}, {two, "blocks.1"}}) {
      values.insert({at + ".cross_attention.q_proj.weight", times(std::sqrt(2) * layer.sharpness)});
      values.insert({at + ".cross_attention.k_proj.weight", identity});
      values.insert({at + ".cross_attention.v_proj.weight", layer.W_v});
      values.insert({at + ".cross_attention.out_proj.weight", identity});
    }
    set(decoder, values);
    return reshape(decoder(one_sample(target), one_sample(memory)), {n, n});
  };
  d.gradient("dL/dm", [&](const Tensor& t) { return run(x, t); }, m, g);
}

}  // namespace

int main() {
  encoder();
  decoder();
  return verdict();
}
