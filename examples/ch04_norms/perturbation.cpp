#include "examples/ch04_norms/perturbation.h"

#include <memory>

#include "core/core.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/group_norm.h"
#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/rms_norm.h"

namespace gradus::examples {
namespace {

// A norm of the last axis, for each token: the layer sees [N, T, C], as in a Transformer.
Norm per_token(std::shared_ptr<nn::Layer> layer) {
  return [layer](const Tensor& x) { return transpose((*layer)(transpose(x))); };
}

Norm as_it_is(std::shared_ptr<nn::Layer> layer) {
  return [layer](const Tensor& x) { return (*layer)(x); };
}

}  // namespace

std::vector<NamedNorm> norms_of_a_cube(int64_t channels, int64_t tokens) {
  using std::make_shared;
  return {
      {"layer", "layer norm, a token", "one token of one sample", per_token(make_shared<nn::LayerNorm>(Shape{channels}))},
      {"rms", "RMSNorm, a token", "the same token; no mean is taken", per_token(make_shared<nn::RMSNorm>(channels))},
      {"layer_sample", "layer norm, a sample", "all tokens: later ones too", as_it_is(make_shared<nn::LayerNorm>(Shape{channels, tokens}))},
      {"instance", "instance norm", "one channel of one sample", as_it_is(make_shared<nn::InstanceNorm>(channels))},
      {"group", "group norm, 3 groups", "two channels of one sample", as_it_is(make_shared<nn::GroupNorm>(3, channels))},
      {"batch", "batch norm, training", "one channel of all samples", as_it_is(make_shared<nn::BatchNorm1d>(channels))}};
}

Tensor jacobian_column(const Norm& norm, const Tensor& x, const std::vector<int64_t>& index) {
  const Tensor input = x.detach().set_requires_grad();
  const Tensor y = norm(input);
  Tensor v = zeros_like(y).set_requires_grad();
  const Tensor row = grad({y}, {input}, {.seeds = {v}, .create_graph = true})[0];  // vᵀJ
  Tensor e = zeros_like(x);
  e.set(index, 1);
  return grad({sum(row * e)}, {v})[0];
}

}  // namespace gradus::examples
