// ChannelNorm: what batch and instance norm share: x [N, C, …], a γ and a β for each channel, running statistics.
#pragma once

#include <optional>

#include "nn/norm/running_statistics.h"

namespace gradus::nn {

// x̂ of given statistics: (x - μ) / √(σ² + ε) ⊙ γ + β, all [C] along axis 1 of x [N, C, …].
Tensor normalize_by(const Tensor& x, const Tensor& mean, const Tensor& variance, const Tensor& gain,
                    const Tensor& bias, double eps);

struct ChannelNormOptions {
  double eps = 1e-5;
  bool affine = true;
  bool track = true;  // running statistics, used in eval
  RunningOptions running = {};
};

class ChannelNorm : public Layer {
 public:
  // In training, or without running statistics, by x's own statistics (which are then collected); in eval by the
  // collected ones. ShapeError unless x is [N, channels, …] of a rank this norm takes; ValueError where there is but
  // one value to take statistics from.
  Tensor forward(const Tensor& x) final;
  void members(Members& m) override;
  bool mixes_tokens() const override { return true; }  // it averages over samples or positions
  std::string describe() const override;

  Parameter gain, bias;  // γ [C], starts at 1, and β [C], starts at 0; undefined without
  std::optional<RunningStatistics> running;

 protected:
  struct Ranks {  // of the tensors a norm takes
    int least, most;
    const char* layouts;  // the same in words
  };
  // `type` is the class's name. ValueError unless channels > 0 and eps >= 0.
  ChannelNorm(const char* type, int64_t channels, const ChannelNormOptions& options, Ranks ranks);

  virtual Tensor apply(const Tensor& x) const = 0;  // by x's own statistics …
  virtual Axes averaged_axes(int rank) const = 0;   // … which are taken over these axes
  double eps() const { return eps_; }

 private:
  const char* type_;
  int64_t channels_;
  double eps_;
  Ranks ranks_;
};

}  // namespace gradus::nn
