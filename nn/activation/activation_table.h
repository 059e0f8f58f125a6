// The family of activations.
#pragma once

#include "core/table.h"
#include "nn/module.h"

namespace gradus::nn {

using MakeActivation = std::function<LayerPtr()>;  // with the usual parameter
const Table<MakeActivation>& activations();

}  // namespace gradus::nn
