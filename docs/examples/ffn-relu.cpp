// ffn-relu, ffn-gelu, ffn-silu, ffn-relu2: two linear maps with an elementwise function between, on two tokens.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t tokens = 2, d_model = 2, d_ff = 3;
using nn::formula::feed_forward;

void relu() {
  Derivation d("ffn-relu");
  const Numbers x = d.given("x", {{1, 2}, {2, -1}});
  const Numbers w1 = d.given("W₁", {{1, 1}, {1, -1}, {-1, 2}}), b1 = d.given("b₁", {1, 0, 2});
  const Numbers w2 = d.given("W₂", {{1, 2, -1}, {0, 1, 1}}), b2 = d.given("b₂", {1, -1});
  const Numbers g = d.given("g", {{1, 2}, {-1, 1}});

  const Numbers a =
      each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return w1(k, i) * x(t, i); }) + b1(k); });
  const Numbers h = each(tokens, d_ff, [&](int64_t t, int64_t k) { return std::max(a(t, k), 0.0); });
  const Numbers y =
      each(tokens, d_model, [&](int64_t t, int64_t j) { return sum(d_ff, [&](int64_t k) { return w2(j, k) * h(t, k); }) + b2(j); });
  d.step("h1", "a", a);
  d.step("h2", "h", h);
  d.step("h3", "y", y);
  d.law("h4", "y of the library", feed_forward(nn::act::relu, x, w1, b1, w2, b2), y);

  d.step("1", "a", a);
  d.step("2", "h", h);
  d.step("3", "y", y);
  d.step("4", "dL/db₂", each(d_model, [&](int64_t j) { return sum(tokens, [&](int64_t t) { return g(t, j); }); }));
  d.step("5", "dL/dW₂",
         each(d_model, d_ff, [&](int64_t j, int64_t k) { return sum(tokens, [&](int64_t t) { return g(t, j) * h(t, k); }); }));
  const Numbers dh = each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t j) { return g(t, j) * w2(j, k); }); });
  d.step("6", "dL/dh", dh);
  const Numbers on = each(tokens, d_ff, [&](int64_t t, int64_t k) { return a(t, k) > 0 ? 1 : 0; });
  d.step("7", "∂h/∂a", on);
  const Numbers da = each(tokens, d_ff, [&](int64_t t, int64_t k) { return dh(t, k) * on(t, k); });
  d.step("8", "dL/da", da);
  const Numbers db1 = each(d_ff, [&](int64_t k) { return sum(tokens, [&](int64_t t) { return da(t, k); }); });
  d.step("9", "dL/db₁", db1);
  const Numbers dw1 = each(d_ff, d_model, [&](int64_t k, int64_t i) { return sum(tokens, [&](int64_t t) { return da(t, k) * x(t, i); }); });
  d.step("10", "dL/dW₁", dw1);
  d.step("11", "dL/dx",
         each(tokens, d_model, [&](int64_t t, int64_t i) { return sum(d_ff, [&](int64_t k) { return da(t, k) * w1(k, i); }); }));

  // The same as products of matrices: the last index of the left factor meets the first of the right.
  const auto transposed = [](const Numbers& m) { return each(m.shape()[1], m.shape()[0], [&](int64_t i, int64_t j) { return m(j, i); }); };
  const auto product = [](const Numbers& l, const Numbers& r) {
    return each(l.shape()[0], r.shape()[1],
                [&](int64_t i, int64_t j) { return sum(l.shape()[1], [&](int64_t k) { return l(i, k) * r(k, j); }); });
  };
  const Numbers dw2 = product(transposed(g), h);
  d.step("12", "dL/dW₂", dw2);
  d.step("13", "dL/dW₁", product(transposed(da), x));
  d.step("14", "dL/dx", product(da, w1));
  const Numbers outgoing = each(d_ff, [&](int64_t k) { return sum(d_model, [&](int64_t j) { return w2(j, k) * dw2(j, k); }); });
  const Numbers incoming =
      each(d_ff, [&](int64_t k) { return sum(d_model, [&](int64_t i) { return w1(k, i) * dw1(k, i); }) + b1(k) * db1(k); });
  d.law("15", "of each unit, in and out", incoming, outgoing);

  d.gradient("dL/dx", [&](const Tensor& t) { return feed_forward(nn::act::relu, t, w1, b1, w2, b2); }, x, g);
  d.gradient("dL/dW₁", [&](const Tensor& t) { return feed_forward(nn::act::relu, x, t, b1, w2, b2); }, w1, g);
  d.gradient("dL/db₁", [&](const Tensor& t) { return feed_forward(nn::act::relu, x, w1, t, w2, b2); }, b1, g);
  d.gradient("dL/dW₂", [&](const Tensor& t) { return feed_forward(nn::act::relu, x, w1, b1, t, b2); }, w2, g);
  d.gradient("dL/db₂", [&](const Tensor& t) { return feed_forward(nn::act::relu, x, w1, b1, w2, t); }, b2, g);
}

