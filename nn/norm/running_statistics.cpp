#include "nn/norm/running_statistics.h"

#include "core/tape/grad_mode.h"

namespace gradus::nn {
namespace {

// [N or 1, C, 1, …] to [C]: the mean over N.
Tensor per_channel(const Tensor& statistics) {
  return gradus::mean(reshape(statistics, {statistics.size(0), statistics.size(1)}), 0);
}

}  // namespace

RunningStatistics::RunningStatistics(const char* type, int64_t channels, const RunningOptions& options)
    : mean(zeros({channels})), variance(ones({channels})), batches(zeros({}, DType::i64)), options_(options) {
  check<ValueError>(options.momentum >= 0 && options.momentum <= 1, "{}: momentum must be in [0, 1], got {}", type,
                    options.momentum);
}

void RunningStatistics::update(const Tensor& x, const Axes& axes) {
  const NoGrad off;
  const Tensor wide = x.dtype() == DType::f16 ? cast(x, DType::f32) : x;
  move(mean, per_channel(gradus::mean(wide, axes, true)));
  move(variance, per_channel(var(wide, axes, options_.unbiased_variance ? 1 : 0, true)));
  batches.assign(batches + 1);
}

// running ← (1 - share) running + share · fresh
void RunningStatistics::move(Tensor& running, const Tensor& fresh) const {
  const double share = options_.sense == MomentumConvention::of_new ? options_.momentum : 1 - options_.momentum;
  running.assign((1 - share) * cast(running, fresh.dtype()) + share * fresh);
}

void RunningStatistics::members(Members& m) {
  m.buffer("running_mean", mean);
  m.buffer("running_variance", variance);
  m.buffer("num_batches", batches);
}

}  // namespace gradus::nn
