// norm-axes, norm-batch, norm-instance and norm-group: which numbers share a mean, and what follows for the gradient.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

// Two samples of two channels with two positions: eight numbers, averaged in five ways.
void norm_axes() {
  Derivation d("norm-axes");
  const Numbers x = d.given("x", Numbers(Shape{2, 2, 2}, {1, 3, 5, 7, 9, 11, 13, 15}));
  const auto mean_over = [&](const Axes& axes) { return Numbers(mean(x.tensor(), axes)); };

  const Numbers batch = each(2, [&](int64_t i) { return (x(0, i, 0) + x(0, i, 1) + x(1, i, 0) + x(1, i, 1)) / 4; });
  d.law("h1", "batch", batch, mean_over(nn::batch_norm_axes(3)));
  const Numbers instance = each(2, 2, [&](int64_t s, int64_t i) { return (x(s, i, 0) + x(s, i, 1)) / 2; });
  d.law("h2", "instance", instance, mean_over(nn::instance_norm_axes(3)));
  const Numbers sample = each(2, [&](int64_t s) { return (x(s, 0, 0) + x(s, 0, 1) + x(s, 1, 0) + x(s, 1, 1)) / 4; });
  d.law("h3", "layer, a sample", sample, mean_over({1, 2}));
  const Numbers token = each(2, 2, [&](int64_t s, int64_t t) { return (x(s, 0, t) + x(s, 1, t)) / 2; });
  d.law("h4", "layer, a token", token, mean_over(1));
}

