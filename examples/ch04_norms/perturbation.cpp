#include "examples/ch04_norms/perturbation.h"

#include <memory>

#include "core/core.h"
#include "examples/shared/report/drawing.h"
#include "examples/shared/report/values.h"
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

std::string draw_cube(const Tensor& moved, const std::vector<int64_t>& index) {
  const double limit = max(abs(moved)).item();
  std::string slices;
  for (int64_t n = 0; n < moved.size(0); ++n) {
    HeatMap map{.rows = rows_of(moved[n]), .limit = limit, .cell = 12, .alt = {}};
    if (n == index[0]) {
      map.framed_row = static_cast<int>(index[1]);
      map.framed_column = static_cast<int>(index[2]);
    }
    slices += draw(map);
  }
  return "<div style=\"display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:8px;max-width:21rem\">" + slices + "</div>";
}

}  // namespace gradus::examples
