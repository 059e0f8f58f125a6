// ChannelNorm: what batch and instance norm share, of x [N, C, …]: γ and β for each channel, and running statistics.
#pragma once

#include <optional>

#include "nn/norm/affine.h"
#include "nn/norm/running_statistics.h"

namespace gradus::nn {

// The norm by given statistics: (x - μ) / √(σ² + ε) ⊙ γ + β, with μ = `mean`, σ² = `variance`, γ and β [C] along axis 1 of
// x [N, C, …]. γ and β may be undefined. ShapeError otherwise.
Tensor normalize_by(const Tensor& x, const Tensor& mean, const Tensor& variance, const Tensor& gain, const Tensor& bias, double eps);

struct ChannelNormOptions {
  double eps = 1e-5;
  bool affine = true;  // γ and β
  bool track = true;   // running statistics, used in eval
  RunningOptions running = {};
};

// A norm of x [N, channels, …] over the axes that its subclass names, with γ and β [channels].
class ChannelNorm : public AffineNorm {
 public:
  void members(Members& m) override;
  bool mixes_tokens() const override { return true; }  // it averages over samples or positions
  std::string describe() const override;

  std::optional<RunningStatistics> running;  // none without `track`

 protected:
  struct Ranks {  // that a norm takes
    int least, most;
    const char* layouts;  // in error messages: "[N, C] or [N, C, L]"
  };
  // `type` is the class's name. ValueError unless channels > 0 and eps >= 0.
  ChannelNorm(const char* type, int64_t channels, const ChannelNormOptions& options, Ranks ranks);

  virtual Tensor apply(const Tensor& x) const = 0;  // the norm by x's own statistics
  virtual Axes averaged_axes(int rank) const = 0;   // those that its statistics are taken over
  double eps() const { return eps_; }

 private:
  // By x's own statistics, which training collects; in eval by the collected ones, if there are any. ShapeError unless x is
  // [N, channels, …] of a rank that this norm takes; ValueError for the statistics of one value, which has no variance.
  Tensor forward(const Tensor& x) final;

  const char* type_;
  int64_t channels_;
  double eps_;
  Ranks ranks_;
};

}  // namespace gradus::nn