// One channel of a batch of five samples.
void batch_norm() {
  Derivation d("norm-batch");
  const Numbers x = d.given("x", {5, 2, 6, 8, 4});
  const double gain = d.given("γ", 2)(0), bias = d.given("β", 1)(0);
  const Numbers g = d.given("g", {1, 0, 2, -1, 3});
  constexpr int64_t n = 5;
  constexpr double m = 0.1;  // momentum

  const double mu = sum(n, [&](int64_t s) { return x(s); }) / n;
  d.step("h1", "μ", mu);
  d.step("h2", "x - μ", each(n, [&](int64_t s) { return x(s) - mu; }));
  const double square_deviations = sum(n, [&](int64_t s) { return (x(s) - mu) * (x(s) - mu); });
  d.step("h3", "σ²", square_deviations / n);
  const double r = std::sqrt(square_deviations / n);
  d.step("h4", "r", r);
  const Numbers x_hat = each(n, [&](int64_t s) { return (x(s) - mu) / r; });
  d.step("h5", "x̂", x_hat);
  d.step("h6", "y", each(n, [&](int64_t s) { return gain * x_hat(s) + bias; }));
  nn::BatchNorm1d norm(1, {.eps = 0});
  norm.to(DType::f64);
  norm(reshape(x.tensor(), {n, 1}));  // collects
  const double running_mean = (1 - m) * 0 + m * mu;
  d.law("h7", "running mean", running_mean, norm.running->mean.item());
  d.step("h8", "σ² unbiased", square_deviations / (n - 1));
  const double running_variance = (1 - m) * 1 + m * square_deviations / (n - 1);
  d.law("h9", "running variance", running_variance, norm.running->variance.item());
  nn::BatchNorm1d biased(1, {.running = {.unbiased_variance = false}});
  biased.to(DType::f64);
  biased(reshape(x.tensor(), {n, 1}));
  d.law("h10", "running variance, biased", (1 - m) * 1 + m * square_deviations / n, biased.running->variance.item());

  d.step("1", "y", each(n, [&](int64_t s) { return gain * (x(s) - mu) / r + bias; }));
  d.step("2", "dL/dβ", sum(n, [&](int64_t s) { return g(s); }));
  d.step("3", "dL/dγ", sum(n, [&](int64_t s) { return g(s) * x_hat(s); }));
  const Numbers g_hat = each(n, [&](int64_t s) { return g(s) * gain; });
  d.step("4", "ĝ", g_hat);
  const auto d_centered = [&](int64_t s, int64_t t) { return delta(s, t) - 1.0 / n; };
  d.step("5", "∂(x_2 - μ)/∂x", each(n, [&](int64_t t) { return d_centered(1, t); }));
  d.step("6", "∂r/∂x", each(n, [&](int64_t t) { return sum(n, [&](int64_t s) { return (x(s) - mu) * d_centered(s, t); }) / (n * r); }));
  d.step("7", "∂r/∂x", each(n, [&](int64_t t) { return x_hat(t) / n; }));
  d.step("8", "∂x̂_2/∂x", each(n, [&](int64_t t) { return d_centered(1, t) / r - (x(1) - mu) / (r * r) * x_hat(t) / n; }));
  const auto jacobian = [&](int64_t s, int64_t t) { return (delta(s, t) - 1.0 / n - x_hat(s) * x_hat(t) / n) / r; };
  d.step("9", "∂x̂_2/∂x", each(n, [&](int64_t t) { return jacobian(1, t); }));
  d.step("10", "dL/dx", each(n, [&](int64_t t) { return sum(n, [&](int64_t s) { return g_hat(s) * jacobian(s, t); }); }));
  const double mean_g = sum(n, [&](int64_t s) { return g_hat(s); }) / n;
  d.step("11", "mean(ĝ)", mean_g);
  const double mean_gx = sum(n, [&](int64_t s) { return g_hat(s) * x_hat(s); }) / n;
  d.step("12", "mean(ĝ ⊙ x̂)", mean_gx);
  const Numbers dx = each(n, [&](int64_t t) { return (g_hat(t) - mean_g - x_hat(t) * mean_gx) / r; });
  d.step("13", "dL/dx", dx);
  d.law("14", "Σ dL/dx", sum(n, [&](int64_t t) { return dx(t); }), 0);
  d.law("15", "Σ x̂ ⊙ dL/dx", sum(n, [&](int64_t t) { return x_hat(t) * dx(t); }), 0);

  const auto as_channel = [](const Tensor& t) { return reshape(t, {n, 1}); };
  const Numbers one_gain = {gain}, one_bias = {bias};
  const auto train = [&](const Tensor& in, const Tensor& by, const Tensor& plus) {
    return reshape(nn::batch_norm(as_channel(in), by, plus, 0), {n});
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return train(t, one_gain, one_bias); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return train(x, reshape(t, {1}), one_bias); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return train(x, one_gain, reshape(t, {1})); }, bias, g);

  const double mean_kept = d.given("running mean", 4)(0), variance_kept = d.given("running variance", 6.25)(0);
  const double r_kept = std::sqrt(variance_kept);
  d.step("16", "eval: r", r_kept);
  const Numbers kept = each(n, [&](int64_t s) { return (x(s) - mean_kept) / r_kept; });
  d.step("17", "eval: y", each(n, [&](int64_t s) { return gain * kept(s) + bias; }));
  d.step("18", "eval: dL/dx", each(n, [&](int64_t t) { return g_hat(t) / r_kept; }));
  d.step("19", "eval: dL/dγ", sum(n, [&](int64_t s) { return g(s) * kept(s); }));
  d.step("20", "eval: dL/dβ", sum(n, [&](int64_t s) { return g(s); }));
  const Numbers kept_mean = {mean_kept}, kept_variance = {variance_kept};
  const auto eval = [&](const Tensor& in, const Tensor& by, const Tensor& plus) {
    return reshape(nn::normalize_by(as_channel(in), kept_mean, kept_variance, by, plus, 0), {n});
  };
  d.gradient("eval: dL/dx", [&](const Tensor& t) { return eval(t, one_gain, one_bias); }, x, g);
  d.gradient("eval: dL/dγ", [&](const Tensor& t) { return eval(x, reshape(t, {1}), one_bias); }, gain, g);
  d.gradient("eval: dL/dβ", [&](const Tensor& t) { return eval(x, one_gain, reshape(t, {1})); }, bias, g);
}

// Ten numbers in two rows of five, each with a mean and a root r of its own.
struct Rows { Numbers mu, r, x_hat, mean_g, mean_gx, dx; };

