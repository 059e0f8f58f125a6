#include <algorithm>

#include "examples/shared/expression/functions.h"
#include "nn/activation/activation_table.h"

namespace gradus::examples {

void add_activations(std::vector<ExpressionFunction>& functions) {
  for (const auto& variant : nn::activations().variants) {
    std::string name(variant.name);
    std::replace(name.begin(), name.end(), '-', '_');
    const bool known = std::any_of(functions.begin(), functions.end(), [&](const ExpressionFunction& f) { return f.name == name; });
    const std::shared_ptr<nn::Layer> layer = variant.value();
    if (known || !layer->parameters().empty()) continue;
    functions.push_back({name, {"x"}, 1, [layer](const Tensors& in) { return (*layer)(in[0]); }});
  }
}

}  // namespace gradus::examples
