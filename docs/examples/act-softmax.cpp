// act-softmax and act-log-softmax: values and gradients, line by line, on the scores 0, ln 4 and ln 5.
#include <algorithm>
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

constexpr int64_t n = 3;

void softmax() {
  Derivation d("act-softmax");
  const Numbers x = d.given("x", {0, std::log(4), std::log(5)});
  const Numbers g = d.given("g", {2, -1, 1});

  const double c = std::max({x(0), x(1), x(2)});
  const Numbers u = each(n, [&](int64_t i) { return std::exp(x(i) - c); });
  const double z = sum(n, [&](int64_t k) { return u(k); });
  const Numbers y = each(n, [&](int64_t i) { return u(i) / z; });
  d.step("h1", "c", c);
  d.step("h2", "u", u);
  d.step("h3", "Z", z);
  d.step("h4", "y", y);
  d.law("h5", "y without c", each(n, [&](int64_t i) { return std::exp(x(i)) / sum(n, [&](int64_t k) { return std::exp(x(k)); }); }), y);
  const auto at_temperature = [&](double tau) {
    return each(n, [&](int64_t i) { return std::exp(x(i) / tau) / sum(n, [&](int64_t k) { return std::exp(x(k) / tau); }); });
  };
  d.law("h6", "softmax(x / ½)", each(n, [&](int64_t i) { return y(i) * y(i) / (0.01 + 0.16 + 0.25); }), at_temperature(0.5));
  d.step("h7", "softmax(x / 100)", at_temperature(100));

  d.step("1", "y", each(n, [&](int64_t i) { return u(i) / z; }));
  d.law("2", "∂y/∂c", each(n, [&](int64_t i) { return -u(i) / z + u(i) * z / (z * z); }), {0, 0, 0});
  d.step("3", "∂u_1/∂x", each(n, [&](int64_t j) { return delta(0, j) * u(0); }));
  d.step("4", "∂Z/∂x", u);
  d.step("5", "∂y_1/∂x", each(n, [&](int64_t j) { return delta(0, j) * u(0) / z - u(0) * u(j) / (z * z); }));
  const auto jacobian = [&](int64_t i, int64_t j) { return y(i) * (delta(i, j) - y(j)); };
  d.step("6", "∂y_1/∂x", each(n, [&](int64_t j) { return jacobian(0, j); }));
  d.step("7", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * jacobian(i, j); }); }));
  const double q = sum(n, [&](int64_t i) { return g(i) * y(i); });
  d.step("8", "q", q);
  d.step("9", "dL/dx", each(n, [&](int64_t j) { return g(j) * y(j) - y(j) * q; }));
  const Numbers dx = each(n, [&](int64_t j) { return y(j) * (g(j) - q); });
  d.step("10", "dL/dx", dx);
  d.law("11", "Σ dL/dx", sum(n, [&](int64_t j) { return dx(j); }), 0);
  d.law("12", "J", each(n, n, jacobian), each(n, n, [&](int64_t i, int64_t j) { return jacobian(j, i); }));
  d.law("13", "row sums of J", each(n, [&](int64_t i) { return sum(n, [&](int64_t j) { return jacobian(i, j); }); }), {0, 0, 0});
  d.step("14", "dL/dτ", -sum(n, [&](int64_t j) { return x(j) * dx(j); }));
  const Tensor leaf = x.tensor().set_requires_grad();
  const Tensor of_sum = grad({logsumexp(leaf, 0)}, {leaf}, {.create_graph = true})[0];
  d.law("15", "Hessian of log Σ e^x, times g", dx, grad({of_sum}, {leaf}, {.seeds = {g.tensor()}})[0]);

  d.gradient("dL/dx", [](const Tensor& t) { return nn::softmax(t); }, x, g);
  d.gradient("dL/dτ", [&](const Tensor& t) { return nn::softmax(x / t); }, 1, g);
}

void log_softmax() {
  Derivation d("act-log-softmax");
  const Numbers x = d.given("x", {0, std::log(4), std::log(5)});
  const Numbers g = d.given("g", {2, -1, 1});

  const double c = std::max({x(0), x(1), x(2)});
  const double log_z = c + std::log(sum(n, [&](int64_t k) { return std::exp(x(k) - c); }));
  const Numbers y = each(n, [&](int64_t i) { return x(i) - log_z; });
  d.step("h1", "log Σ e^x", log_z);
  d.step("h2", "y", y);
  d.step("h3", "e^y", each(n, [&](int64_t i) { return std::exp(y(i)); }));
  const Numbers p = each(n, [&](int64_t i) { return std::exp(y(i)); });

  d.step("1", "y", each(n, [&](int64_t i) { return x(i) - log_z; }));
  d.step("2", "∂(log Σ e^x)/∂x", each(n, [&](int64_t j) { return std::exp(x(j)) / sum(n, [&](int64_t k) { return std::exp(x(k)); }); }));
  d.step("3", "e^y", p);
  d.step("4", "∂y_1/∂x", each(n, [&](int64_t j) { return delta(0, j) - p(j); }));
  d.step("5", "dL/dx", each(n, [&](int64_t j) { return sum(n, [&](int64_t i) { return g(i) * (delta(i, j) - p(j)); }); }));
  const double all = sum(n, [&](int64_t i) { return g(i); });
  const Numbers dx = each(n, [&](int64_t j) { return g(j) - p(j) * all; });
  d.step("6", "dL/dx", dx);
  d.law("7", "Σ dL/dx", sum(n, [&](int64_t j) { return dx(j); }), 0);
  const auto hessian = [&](int64_t i, int64_t j) { return -all * p(i) * (delta(i, j) - p(j)); };
  const Tensor leaf = x.tensor().set_requires_grad();
  const Tensor slope = grad({nn::log_softmax(leaf)}, {leaf}, {.seeds = {g.tensor()}, .create_graph = true})[0];
  d.law("8", "H", each(n, n, hessian),
        each(n, n, [&](int64_t i, int64_t j) { return Numbers(grad({slope[i]}, {leaf}, {.retain_graph = true})[0])(j); }));

  const Tensor far = tensor({0, 100, 200});  // f32
  d.step("9", "log(softmax([0, 100, 200]))", log(nn::softmax(far)));
  d.step("10", "log_softmax([0, 100, 200])", nn::log_softmax(far));
  const auto gradient_of_first = [&](const TensorFunction& f) {
    const Tensor leaf_far = far.detached_copy().set_requires_grad();
    return grad({f({leaf_far})}, {leaf_far}, {.seeds = {tensor({1, 0, 0})}})[0];
  };
  const Tensor by_log = gradient_of_first([](const Tensors& t) { return log(nn::softmax(t[0])); });
  d.step("11", "NaN in the gradient of the first, by log(softmax)", sum(isnan(by_log)));
  d.step("12", "gradient of the first, by log_softmax", gradient_of_first([](const Tensors& t) { return nn::log_softmax(t[0]); }));

  d.gradient("dL/dx", [](const Tensor& t) { return nn::log_softmax(t); }, x, g);
}

}  // namespace

int main() {
  softmax();
  log_softmax();
  return verdict();
}