Rows normalised(const Numbers& x, const Numbers& g_hat) {
  const int64_t rows = x.shape()[0], n = x.shape()[1];
  const auto mean_of_row = [&](const std::function<double(int64_t, int64_t)>& f) {
    return each(rows, [=](int64_t i) { return sum(n, [&](int64_t t) { return f(i, t); }) / static_cast<double>(n); });
  };
  const Numbers mu = mean_of_row(x);
  const Numbers variance = mean_of_row([&](int64_t i, int64_t t) { return (x(i, t) - mu(i)) * (x(i, t) - mu(i)); });
  const Numbers r = each(rows, [&](int64_t i) { return std::sqrt(variance(i)); });
  const Numbers x_hat = each(rows, n, [&](int64_t i, int64_t t) { return (x(i, t) - mu(i)) / r(i); });
  const Numbers mean_g = mean_of_row(g_hat);
  const Numbers mean_gx = mean_of_row([&](int64_t i, int64_t t) { return g_hat(i, t) * x_hat(i, t); });
  const Numbers dx = each(rows, n, [&](int64_t i, int64_t t) { return (g_hat(i, t) - mean_g(i) - x_hat(i, t) * mean_gx(i)) / r(i); });
  return {mu, r, x_hat, mean_g, mean_gx, dx};
}

void instance_norm() {
  Derivation d("norm-instance");
  const Numbers x = d.given("x", {{5, 2, 6, 8, 4}, {10, 10, 10, 10, 0}});
  const Numbers gain = d.given("γ", {2, 1});
  const Numbers bias = d.given("β", {1, 0});
  const Numbers g = d.given("g", {{1, 0, 2, -1, 3}, {4, 0, 0, 0, 2}});

  const Numbers g_hat = each(2, 5, [&](int64_t i, int64_t t) { return g(i, t) * gain(i); });
  const auto [mu, r, x_hat, mean_g, mean_gx, dx] = normalised(x, g_hat);
  d.step("1", "μ", mu);
  d.step("2", "r", r);
  d.step("3", "x̂", x_hat);
  d.step("4", "y", each(2, 5, [&](int64_t i, int64_t t) { return gain(i) * x_hat(i, t) + bias(i); }));
  d.step("5", "dL/dγ", each(2, [&](int64_t i) { return sum(5, [&](int64_t t) { return g(i, t) * x_hat(i, t); }); }));
  d.step("6", "dL/dβ", each(2, [&](int64_t i) { return sum(5, [&](int64_t t) { return g(i, t); }); }));
  d.step("7", "ĝ", g_hat);
  d.step("8", "mean(ĝ)", mean_g);
  d.step("9", "mean(ĝ ⊙ x̂)", mean_gx);
  d.step("10", "dL/dx", dx);

  const auto f = [](const Tensor& in, const Tensor& by, const Tensor& plus) {
    return reshape(nn::instance_norm(reshape(in, {1, 2, 5}), by, plus, 0), {2, 5});
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return f(t, gain, bias); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return f(x, t, bias); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return f(x, gain, t); }, bias, g);
}

// Four channels of one sample with two positions each, in two groups: what becomes of channels of different sizes.
void group_norm_by_hand(Derivation& d) {
  const Numbers x = d.given("x by hand", {{5, 3}, {11, -3}, {12, 8}, {12, 8}});
  const Numbers gain = d.given("γ by hand", {1, 2, 1, 3}), bias = d.given("β by hand", {0, 1, 0, -1});
  const auto in_group = [](int64_t i) { return i / 2; };
  const Numbers mu = each(2, [&](int64_t k) { return (x(2 * k, 0) + x(2 * k, 1) + x(2 * k + 1, 0) + x(2 * k + 1, 1)) / 4; });
  d.step("h1", "μ by hand", mu);
  const Numbers centred = each(4, 2, [&](int64_t i, int64_t p) { return x(i, p) - mu(in_group(i)); });
  d.step("h2", "x - μ by hand", centred);
  const auto squares = [&](int64_t i) { return centred(i, 0) * centred(i, 0) + centred(i, 1) * centred(i, 1); };
  const Numbers variance = each(2, [&](int64_t k) { return (squares(2 * k) + squares(2 * k + 1)) / 4; });
  d.step("h3", "σ² by hand", variance);
  d.step("h4", "r by hand", each(2, [&](int64_t k) { return std::sqrt(variance(k)); }));
  const Numbers x_hat = each(4, 2, [&](int64_t i, int64_t p) { return centred(i, p) / std::sqrt(variance(in_group(i))); });
  const auto library = [&](int64_t groups, const Tensor& by, const Tensor& plus) {
    return reshape(nn::group_norm(reshape(x.tensor(), {1, 4, 2}), groups, by, plus, 0), {4, 2});
  };
  d.law("h5", "x̂ by hand", x_hat, library(2, {}, {}));
  d.law("h6", "y by hand", each(4, 2, [&](int64_t i, int64_t p) { return gain(i) * x_hat(i, p) + bias(i); }), library(2, gain, bias));
  d.law("h7", "x̂, 4 groups", each(4, 2, [](int64_t, int64_t p) { return p == 0 ? 1.0 : -1.0; }), library(4, {}, {}));
}

