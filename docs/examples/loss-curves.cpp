// The curves of the pictures of the losses, as JSON: two scores against their gap, one row against a shift of all its
// scores, and the slopes of the losses of a difference.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

std::string four_digits(const Tensor& t) {
  std::vector<std::string> texts;
  for (const double value : to_vector(t)) texts.push_back(fmt::format("{:.4g}", std::abs(value) < 1e-9 ? 0.0 : value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

// `count` numbers from -last to last; 0 is 0.
Tensor around_zero(double last, int64_t count) {
  Tensor x({count}, DType::f64);
  for (int64_t i = 0; i < count; ++i) {
    x.mutable_data<double>()[i] = last * static_cast<double>(2 * i - (count - 1)) / static_cast<double>(count - 1);
  }
  return x;
}

void print(const std::string& name, const Tensor& values, const char* end) {
  fmt::print("  \"{}\": {}{}\n", name, four_digits(values), end);
}

constexpr auto kNone = nn::Reduction::none;

}  // namespace

int main() {
  const Tensor gap = around_zero(8, 81), two = stack({gap, zeros_like(gap)}, -1), first = zeros(gap.shape(), DType::i64);
  const Tensor p = nn::softmax(two), target = one_hot(first, 2, DType::f64);
  fmt::print("{{\"gap\": {{\n");
  print("s", gap, ",");
  print("cross-entropy", nn::cross_entropy(two, first, {.reduction = kNone}), ",");
  print("softmax twice", nn::cross_entropy(p, first, {.reduction = kNone}), ",");
  print("squared error", sum(nn::mse(p, target, kNone), -1), "}, \"shift\": {");

  const Tensor shift = around_zero(12, 49), row = log(tensor({1, 4, 5}, DType::f64));
  const Tensor shifted = unsqueeze(shift, -1) + row, second = ones(shift.shape(), DType::i64);
  print("a", shift, ",");
  for (const double c : {0.0, 0.001, 0.01}) {
    print(fmt::format("{}", c), nn::cross_entropy(shifted, second, {.z_loss = c, .reduction = kNone}), c < 0.01 ? "," : "");
  }
  fmt::print("}}, \"difference\": {{\n");
  const Tensor d = around_zero(3, 61), zero = zeros_like(d);
  print("d", d, ",");
  const auto curve = [&](const std::string& name, const std::function<Tensor(const Tensor&)>& loss, const char* end) {
    const Tensor x = d.detached_copy().set_requires_grad(), y = loss(x);
    print(name + ", slope", grad({sum(y)}, {x})[0], end);
  };
  curve("mse", [&](const Tensor& x) { return nn::mse(x, zero, kNone); }, ",");
  curve("l1", [&](const Tensor& x) { return nn::l1(x, zero, kNone); }, ",");
  curve("huber", [&](const Tensor& x) { return nn::huber(x, zero, 1, kNone); }, "");
  fmt::print("}}}}\n");
}
