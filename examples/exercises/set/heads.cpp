#include <algorithm>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/heads.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_heads {
namespace {

// 1.1 is number 1 of row 1 (and 11.1 that of row 11): one sees where each goes.
Array counted(std::vector<int> shape) {
  std::vector<double> numbers;
  const int columns = shape.back();
  int rows = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
  for (int row = 1; row <= rows; ++row) {
    for (int column = 1; column <= columns; ++column) numbers.push_back(row + column / 10.0);
  }
  return array("x", std::move(shape), numbers);
}

// With heads = 0 for a function that is not told how many there are.
Probe probe(const std::string& name, const Array& x, const std::vector<int>& y, int heads, std::uint64_t seed) {
  Probe p{name, {x}};
  if (heads > 0) p.inputs.push_back(number("heads", heads));
  p.inputs.push_back(drawn("g", y, seed, 1, 0.3));
  return p;
}

std::vector<Probe> probes_of_split() {
  return {probe("three tokens, 2 heads of 2 numbers", counted({1, 3, 4}), {1, 2, 3, 2}, 2, 221),
          probe("two texts of one token, 2 heads of 3 numbers", counted({2, 1, 6}), {2, 2, 1, 3}, 2, 226),
          probe("two texts of five tokens, 3 heads of 4 numbers", drawn("x", {2, 5, 12}, 222, 1, 0.3), {2, 3, 5, 4}, 3, 223),
          probe("three texts of four tokens, 2 heads of 5 numbers", drawn("x", {3, 4, 10}, 224, 1, 0.3), {3, 2, 4, 5}, 2, 225)};
}

std::vector<Probe> probes_of_merge() {
  return {probe("three tokens, 2 heads of 2 numbers", counted({1, 2, 3, 2}), {1, 3, 4}, 0, 231),
          probe("two texts of one token, 2 heads of 3 numbers", counted({2, 2, 1, 3}), {2, 1, 6}, 0, 236),
          probe("two texts of five tokens, 3 heads of 4 numbers", drawn("x", {2, 3, 5, 4}, 232, 1, 0.3), {2, 5, 12}, 0, 233),
          probe("three texts of four tokens, 2 heads of 5 numbers", drawn("x", {3, 2, 4, 5}, 234, 1, 0.3), {3, 4, 10}, 0, 235)};
}

std::vector<Probe> probes_of_share() {
  return {probe("one token of 3 numbers, 2 heads that become 4", counted({1, 2, 1, 3}), {1, 4, 1, 3}, 4, 241),
          probe("three tokens of 2 numbers, 2 heads that become 4", counted({1, 2, 3, 2}), {1, 4, 3, 2}, 4, 248),
          probe("two texts of five tokens, 3 heads that become 6", drawn("x", {2, 3, 5, 4}, 242, 1, 0.3), {2, 6, 5, 4}, 6, 243),
          probe("three texts of four tokens, 2 heads that become 6", drawn("x", {3, 2, 4, 5}, 244, 1, 0.3), {3, 6, 4, 5}, 6, 245),
          probe("two texts of three tokens, one head that becomes 4", drawn("x", {2, 1, 3, 5}, 246, 1, 0.3), {2, 4, 3, 5}, 4, 247)};
}

// The value and the gradient of what the student's function, or the library's, makes of x.
template <typename F> Outputs outputs_of(const Probe& p, const F& f) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad();
  const Tensor y = f(x);
  check_unchanged(p, "x", x);
  const Array value = checked("y", y, p["g"].shape);
  if (!y.requires_grad()) throw GradientCut{"x"};
  const Array dx = checked("x", grad({y}, {x}, {.seeds = {tensor_of(p["g"])}, .allow_unused = true})[0], p["x"].shape);
  return {value, array("dL/dx", dx.shape, dx.numbers)};
}

Outputs right_split(const Probe& p) {
  return outputs_of(p, [&](const Tensor& x) { return stack(chunk(x, p.whole("heads"), 2), 1); });
}

Outputs right_merge(const Probe& p) {
  return outputs_of(p, [](const Tensor& x) {
    Tensors heads;
    for (int64_t h = 0; h < x.size(1); ++h) heads.push_back(select(x, 1, h));
    return cat(heads, 2);
  });
}

Outputs right_share(const Probe& p) {
  return outputs_of(p, [&](const Tensor& x) { return transpose(nn::repeat_heads(transpose(x, 1, 2), p.whole("heads")), 1, 2); });
}

// Is each number of x in y, as often as any other?
std::string each_as_often(const Probe& p, const Outputs& outputs) {
  std::vector<double> in_x = p["x"].numbers, in_y = outputs[0].numbers;
  const std::size_t times = in_y.size() / in_x.size();
  std::sort(in_x.begin(), in_x.end());
  std::sort(in_y.begin(), in_y.end());
  for (std::size_t i = 0; i < in_y.size(); ++i) {
    if (in_y[i] != in_x[i / times]) return "some are missing, and others are there too often";
  }
  return "";
}

std::string gradients_sum(const Probe& p, const Outputs& outputs) {
  double in_g = 0, in_dx = 0;
  for (double one : p["g"].numbers) in_g += one;
  for (double one : outputs[1].numbers) in_dx += one;
  return std::abs(in_g - in_dx) <= 1e-6 * static_cast<double>(p["g"].numbers.size()) ? "" : "they differ";
}

const std::vector<Law> kLaws = {
    {"each number of x is in y as often as any other", each_as_often, "Which numbers of x does y read twice, and which never?"},
    {"what only moves numbers moves gradients: those of x sum to those of y", gradients_sum,
     "By which ops does x become y: does each hand on its whole gradient?"}};

}  // namespace
}  // namespace in_heads

Functions heads(Tensor (*split)(const Tensor&, int64_t), Tensor (*merge)(const Tensor&), Tensor (*share)(const Tensor&, int64_t)) {
  return {[=](const Probe& p) { return in_heads::outputs_of(p, [&](const Tensor& x) { return split(x, p.whole("heads")); }); },
          [=](const Probe& p) { return in_heads::outputs_of(p, merge); },
          [=](const Probe& p) { return in_heads::outputs_of(p, [&](const Tensor& x) { return share(x, p.whole("heads")); }); }};
}

Exercise heads_exercise() {
  using namespace in_heads;
  return made_heads::exercise({
      {
          .right = right_split,
          .probes = probes_of_split(),
          .laws = kLaws,
      },
      {
          .right = right_merge,
          .probes = probes_of_merge(),
          .laws = kLaws,
      },
      {
          .right = right_share,
          .probes = probes_of_share(),
          .laws = kLaws,
      },
  });
}

}  // namespace gradus::exercises::set
