// Residual connections whose branch is scaled, in place of a norm or beside one.
#pragma once

#include "nn/block/sequential_placement.h"

namespace gradus::nn {

enum class BranchNorm { none, before };  // what the sublayer is given: x, or norm(x)

// x ← x + s ⊙ f(x), or x + s ⊙ f(norm(x)): what the placements below have in common. One final norm after the stack.
class ScaledResidual : public SequentialPlacement {
 protected:
  ScaledResidual(const PlacementOptions& options, BranchNorm branch)
      : SequentialPlacement(options, branch == BranchNorm::before ? 1 : 0), branch_(branch) {}

  Tensor branch(std::size_t i, const Tensor& x, const Sublayer& f) {
    return branch_ == BranchNorm::before ? f(norm(i, x)) : f(x);
  }

 private:
  BranchNorm branch_;
};

// x ← x + f(x): the connection alone (He et al., 2015).
class Residual : public ScaledResidual {
 public:
  explicit Residual(const PlacementOptions& options) : ScaledResidual(options, BranchNorm::none) {}

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + s f(x), s fixed: 1/√(sublayers of the whole stack), so that the variance of the stream does not grow with
// depth, unless told otherwise.
class ResidualScale : public ScaledResidual {
 public:
  explicit ResidualScale(const PlacementOptions& options, BranchNorm branch = BranchNorm::none, double scale = 0);
  std::string describe() const override { return fmt::format("ResidualScale({:.4g})", scale_); }

 protected:
  int64_t added_sublayers() const override { return 1; }  // s has their number in it already
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;

 private:
  double scale_;
};

// Those with a trained scale for each sublayer: "scale1", "scale2", …
class LearnedScale : public ScaledResidual {
 public:
  void members(Members& m) override;

 protected:
  LearnedScale(const PlacementOptions& options, BranchNorm branch, const Tensor& start);
  const Tensor& scale(std::size_t i) const { return scales_[i]; }

 private:
  std::vector<Parameter> scales_;
};

// x ← x + a f(x), a one number that starts at 0: every block starts as the identity (Bachlechner et al., 2020).
class ReZero : public LearnedScale {
 public:
  explicit ReZero(const PlacementOptions& options) : LearnedScale(options, BranchNorm::none, zeros(Shape{})) {}

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + λ ⊙ f(x), λ [d_model] starting small (Touvron et al., 2021, whose f begins with a norm).
class LayerScale : public LearnedScale {
 public:
  explicit LayerScale(const PlacementOptions& options, BranchNorm branch = BranchNorm::none);

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// Where λ starts: 0.1 up to 18 layers, 1e-5 up to 24, 1e-6 beyond (Touvron et al., 2021).
double layer_scale_start(int64_t layers);

}  // namespace gradus::nn
