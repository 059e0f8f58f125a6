#include "nn/activation/activation_table.h"

#include "nn/activation/elu.h"
#include "nn/activation/gelu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/activation/swish.h"

namespace gradus::nn {

const Table<MakeActivation>& activations() {
  static const Table<MakeActivation> family{
      "activation",
      {
          {"sigmoid", "act-sigmoid", [] { return std::make_unique<Sigmoid>(); }},
          {"tanh", "act-tanh", [] { return std::make_unique<Tanh>(); }},
          {"relu", "act-relu", [] { return std::make_unique<ReLU>(); }},
          {"leaky-relu", "act-leaky-relu", [] { return std::make_unique<LeakyReLU>(); }},
          {"prelu", "act-prelu", [] { return std::make_unique<PReLU>(); }},
          {"relu2", "act-relu2", [] { return std::make_unique<ReLU2>(); }},
          {"relu6", "act-relu6", [] { return std::make_unique<ReLU6>(); }},
          {"elu", "act-elu", [] { return std::make_unique<ELU>(); }},
          {"selu", "act-selu", [] { return std::make_unique<SELU>(); }},
          {"swish", "act-swish", [] { return std::make_unique<Swish>(SwishOptions{.learned = true}); }},
          {"silu", "act-silu", [] { return std::make_unique<SiLU>(); }},
          {"hardswish", "act-hardswish", [] { return std::make_unique<Hardswish>(); }},
          {"mish", "act-mish", [] { return std::make_unique<Mish>(); }},
          {"gelu", "act-gelu", [] { return std::make_unique<GELU>(); }},
          {"gelu-tanh", "act-gelu-tanh", [] { return std::make_unique<GELU>(GELUOptions{GELUForm::tanh}); }},
          {"softplus", "act-softplus", [] { return std::make_unique<Softplus>(); }},
          {"hardsigmoid", "act-hardsigmoid", [] { return std::make_unique<Hardsigmoid>(); }},
          {"softmax", "act-softmax", [] { return std::make_unique<Softmax>(); }},
          {"log-softmax", "act-log-softmax", [] { return std::make_unique<LogSoftmax>(); }},
      }};
  return family;
}

}  // namespace gradus::nn
