// The family of activations.
#pragma once

#include "core/family.h"
#include "nn/module.h"

namespace gradus::nn {

using MakeActivation = std::function<LayerPtr()>;  // with the options' defaults
const Family<MakeActivation>& activations();

}  // namespace gradus::nn