void group_norm() {
  Derivation d("norm-group");
  group_norm_by_hand(d);
  const Numbers x = d.given("x", {5, 2, 6, 8, 4, 10, 10, 10, 10, 0});
  const Numbers gain = d.given("γ", {2, 2, 1, 2, 2, 1, 1, 1, 1, 2});
  const Numbers g = d.given("g", {1, 0, 4, -1, 3, 4, 0, 0, 0, 1});
  const auto in_groups = [](const Numbers& row, int64_t groups) { return Numbers(Shape{groups, 10 / groups}, row.values()); };
  const auto as_row = [](const Numbers& grid) { return Numbers(Shape{10}, grid.values()); };

  const Numbers g_hat = each(10, [&](int64_t i) { return g(i) * gain(i); });
  const auto [mu, r, x_hat, mean_g, mean_gx, dx] = normalised(in_groups(x, 2), in_groups(g_hat, 2));
  d.step("1", "μ", mu);
  d.step("2", "r", r);
  d.step("3", "x̂", as_row(x_hat));
  d.step("4", "dL/dγ", each(10, [&](int64_t i) { return g(i) * x_hat(i); }));
  d.step("5", "dL/dβ", g);
  d.step("6", "ĝ", g_hat);
  d.step("7", "dL/dx", as_row(dx));
  const Rows one = normalised(in_groups(x, 1), in_groups(g_hat, 1));
  d.law("8", "x̂, 1 group", as_row(one.x_hat), nn::layer_norm(x, {10}, {}, {}, 0));
  d.law("9", "dL/dx, 1 group", as_row(one.dx), [&] {
    const Tensor leaf = x.tensor().set_requires_grad();
    return grad({nn::layer_norm(leaf, {10}, gain, {}, 0)}, {leaf}, {.seeds = {g.tensor()}})[0];
  }());

  const auto sum_of_group = [&](const std::function<double(int64_t, int64_t)>& f) {
    return each(2, [=](int64_t k) { return sum(5, [&](int64_t j) { return f(k, j); }); });
  };
  const Numbers zeros = each(2, [](int64_t) { return 0.0; });
  d.law("10", "Σ dL/dx", sum_of_group([&](int64_t k, int64_t j) { return dx(k, j); }), zeros);
  d.law("11", "Σ x̂ ⊙ dL/dx", sum_of_group([&](int64_t k, int64_t j) { return x_hat(k, j) * dx(k, j); }), zeros);

  const Numbers none = each(10, [](int64_t) { return 0.0; });
  const auto f = [](const Tensor& in, const Tensor& by, const Tensor& plus) {
    return reshape(nn::group_norm(reshape(in, {1, 10}), 2, by, plus, 0), {10});
  };
  d.gradient("dL/dx", [&](const Tensor& t) { return f(t, gain, none); }, x, g);
  d.gradient("dL/dγ", [&](const Tensor& t) { return f(x, t, none); }, gain, g);
  d.gradient("dL/dβ", [&](const Tensor& t) { return f(x, gain, t); }, none, g);
}

}  // namespace

int main() {
  norm_axes();
  batch_norm();
  instance_norm();
  group_norm();
  return verdict();
}
