#include "nn/norm/norms.h"

#include "nn/norm/rms_norm.h"

namespace gradus::nn {

const Family<MakeNorm>& norms() {
  static const Family<MakeNorm> family{
      "norm",
      {
          {"rms", "norm-rms", [](const NormOptions& o) { return std::make_unique<RMSNorm>(o.width, RMSNormOptions{o.eps}); }},
      }};
  return family;
}

}  // namespace gradus::nn
