// Signal propagation: what a stack does to activations on the way up and to gradients on the way down.
#pragma once

#include <functional>
#include <vector>

#include "nn/model/language_model.h"

namespace gradus::examples {

// One point of the residual stream: before the first block, or after one.
struct LayerSignal {
  double activation_variance;  // of all values of the stream x
  double stream_gradient;      // ‖dL/dx‖; of all streams where there are several
  double parameter_gradient;   // ‖dL/dθ‖, θ all parameters of the block that ends here; 0 before the first
};

// stack.size() + 1 rows, for a loss L of the stack's output. Reads only: no gradient is added to any parameter, so
// that it may be called before training or at any step of it.
std::vector<LayerSignal> layer_signals(nn::Stack& stack, const Tensor& x, const std::function<Tensor(const Tensor&)>& loss);

// The same for a language model, L its cross-entropy: ids and targets [B, T]. The model stays in the mode it is in.
std::vector<LayerSignal> layer_signals(nn::LanguageModel& model, const Tensor& ids, const Tensor& targets);

}  // namespace gradus::examples
