// The family of activations, and all their headers. Its rows are in activation_table.cpp.
#pragma once

#include "core/options/table.h"
#include "nn/activation/elu.h"
#include "nn/activation/gelu.h"
#include "nn/activation/hard.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/activation/swish.h"

namespace gradus::nn {

using MakeActivation = std::function<LayerPtr()>;  // makes an activation's layer, with its usual parameter

// The activations by name: "relu", "gelu-tanh", …
const Table<MakeActivation>& activations();

using ActivationChoice = Choice<activations>;  // a name in the table, or a MakeActivation

}  // namespace gradus::nn
