#include "nn/block/multiway_dense.h"

#include "core/options/range.h"
#include "nn/activation/gelu.h"
#include "nn/call_scope.h"
#include "nn/norm/rms_norm.h"

namespace gradus::nn {

// #region block-mudd
Tensor DenseWays::operator()(const Tensor& states) {
  const CallScope call(*this);
  check_streams(states, bias.size(1));
  const Tensor hidden = act::gelu(matmul(rms_norm(select(states, -2, -1)), down));
  Shape of_token = states.shape();
  of_token[-2] = bias.size(0);
  of_token[-1] = bias.size(1);
  const Tensor weights = bias + reshape(matmul(hidden, up), of_token);  // A [..., ways, states]
  return matmul(weights, states);
}

Stream MultiwayDense::step(std::size_t i, const Stream& s, const Sublayer& f) {
  const Tensor before = streams_of(s, 1);  // X₀ … X_l
  Tensor x;
  if (i == 0 && ways_) {
    const Tensor sums = (*ways_)(before);
    const auto way = [&](int64_t c) { return select(sums, -2, c); };
    x = way(3) + f(norm(0)(way(0)), (*key_norm_)(way(1)), (*value_norm_)(way(2)));
  } else {
    x = s.x + f(norm(i)(s.x));
  }
  if (i + 1 < order().size()) return {x, before};
  const Tensor states = cat({before, unsqueeze(x, -2)}, -2);
  return {last_way_ ? squeeze((*last_way_)(states), -2) : x, states};
}
// #endregion block-mudd

DenseWays::DenseWays(int64_t d_model, int64_t ways, int64_t states) {
  check_size("d_model", d_model);
  const int64_t count = check_size("the number of ways", ways) * check_size("the number of states", states);
  bias = expand(cast(arange(states) == states - 1, DType::f32), {ways, states}).detached_copy();
  down = drawn_map(d_model, count);
  up = zeros({count, count});
}

void DenseWays::members(Members& m) {
  m.parameter("bias", bias, Role::gain);
  m.parameter("down", down, Role::other);
  m.parameter("up", up, Role::other);
}

MultiwayDense::MultiwayDense(const PlacementOptions& options) : Placement(options, 1) {
  check<ValueError>(order()[0] == SublayerKind::attention, "MultiwayDense: the first sublayer of a block must be attention");
  const int64_t below = stack().index;
  if (below > 0) {
    ways_.emplace(options.d_model, 4, below + 1);
    key_norm_ = options.new_norm();
    value_norm_ = options.new_norm();
  }
  if (below + 1 == stack().layers) last_way_.emplace(options.d_model, 1, below + 2);
}

void MultiwayDense::members(Members& m) {
  Placement::members(m);
  if (ways_) {
    m.child("key_norm", *key_norm_);
    m.child("value_norm", *value_norm_);
    m.child("ways", *ways_);
  }
  if (last_way_) m.child("last_way", *last_way_);
}

}  // namespace gradus::nn
