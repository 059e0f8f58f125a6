#include "nn/norm/running_statistics.h"

#include "core/options/range.h"
#include "core/tape/grad_mode.h"

namespace gradus::nn {
namespace {

// [N or 1, C, 1, …] to [C]: the mean over N.
Tensor per_channel(const Tensor& statistics) { return gradus::mean(reshape(statistics, {statistics.size(0), statistics.size(1)}), 0); }

}  // namespace

RunningStatistics::RunningStatistics(const char* type, int64_t channels, const RunningOptions& options)
    : mean(zeros({channels})), variance(ones({channels})), batches(zeros({}, DType::i64)), options_(options) {
  check_range("momentum", options.momentum, range::share, type);
}

void RunningStatistics::update(const Tensor& x, const Axes& axes) {
  const NoGrad off;
  const Tensor wide = x.dtype() == DType::f16 ? cast(x, DType::f32) : x;
  const Tensor rounded = gradus::mean(wide, axes, true), exact = rounded + gradus::mean(wide - rounded, axes, true);
  const Tensor next_mean = moved(mean, per_channel(exact));
  const Tensor next_variance = moved(variance, per_channel(var(wide, axes, options_.unbiased_variance ? 1 : 0, true)));
  mean.assign(next_mean);
  variance.assign(next_variance);
  batches.assign(batches + 1);
}

// (1 - share) running + share · fresh
Tensor RunningStatistics::moved(const Tensor& running, const Tensor& fresh) const {
  check<ShapeError>(running.shape() == fresh.shape(), "RunningStatistics: of {} channels, but x has {}", running.shape(), fresh.shape());
  const double share = options_.sense == MomentumConvention::of_new ? options_.momentum : 1 - options_.momentum;
  return (1 - share) * cast(running, fresh.dtype()) + share * fresh;
}

void RunningStatistics::members(Members& m) {
  m.buffer("running_mean", mean);
  m.buffer("running_variance", variance);
  m.buffer("num_batches", batches);
}

}  // namespace gradus::nn
