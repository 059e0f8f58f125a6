#include "examples/shared/study/norms_measures.h"

#include <algorithm>
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "examples/shared/experiment/least_time.h"
#include "examples/shared/study/digit_net.h"
#include "examples/shared/study/norm_axes.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/rms_norm.h"

namespace gradus::examples {
namespace {

constexpr int64_t kTimedValues = 1 << 15;  // few, and many turns: a turn fits between two interruptions
constexpr int kTurns = 60;
constexpr int64_t kRows = 4096, kProbes = 512;

// Random values and the deviation of their distribution.
struct Drawn {
  Tensor x;
  double deviation;
};

Drawn draw(const std::string& values, const Shape& shape, Generator& generator) {
  if (values == "normal") return {randn(shape, DType::f64, generator), 1};
  const Tensor u = uniform(shape, -1, 1, DType::f64, generator);
  if (values == "uniform") return {u, 1 / std::sqrt(3.0)};
  check<ValueError>(values == "Laplace", "draw: there is no distribution called '{}'", values);
  return {-sign(u) * log(1 - abs(u)), std::sqrt(2.0)};
}

double mean_square(const Tensor& x) { return mean(square(x)).item(); }

}  // namespace

double rms_time_over_layer_time(const Where& where, std::uint64_t seed) {
  const bool by_formula = level(where, "computed") == "formula";
  const int64_t width = std::stoll(level(where, "width"));
  Generator generator(seed);
  const Tensor x = randn({kTimedValues / width, width}, DType::f32, generator).set_requires_grad();
  nn::LayerNorm layer({width});
  nn::RMSNorm rms(width);
  const FormulaOnly mode(by_formula);
  const auto step = [&](nn::Layer& norm) { return [&] { sum(norm(x)).backward(); }; };
  const std::vector<double> times = least_milliseconds({step(layer), step(rms)}, kTurns);
  return times[1] / times[0];
}

double deviation_error(const std::string& values, int64_t features, std::uint64_t seed) {
  Generator generator(seed);
  const auto [x, deviation] = draw(values, {kRows, features}, generator);
  return std::sqrt(mean_square(stddev(x, {-1}, 0) / deviation - 1));
}

double change_in_other_sentences(const NormFunction& norm, std::uint64_t seed) {
  Generator generator(seed);
  const Tensor x = randn({kSentences, kTokens, kFeatures}, DType::f32, generator);
  const Tensor exchanged = cat({randn({1, kTokens, kFeatures}, DType::f32, generator), slice(x, 0, 1)}, 0);
  return max(abs(slice(norm(exchanged), 0, 1) - slice(norm(x), 0, 1))).item();
}

double mixed_by_batch_norm(const Where& where, std::uint64_t seed) {
  const bool each_position = level(where, "statistics") == "each position";
  nn::BatchNorm1d norm(each_position ? kTokens * kFeatures : kFeatures);
  if (level(where, "mode") == "use") norm.eval();
  // A sample [B, T·C] has a channel for each position and feature, a sample [B·T, C] one for each feature.
  const auto apply = [&](const Tensor& x) { return reshape(norm(each_position ? flatten(x, 1) : flatten(x, 0, 1)), x.shape()); };
  return change_in_other_sentences(apply, seed);
}

double train_against_eval(nn::Layer& layer, const Tensor& x) {
  layer.train();
  const Tensor train = layer(x).detach();
  layer.eval();
  return max(abs(train - layer(x).detach())).item();
}

double batch_norm_over_group_norm(int64_t batch, int64_t images, std::uint64_t seed) {
  const Digits digits = read_digits();  // of its own: threads share no tensor
  const auto right = [&](const char* norm) { return train_on_digits(norm, digits, seed, {.batch = batch, .images = images}).right; };
  return right("batch") / right("group");
}

double variance_ratio(const Start& start, int64_t in, int64_t out, Way way, std::uint64_t seed) {
  Generator generator(seed);
  Tensor weight = zeros({out, in});
  start(weight, generator);
  const Tensor from = randn({kProbes, way == Way::up ? in : out}, DType::f32, generator);
  return mean_square(matmul(from, weight, {.transpose_b = way == Way::up})) / mean_square(from);
}

double factor_off(double ratio) { return std::max(ratio, 1 / ratio); }

double footprint_error(const MakeNormOf& norm, int channel_axis, int rank, const Axes& named, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<int64_t> sizes, index;
  for (int axis = 0; axis < rank; ++axis) {
    sizes.push_back(3 + generator.below(4));
    index.push_back(generator.below(sizes.back()));
  }
  const Shape shape(sizes);
  Tensor meant = ones(shape);
  for (int axis = 0; axis < rank; ++axis) {
    if (std::find(named.begin(), named.end(), axis) != named.end()) continue;
    std::vector<int64_t> along(static_cast<std::size_t>(rank), 1);
    along[static_cast<std::size_t>(axis)] = shape[axis];
    meant = meant * cast(reshape(eq(arange(shape[axis]), index[static_cast<std::size_t>(axis)]), Shape(along)), DType::f32);
  }
  const nn::LayerPtr layer = norm(shape[channel_axis]);
  const Tensor found = cast(norm_footprint(*layer, shape, Shape(index)), DType::f32);
  return sum(abs(found - meant)).item() / sum(maximum(found, meant)).item();
}

double relative_difference(const Tensor& a, const Tensor& b) { return std::sqrt(mean_square(a - b) / mean_square(b)); }

}  // namespace gradus::examples
