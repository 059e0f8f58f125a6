// The check of fused ops is itself checked: a pair that is right passes, and each of these wrong ones is caught.
#include "tests/support/check_fused.h"

#include "core/autograd/engine.h"
#include "core/autograd/fused.h"
#include "core/composites/composites.h"
#include "core/tape/record.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// y = a ⊙ b²      dL/da = g ⊙ b²      dL/db = 2 g ⊙ a ⊙ b
Tensor product(const Tensors& in) { return in[0] * square(in[1]); }

// The kernels: the same values without a trace on the tape, as in every rule that create_graph does not reach.
Tensor value_of(const Tensors& in) {
  const NoGrad off;
  return product(in);
}
using Kernel = std::function<Tensors(const Tensor& g, const Tensors& in)>;

Tensors backward_of(const Tensor& g, const Tensors& in) { return {g * square(in[1]), g * in[0] * in[1] * 2}; }

// y = a ⊙ b² by a fast path whose value is `factor` times too large and whose gradients are those of `backward`.
class Product final : public FastPath {
 public:
  explicit Product(Kernel backward, double factor = 1) : backward_(std::move(backward)), factor_(factor) {}
  Tensor forward(const Tensors& in) override { return value_of({in[0] * factor_, in[1]}); }
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override {
    const NoGrad off;
    return backward_(g, in);
  }

 private:
  Kernel backward_;
  double factor_;
};

Tensor fused_product(const Tensors& in, Tensor (*differentiated)(const Tensors&), const Kernel& backward, double factor = 1) {
  if (formula_only()) return product(in);
  return fused("product", in, differentiated, std::make_unique<Product>(backward, factor));
}

Tensors inputs() { return {tensor({{0.5, -1.25}, {2, 1.5}}, DType::f64), tensor({{-0.75, 1}, {0.25, -2}}, DType::f64)}; }

std::string problems(const TensorFunction& fast) { return check_fused("product", fast, product, inputs()); }

}  // namespace

TEST_CASE("check_fused: passes a pair that is right") {
  CHECK(problems([](const Tensors& in) { return fused_product(in, product, backward_of); }) == "");
}

TEST_CASE("check_fused: catches a kernel whose value is wrong") {
  const std::string found = problems([](const Tensors& in) { return fused_product(in, product, backward_of, 1.002); });
  CHECK(mentions(found, "product: f64 value 0: element 0: 0.28"));
  CHECK(mentions(found, "product: f32 value 0"));
}

TEST_CASE("check_fused: catches a backward kernel that is wrong") {
  const std::string found = problems([](const Tensors& in) {
    return fused_product(in, product, [](const Tensor& g, const Tensors& x) {
      return Tensors{g * square(x[1]), g * x[0] * x[1]};  // without the 2
    });
  });
  CHECK(mentions(found, "product: f64 gradient 1"));
  CHECK(mentions(found, "gradcheck FAILED"));
  CHECK_FALSE(mentions(found, "f64 gradient 0"));
  CHECK_FALSE(mentions(found, "gradgradcheck"));  // create_graph takes the formula, which is right
}

// The mistake for which dependent inputs are there: everything else agrees.
TEST_CASE("check_fused: catches a rule without aliases, which counts dependent inputs twice") {
  const auto on_the_inputs_themselves = [](const Tensors& in) {
    if (formula_only()) return product(in);
    return record_joint("product", value_of(in), in, [](const Step& step) {
      const Tensors own{step.input(0), step.input(1)};
      if (!step.create_graph()) return backward_of(step.grad, own);
      return grad({product(own)}, own, {.seeds = {step.grad}, .create_graph = true});
    });
  };
  const std::string found = problems(on_the_inputs_themselves);
  CHECK(mentions(found, "product: dependent inputs: create_graph gradient 0"));
  CHECK_FALSE(mentions(found, "kernel"));
  CHECK_FALSE(mentions(found, "second"));
  CHECK_FALSE(mentions(found, "gradcheck"));
}

TEST_CASE("check_fused: catches a formula that is right to first order only") {
  const std::string found = problems([](const Tensors& in) {
    return fused_product(in, [](const Tensors& x) { return x[0] * (2 * x[1].detach() * x[1] - square(x[1].detach())); }, backward_of);
  });
  CHECK(mentions(found, "product: second gradient 1"));
  CHECK(mentions(found, "gradgradcheck FAILED"));
  CHECK_FALSE(mentions(found, "f64"));
}

TEST_CASE("check_fused: catches a missing gradient") {
  const std::string found = problems([](const Tensors& in) {
    return fused_product(in, product, [](const Tensor& g, const Tensors& x) { return Tensors{g * square(x[1]), Tensor()}; });
  });
  CHECK(mentions(found, "product: f64: threw \"grad: no output depends on input 1"));
}

TEST_CASE("check_fused: catches a path that is missing for one dtype") {
  const std::string found = problems([](const Tensors& in) {
    check<DTypeError>(in[0].dtype() != DType::f16, "product: no f16");
    return fused_product(in, product, backward_of);
  });
  CHECK(found == "product: f16: threw \"product: no f16\"\n");
}

TEST_CASE("check_fused: catches a kernel that computes f64 in f32") {
  const std::string found = problems([](const Tensors& in) {
    return fused_product(in, product, [](const Tensor& g, const Tensors& given) {
      Tensors d = backward_of(g, given);
      for (Tensor& x : d) x = cast(cast(x / 3, DType::f32), x.dtype()) * 3;
      return d;
    });
  });
  CHECK(mentions(found, "product: f64 gradient 0"));
  CHECK_FALSE(mentions(found, "f32 gradient"));
}

TEST_CASE("check_fused: catches a fast path that ignores FormulaOnly") {
  const std::string found = problems([](const Tensors& in) {
    return record_joint("product", value_of(in), in, [](const Step& step) {
      const Tensors own{step.input(0), step.input(1)};
      if (!step.create_graph()) return backward_of(step.grad, own);
      const Tensors aliases{own[0].clone(), own[1].clone()};
      return grad({product(aliases)}, aliases, {.seeds = {step.grad}, .create_graph = true});
    });
  });
  CHECK(found ==
        "product: FormulaOnly: product × 1 on the tape, the formula has 0\n"
        "product: FormulaOnly: not the formula's ops on the tape\n");
}

TEST_CASE("check_fused: catches a fast path that is not one") {
  CHECK(problems(product) == "product: the fast path records the formula's ops: it is not fused\n");
}
