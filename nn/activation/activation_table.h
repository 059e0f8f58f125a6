// The family of activations. Its rows are in activation_table.cpp.
#pragma once

#include <functional>

#include "core/options/table.h"
#include "nn/layer.h"

namespace gradus::nn {

using MakeActivation = std::function<LayerPtr()>;  // makes an activation's layer, with its usual parameter

// The activations by name: "relu", "gelu-tanh", …
const Table<MakeActivation>& activations();

using ActivationChoice = Choice<activations>;  // a name in the table, or a MakeActivation

}  // namespace gradus::nn
