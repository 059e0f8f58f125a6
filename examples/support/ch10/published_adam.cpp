#include "examples/support/ch10/published_adam.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"

namespace gradus::examples {
namespace {

class PublishedAdam : public optim::Optimizer {
 public:
  PublishedAdam(const Tensor& parameter, double lr, std::string bug)
      : Optimizer(only(parameter), lr, 0), bug_(std::move(bug)), m_(add_state("first")), v_(add_state("second")) {}

 protected:
  void update(std::size_t index, Tensor& parameter, double lr, double) override {
    const double t = static_cast<double>(steps()), c1 = 1 - std::pow(0.9, t), c2 = 1 - std::pow(0.999, t);
    Tensor &m = m_[index], &v = v_[index];
    m.assign(0.9 * m + 0.1 * parameter.grad());
    v.assign(0.999 * v + 0.001 * square(parameter.grad()));
    const Tensor m_hat = bug_ == "adam/correction-multiplied" ? m * c1 : bug_ == "adam/correction-without-t" ? m / 0.1 : m / c1;
    const Tensor v_hat = bug_ == "adam/correction-multiplied" ? v * c2 : bug_ == "adam/correction-without-t" ? v / 0.001 : v / c2;
    parameter.assign(parameter - lr * m_hat / (sqrt(v_hat) + 1e-8));
  }

 private:
  std::string bug_;
  Tensors m_, v_;
};

}  // namespace

MakeIt published_adam(double lr, const std::string& bug) {
  return [=](const Tensor& p) { return std::make_unique<PublishedAdam>(p, lr, bug); };
}

std::vector<double> step_lengths(const std::string& bug, const std::vector<int>& at) {
  Tensor w = zeros({1}, DType::f64).set_requires_grad();
  PublishedAdam adam(w, 1, bug);
  std::vector<double> lengths;
  for (int t = 1; t <= at.back(); ++t) {
    const double before = w.item();
    w.set_grad(ones({1}, DType::f64));
    adam.step();
    if (std::find(at.begin(), at.end(), t) != at.end()) lengths.push_back(before - w.item());
  }
  return lengths;
}

}  // namespace gradus::examples