// The same numbers; h = f(a) and its slope f'(a) are all that changes.
using Function = std::function<double(double)>;
void another(const std::string& id, const Function& f, const Function& slope, const nn::Activation& activation,
             double degree = 0) {  // a f'(a) = degree · f(a), if there is such a number
  Derivation d(id);
  const Numbers x{{1, 2}, {2, -1}}, w1{{1, 1}, {1, -1}, {-1, 2}}, b1{1, 0, 2};
  const Numbers w2{{1, 2, -1}, {0, 1, 1}}, b2{1, -1}, g{{1, 2}, {-1, 1}};
  const Numbers a =
      each(tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t i) { return w1(k, i) * x(t, i); }) + b1(k); });
  d.step("1", "a", a);
  const Numbers h = each(tokens, d_ff, [&](int64_t t, int64_t k) { return f(a(t, k)); });
  d.step("2", "h", h);
  const Numbers y =
      each(tokens, d_model, [&](int64_t t, int64_t j) { return sum(d_ff, [&](int64_t k) { return w2(j, k) * h(t, k); }) + b2(j); });
  d.step("3", "y", y);
  d.step("4", "f'(a)", each(tokens, d_ff, [&](int64_t t, int64_t k) { return slope(a(t, k)); }));
  const Numbers da = each(
      tokens, d_ff, [&](int64_t t, int64_t k) { return sum(d_model, [&](int64_t j) { return g(t, j) * w2(j, k); }) * slope(a(t, k)); });
  d.step("5", "dL/da", da);
  d.step("6", "dL/dx",
         each(tokens, d_model, [&](int64_t t, int64_t i) { return sum(d_ff, [&](int64_t k) { return da(t, k) * w1(k, i); }); }));
  const Numbers dw1 = each(d_ff, d_model, [&](int64_t k, int64_t i) { return sum(tokens, [&](int64_t t) { return da(t, k) * x(t, i); }); });
  d.step("7", "dL/dW₁", dw1);
  const Numbers db1 = each(d_ff, [&](int64_t k) { return sum(tokens, [&](int64_t t) { return da(t, k); }); });
  d.step("8", "dL/db₁", db1);
  const Numbers dw2 = each(d_model, d_ff, [&](int64_t j, int64_t k) { return sum(tokens, [&](int64_t t) { return g(t, j) * h(t, k); }); });
  d.step("9", "dL/dW₂", dw2);
  d.step("10", "dL/db₂", each(d_model, [&](int64_t j) { return sum(tokens, [&](int64_t t) { return g(t, j); }); }));

  if (degree != 0) {
    const Numbers outgoing = each(d_ff, [&](int64_t k) { return sum(d_model, [&](int64_t j) { return w2(j, k) * dw2(j, k); }); });
    const Numbers incoming =
        each(d_ff, [&](int64_t k) { return sum(d_model, [&](int64_t i) { return w1(k, i) * dw1(k, i); }) + b1(k) * db1(k); });
    d.law("11", "of each unit, in", incoming, each(d_ff, [&](int64_t k) { return degree * outgoing(k); }));
  }
  d.gradient("dL/dx", [&](const Tensor& t) { return feed_forward(activation, t, w1, b1, w2, b2); }, x, g);
  d.gradient("dL/dW₁", [&](const Tensor& t) { return feed_forward(activation, x, t, b1, w2, b2); }, w1, g);
  d.gradient("dL/db₁", [&](const Tensor& t) { return feed_forward(activation, x, w1, t, w2, b2); }, b1, g);
  d.gradient("dL/dW₂", [&](const Tensor& t) { return feed_forward(activation, x, w1, b1, t, b2); }, w2, g);
  d.gradient("dL/db₂", [&](const Tensor& t) { return feed_forward(activation, x, w1, b1, w2, t); }, b2, g);
}

double sigmoid(double a) { return 1 / (1 + std::exp(-a)); }
double normal(double a) { return std::erfc(-a / std::sqrt(2)) / 2; }                     // Φ
double bell(double a) { return std::exp(-a * a / 2) / std::sqrt(2 * std::acos(-1.0)); }  // φ = Φ'

}  // namespace

int main() {
  relu();
  another("ffn-gelu", [](double a) { return a * normal(a); }, [](double a) { return normal(a) + a * bell(a); }, nn::act::gelu);
  another("ffn-silu", [](double a) { return a * sigmoid(a); }, [](double a) { return sigmoid(a) * (1 + a * (1 - sigmoid(a))); },
          nn::act::silu);
  another("ffn-relu2", [](double a) { return std::max(a, 0.0) * std::max(a, 0.0); }, [](double a) { return 2 * std::max(a, 0.0); },
          nn::act::relu2, 2);
  return verdict();
}
