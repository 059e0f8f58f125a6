#include "nn/block/sphere.h"

#include <cmath>

#include "core/tape/grad_mode.h"
#include "nn/norm/rms_norm_variants.h"

namespace gradus::nn {
namespace {

double root_of_width(const Tensor& x) { return std::sqrt(static_cast<double>(x.size(-1))); }
Tensor unit(const Tensor& x) { return rms_norm_l2(x, {}, 1e-12); }

}  // namespace

// #region block-sphere
Stream Sphere::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const double root = root_of_width(s.x);
  const Tensor alpha = abs(rates_[i]) * (0.05 * root);
  const Tensor h = unit(s.x), y = unit(f(root * s.x));
  return {unit(h + alpha * (y - h))};
}

void to_unit_rows(const NamedTensors& parameters) {
  const NoGrad off;
  for (const NamedTensor& parameter : parameters) {
    Tensor w = parameter.tensor;
    const bool is_map = parameter.role != Role::gain && parameter.role != Role::bias && parameter.role != Role::other;
    if (!is_map || w.rank() < 2) continue;
    const int axis = parameter.role == Role::writes_stream ? -2 : -1;  // of the d_model numbers
    w.assign(w * rsqrt(sum(square(w), axis, true) + 1e-30));
  }
}
// #endregion block-sphere

Sphere::Sphere(const PlacementOptions& options) : Placement(options) {
  const Tensor start = full({options.d_model}, 1 / std::sqrt(static_cast<double>(options.d_model)));
  for (std::size_t i = 0; i < order().size(); ++i) rates_.push_back(start.detached_copy());
}

void Sphere::members(Members& m) {
  for (std::size_t i = 0; i < rates_.size(); ++i) m.parameter(fmt::format("rate{}", i + 1), rates_[i], Role::gain);
}

void Sphere::initialize(const NamedTensors& parameters, const InitChoice& init) const {
  Placement::initialize(parameters, init);
  to_unit_rows(parameters);
}

}  // namespace gradus::nn
