// Placements: how norm, sublayer and residual connection are put together.
#pragma once

#include "core/family.h"
#include "nn/module.h"

namespace gradus::nn {

// A sublayer f with its residual connection: one class a placement.
using MakePlacement = std::function<LayerPtr(LayerPtr sublayer, LayerPtr norm)>;
const Family<MakePlacement>& placements();

// y = x + f(norm(x)): the residual stream itself is never normalised (Xiong et al., 2020).
class PreNorm : public Layer {
 public:
  PreNorm(LayerPtr sublayer, LayerPtr norm) : sublayer_(std::move(sublayer)), norm_(std::move(norm)) {}

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string name() const override { return "PreNorm"; }

 private:
  LayerPtr sublayer_, norm_;
};

}  // namespace gradus::nn
