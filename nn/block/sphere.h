// nGPT: states and rows of matrices are points of a sphere, and each sublayer turns the state a little (Loshchilov et al., 2024).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// With û = u / |u|, d = d_model and a rate α [d] of each sublayer, which starts at 0.05:
//   h ← n / |n|,  n = ĥ + |α| ⊙ (ŷ - ĥ)      y = f(√d h)
// No final norm. Besides, attention has the qk_norm "sphere", unless the options have another; GatedFeedForward has a gain for each row
// of W₁ and W₃, and a language model one for each logit. to_unit_rows() holds at the start, and after Module::after_step(). α is
// stored as α / (0.05 √d), and the gains of logits and scores over √d: a step of a fixed size, as Adam's, moves them √d times as far.
class Sphere : public Placement {
 public:
  explicit Sphere(const PlacementOptions& options);

  bool needs_final_norm() const override { return false; }
  bool normalizes_results() const override { return true; }
  SublayerExtras extras() const override { return {.sphere = true}; }
  void members(Members& m) override;  // "rate1", "rate2", …
  void initialize(const NamedTensors& parameters, const InitChoice& init) const override;

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  std::vector<Parameter> rates_;
};

// Divides each row of the matrices among `parameters` by its length, and of those that write the stream each column. So the vectors
// of d_model numbers, which the stream is multiplied with or to which they add, have length 1.
void to_unit_rows(const NamedTensors& parameters);

}  // namespace gradus::nn
