#include "nn/activation/activation_table.h"

#include "nn/activation/elu.h"
#include "nn/activation/gelu.h"
#include "nn/activation/hard.h"
#include "nn/activation/poly_norm.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/activation/swish.h"
#include "nn/activation/xielu.h"

namespace gradus::nn {

const Table<MakeActivation>& activations() {
  const auto layer = [](const Activation& f) { return [f] { return std::make_unique<ActivationLayer>(f); }; };
  static const Table<MakeActivation> family{
      "activation",
      {
          {"sigmoid", "act-sigmoid", layer(act::sigmoid)},
          {"tanh", "act-tanh", layer(act::tanh)},
          {"relu", "act-relu", layer(act::relu)},
          {"leaky-relu", "act-leaky-relu", layer(act::leaky_relu())},
          {"prelu", "act-prelu", [] { return std::make_unique<PReLU>(); }},
          {"relu2", "act-relu2", layer(act::relu2)},
          {"relu6", "act-relu6", layer(act::relu6)},
          {"elu", "act-elu", layer(act::elu())},
          {"celu", "act-celu", layer(act::celu())},
          {"selu", "act-selu", layer(act::selu)},
          {"swish", "act-swish", [] { return std::make_unique<Swish>(); }},
          {"silu", "act-silu", layer(act::silu)},
          {"hardswish", "act-hardswish", layer(act::hardswish)},
          {"mish", "act-mish", layer(act::mish)},
          {"gelu", "act-gelu", layer(act::gelu)},
          {"gelu-tanh", "act-gelu-tanh", layer(act::gelu_tanh)},
          {"quick-gelu", "act-quick-gelu", layer(act::quick_gelu)},
          {"softplus", "act-softplus", layer(act::softplus)},
          {"hardsigmoid", "act-hardsigmoid", layer(act::hardsigmoid)},
          {"softmax", "act-softmax", layer(act::softmax)},
          {"log-softmax", "act-log-softmax", layer(act::log_softmax)},
          {"log-sigmoid", "act-log-sigmoid", layer(act::log_sigmoid)},
          {"softsign", "act-softsign", layer(act::softsign)},
          {"hardtanh", "act-hardtanh", layer(act::hardtanh())},
          {"softshrink", "act-softshrink", layer(act::softshrink())},
          {"hardshrink", "act-hardshrink", layer(act::hardshrink())},
          {"solu", "act-solu", layer(act::solu)},
          {"xielu", "act-xielu", [] { return std::make_unique<XIELU>(); }},
          {"poly-norm", "act-poly-norm", [] { return std::make_unique<PolyNorm>(); }},
      },
  };
  return family;
}

}  // namespace gradus::nn
