// The least and the greatest slope of every activation, which is the tape's: over 200,001 points from -10 to 10.
#include <fmt/format.h>

#include "nn/activation/activation_table.h"
#include "nn/nn.h"

using namespace gradus;

int main() {
  fmt::print("{:<13}{:>9}{:>10}\n", "activation", "least", "greatest");
  for (const auto& row : nn::activations().variants) {
    if (row.name == "softmax" || row.name == "log-softmax" || row.name == "solu" || row.name == "poly-norm") continue;  // of rows
    const nn::LayerPtr f = row.value();
    f->to(DType::f64);
    const Tensor x = linspace(-10, 10, 200'001, DType::f64).set_requires_grad();
    const Tensor slope = grad({sum((*f)(x))}, {x})[0];
    fmt::print("{:<13}{:>9.3f}{:>10.3f}\n", row.name, min(slope).item(), max(slope).item());
  }
}
