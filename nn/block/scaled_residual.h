// Residual connections whose branch is scaled, in place of a norm or beside one.
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

enum class BranchNorm { none, before };  // whether f is given x or norm(x)

// x ← x + s ⊙ f(x), or x ← x + s ⊙ f(norm(x)). One final norm after the stack.
class ScaledResidual : public Placement {
 protected:
  ScaledResidual(const PlacementOptions& options, BranchNorm branch)
      : Placement(options, branch == BranchNorm::before ? 1 : 0), branch_(branch) {}

  Tensor branch(std::size_t i, const Tensor& x, const Sublayer& f) { return branch_ == BranchNorm::before ? f(norm(i)(x)) : f(x); }

 private:
  BranchNorm branch_;
};

// x ← x + f(x): the connection alone (He et al., 2015).
class Residual : public ScaledResidual {
 public:
  explicit Residual(const PlacementOptions& options) : ScaledResidual(options, BranchNorm::none) {}

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← x + s f(x), with a fixed s = `scale`; 0 stands for 1/√(sublayers of the stack), which keeps the stream's variance at any
// depth. ValueError unless it is finite.
class ResidualScale : public ScaledResidual {
 public:
  explicit ResidualScale(const PlacementOptions& options, BranchNorm branch = BranchNorm::none, double scale = 0);
  std::string describe() const override { return fmt::format("ResidualScale({:.4g})", scale_); }

 private:
  int64_t added_sublayers() const override { return 1; }  // s accounts for their number
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  double scale_;
};

// x ← x + y - (x · y) / (x · x + ε) x, with y = f(norm(x)) and ε = 1e-6: of what a sublayer gives, the part perpendicular to
// the token's stream (Oh et al., 2025). So the stream's length never shrinks: |x|² ← |x|² + |y⊥|².
// convention-orthogonal-axes: x-transformers takes both products over all tokens of a sequence, so that each sees later ones.
class OrthogonalResidual : public ScaledResidual {
 public:
  explicit OrthogonalResidual(const PlacementOptions& options) : ScaledResidual(options, BranchNorm::before) {}

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// A trained scale for each sublayer, the parameters "scale1", "scale2", …
class LearnedScale : public ScaledResidual {
 public:
  void members(Members& m) override;

 protected:
  LearnedScale(const PlacementOptions& options, BranchNorm branch, const Tensor& start);
  const Tensor& scale(std::size_t i) const { return scales_[i]; }

 private:
  std::vector<Parameter> scales_;
};

// x ← x + a f(x), with a one number that starts at 0, so that every block starts as the identity (Bachlechner et al., 2020).
class ReZero : public LearnedScale {
 public:
  explicit ReZero(const PlacementOptions& options) : LearnedScale(options, BranchNorm::none, zeros(Shape{})) {}

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← x + λ ⊙ f(x), with λ [d_model], which starts at layer_scale_start (Touvron et al., 2021, whose f begins with a norm).
class LayerScale : public LearnedScale {
 public:
  explicit LayerScale(const PlacementOptions& options, BranchNorm branch = BranchNorm::none);

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// Where LayerScale's λ starts: 0.1 up to 18 layers, 1e-5 up to 24, 1e-6 beyond (Touvron et al., 2021).
double layer_scale_start(int64_t layers);

}  // namespace gradus::nn
