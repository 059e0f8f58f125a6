// Why the formula of a fused op is differentiated on aliases: f(x, q) = x q with q = x², so that y = x³, at x = 2.
#include <fmt/format.h>

#include "core/autograd/fused.h"
#include "core/core.h"

using namespace gradus;

namespace {

Tensor formula(const Tensors& in) { return in[0] * in[1]; }

// The same by hand: y = a b, dL/da = g b, dL/db = g a.
class Product final : public FastPath {
  Tensor forward(const Tensors& in) override {
    const NoGrad off;
    return in[0] * in[1];
  }
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override { return {g * in[1], g * in[0]}; }
};

Tensor fused_product(const Tensor& a, const Tensor& b) { return fused("product", {a, b}, formula, std::make_unique<Product>()); }

// Wrong: the rule differentiates the formula with respect to the inputs themselves.
Tensor without_aliases(const Tensor& a, const Tensor& b) {
  return record_joint("product", formula({a.detach(), b.detach()}), {a, b}, [](const Step& step) {
    const Tensors inputs{step.input(0), step.input(1)};
    const Tensors found = grad({formula(inputs)}, inputs, {.seeds = {step.grad}, .create_graph = true});
    fmt::print("    the rule gives x {} and q {}\n", found[0].item(), found[1].item());
    return found;
  });
}

void slope(const char* name, Tensor (*f)(const Tensor&, const Tensor&), bool create_graph) {
  const Tensor x = tensor(2, DType::f64).set_requires_grad();
  const Tensor q = x * x;
  const Tensor slope = grad({f(x, q)}, {x}, {.create_graph = create_graph})[0];
  fmt::print("{}: dy/dx = {}\n", name, slope.item());
}

}  // namespace

int main() {
  slope("f1  the fast path", fused_product, false);
  slope("f2  the formula, on aliases", fused_product, true);
  slope("f3  the formula, on the inputs themselves", without_aliases, true);
}
