#include "nn/block/manifold_connection.h"

#include "core/options/range.h"
#include "nn/block/sinkhorn.h"
#include "nn/norm/rms_norm.h"

namespace gradus::nn {

ManifoldConnection::ManifoldConnection(const PlacementOptions& o, const HyperConnectionOptions& hyper)
    : StreamConnection(hyper.streams), rounds_(check_size("the number of rounds", hyper.rounds)) {
  const int64_t n = streams(), width = n * o.d_model;
  read_map = drawn_map(width, n);
  write_map = drawn_map(width, n);
  mix_map = drawn_map(width, n * n);
  read_bias = zeros({n});
  write_bias = zeros({n});
  mix_bias = zeros({n, n});
  for (Parameter* scale : {&read_scale, &write_scale, &mix_scale}) *scale = full({}, 0.01);
}

// #region block-mhc
// All three are computed for every token, and differentiated by the tape; the gradient of the mix is that of sinkhorn().
StreamConnection::Numbers ManifoldConnection::numbers(const Tensor& h) {
  const Tensor x = rms_norm(flatten(h, -2));  // [..., n C]
  const Tensor read = sigmoid(read_bias + read_scale * matmul(x, read_map));
  const Tensor write = 2 * sigmoid(write_bias + write_scale * matmul(x, write_map));
  Shape square = read.shape();
  square.insert(square.rank(), streams());  // [..., n, n]
  const Tensor mix = sinkhorn(mix_bias + mix_scale * reshape(matmul(x, mix_map), square), rounds_);
  return {cat({unsqueeze(read, -1), mix}, -1), write};
}
// #endregion block-mhc

void ManifoldConnection::members(Members& m) {
  m.parameter("read_map", read_map, Role::other);
  m.parameter("write_map", write_map, Role::other);
  m.parameter("mix_map", mix_map, Role::other);
  m.parameter("read_bias", read_bias, Role::bias);
  m.parameter("write_bias", write_bias, Role::bias);
  m.parameter("mix_bias", mix_bias, Role::bias);
  m.parameter("read_scale", read_scale, Role::gain);
  m.parameter("write_scale", write_scale, Role::gain);
  m.parameter("mix_scale", mix_scale, Role::gain);
}

}  // namespace gradus::nn
