#include "examples/claims/natural_gradient.h"

#include <cmath>

#include "core/core.h"
#include "nn/activation/softmax.h"

namespace gradus::examples {
namespace {

constexpr int64_t kClasses = 10;

// What each linear map that reads hidden units reads, with a 1 behind it, and gives: [N, in + 1] and [N, out].
struct Passed { Tensors read, given; };

Passed pass(nn::Sequential& net, const Tensor& images) {
  Passed passed;
  Tensor h = images;
  for (std::size_t i = 0; i < net.size(); ++i) {
    const Tensor read = h;
    h = net[i](h);
    if (i == 0 || i % 2 == 1) continue;
    passed.read.push_back(cat({read, ones({read.size(0), 1}, DType::f64)}, 1).detach());
    passed.given.push_back(h);
  }
  return passed;
}

// dL/dz for each z given, where L is the log of the label's probability, summed over the images; and Σ_k p_k δ_k².
struct Slopes { Tensors of_label, squared; };

Slopes slopes(const Passed& passed, const Tensor& labels) {
  const Tensor log_p = nn::log_softmax(passed.given.back()), p = exp(log_p).detach();
  Slopes found;
  for (const Tensor& z : passed.given) {
    found.of_label.push_back(zeros_like(z));
    found.squared.push_back(zeros_like(z));
  }
  for (int64_t k = 0; k < kClasses; ++k) {
    const Tensors delta = grad({sum(slice(log_p, 1, k, k + 1))}, passed.given, {.retain_graph = k + 1 < kClasses});
    const Tensor is_label = reshape(cast(labels == k, DType::f64), {-1, 1}), likely = slice(p, 1, k, k + 1);
    const NoGrad off;
    for (std::size_t l = 0; l < delta.size(); ++l) {
      found.of_label[l] += is_label * delta[l];
      found.squared[l] += likely * square(delta[l]);
    }
  }
  return found;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double cosine(const Tensor& fisher, const Tensor& gradient, double damping) {
  const std::vector<double> g = to_vector(gradient);
  const std::size_t n = g.size();
  std::vector<double> damped = to_vector(fisher);
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += damped[i * n + i];
  for (std::size_t i = 0; i < n; ++i) damped[i * n + i] += damping * trace / static_cast<double>(n);
  const std::vector<double> natural = solved(std::move(damped), g);
  return dot(g, natural) / std::sqrt(dot(g, g) * dot(natural, natural));
}

}  // namespace

std::vector<double> solved(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return a[i * n + j]; };
  for (std::size_t j = 0; j < n; ++j) {  // A = L Lᵀ, L in the lower half
    for (std::size_t k = 0; k < j; ++k) {
      for (std::size_t i = j; i < n; ++i) at(i, j) -= at(i, k) * at(j, k);
    }
    check<ValueError>(at(j, j) > 0, "solved: the matrix is not positive definite");
    const double root = std::sqrt(at(j, j));
    for (std::size_t i = j; i < n; ++i) at(i, j) /= root;
  }
  for (std::size_t i = 0; i < n; ++i) {  // L y = b
    for (std::size_t k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
    b[i] /= at(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {  // Lᵀ x = y
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= at(k, i) * b[k];
    b[i] /= at(i, i);
  }
  return b;
}

double cosine_with_natural_gradient(nn::Sequential& net, const Digits& digits, double damping) {
  net.to(DType::f64);
  const Passed passed = pass(net, cast(flatten(digits.train.images, 1), DType::f64));
  const Slopes found = slopes(passed, digits.train.labels);
  const NoGrad off;
  double sum_of_cosines = 0, units = 0;
  for (std::size_t l = 0; l < passed.read.size(); ++l) {
    const Tensor &read = passed.read[l], &delta = found.of_label[l], &squared = found.squared[l];
    const double images = static_cast<double>(read.size(0));
    for (int64_t unit = 0; unit < delta.size(1); ++unit) {
      const auto of_unit = [&](const Tensor& x) { return slice(x, 1, unit, unit + 1); };
      const Tensor gradient = matmul(read, of_unit(delta), {.transpose_a = true}) / images;
      if (sum(abs(gradient)).item() == 0) continue;
      const Tensor fisher = matmul(read, of_unit(squared) * read, {.transpose_a = true}) / images;
      sum_of_cosines += cosine(fisher, gradient, damping);
      ++units;
    }
  }
  return sum_of_cosines / units;
}

}  // namespace gradus::examples
