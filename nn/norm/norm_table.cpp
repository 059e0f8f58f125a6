#include "nn/norm/norm_table.h"

#include <numeric>

#include "nn/norm/batch_norm.h"
#include "nn/norm/dynamic_function.h"
#include "nn/norm/group_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/per_token.h"
#include "nn/norm/rms_norm.h"
#include "nn/norm/rms_norm_variants.h"
#include "nn/norm/scale_norm.h"

namespace gradus::nn {
namespace {

// A norm of samples [N, C], made with these arguments, as one of every token: see PerToken.
template <typename Norm, typename... Args> LayerPtr per_token(Args&&... args) {
  return std::make_unique<PerToken>(std::make_unique<Norm>(std::forward<Args>(args)...));
}

// The ε asked for, or 1e-5.
double eps_of(const NormOptions& o) { return o.eps.value_or(1e-5); }

// How many groups "group" cuts the width into: 4 if that divides it, else 2, else 1; one group for a width of 4 or less.
int64_t groups_of(int64_t width) { return width > 4 ? std::gcd(width, int64_t{4}) : 1; }

}  // namespace

const Table<MakeNorm>& norms() {
  using O = NormOptions;
  static const Table<MakeNorm> family{
      "norm",
      {
          {"layer", "norm-layer", [](const O& o) { return std::make_unique<LayerNorm>(o.width, LayerNormOptions{eps_of(o)}); }},
          {"layer-nobias", "norm-nobias",
           [](const O& o) { return std::make_unique<LayerNorm>(o.width, LayerNormOptions{.eps = eps_of(o), .bias = false}); }},
          {"layer-std", "norm-layer-std",
           [](const O& o) { return std::make_unique<LayerNormStd>(o.width, LayerNormStdOptions{.eps = o.eps.value_or(1e-6)}); }},
          {"center-only", "norm-center-only", {[](const O& o) { return std::make_unique<CenterOnlyNorm>(o.width); }, {.eps = false}}},
          {"scale-only", "norm-scale-only", [](const O& o) { return std::make_unique<ScaleOnlyNorm>(o.width, eps_of(o)); }},
          {"rms",
           "norm-rms",
           {[](const O& o) {
              return std::make_unique<RMSNorm>(o.width, RMSNormOptions{.eps = eps_of(o), .one_plus_gain = o.one_plus_gain});
            },
            {.one_plus_gain = true}}},
          {"rms-noeps", "norm-rms-noeps", {[](const O& o) { return std::make_unique<RMSNormNoEps>(o.width); }, {.eps = false}}},
          {"rms-l2", "norm-rms-l2", [](const O& o) { return std::make_unique<RMSNormL2>(o.width, eps_of(o)); }},
          {"rms-upcast", "norm-upcast",
           [](const O& o) { return std::make_unique<RMSNormUpcast>(o.width, RMSNormUpcastOptions{eps_of(o)}); }},
          {"scale", "norm-scale", [](const O& o) { return std::make_unique<ScaleNorm>(o.width, eps_of(o)); }},
          {"dyt", "norm-dyt", {[](const O& o) { return std::make_unique<DynamicTanh>(o.width); }, {.eps = false}}},
          // Each token's features in groups: layer norm of each group.
          {"group", "norm-group",
           [](const O& o) { return per_token<GroupNorm>(groups_of(o.width), o.width, GroupNormOptions{.eps = eps_of(o)}); }},
          // Over all tokens of the batch: in training each sees the others, later ones too.
          {"batch", "norm-batch", [](const O& o) { return per_token<BatchNorm1d>(o.width, BatchNormOptions{.eps = eps_of(o)}); }},
          {"derf", "norm-derf", {[](const O& o) { return std::make_unique<DynamicErf>(o.width); }, {.eps = false}}},
      }};
  return family;
}

}  // namespace gradus::nn
