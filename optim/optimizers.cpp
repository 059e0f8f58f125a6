#include "optim/optimizers.h"

#include "optim/adamw.h"

namespace gradus::optim {

const Family<MakeOptimizer>& optimizers() {
  static const Family<MakeOptimizer> family{
      "optimizer",
      {
          {"adamw", "optim-adamw",
           [](std::vector<ParameterGroup> groups) { return std::make_unique<AdamW>(std::move(groups)); }},
      }};
  return family;
}

}  // namespace gradus::optim
