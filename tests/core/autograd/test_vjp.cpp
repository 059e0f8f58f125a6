// vjp: the derivatives of a function along given directions.
#include "core/autograd/vjp.h"

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/record.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// (x ⊙ w, x²)
Tensors two(const Tensors& in) { return {in[0] * in[1], square(in[0])}; }

}  // namespace

TEST_CASE("vjp: Jᵀ u of a function with two outputs; inputs need not require a gradient, and the tape may be off") {
  const Tensor x = tensor({2, 3}, DType::f64), w = tensor({5, 7}, DType::f64);
  const Tensors seeds{tensor({1, 10}, DType::f64), tensor({100, 1000}, DType::f64)};
  const NoGrad off;
  const Tensors found = vjp(two, {x, w}, seeds);
  CHECK(to_vector(found[0]) == Values{5 + 400, 70 + 6000});  // u₁ w + 2 u₂ x
  CHECK(to_vector(found[1]) == Values{2, 30});               // u₁ x
  CHECK_FALSE(found[0].requires_grad());
  CHECK_FALSE(x.requires_grad());
}

TEST_CASE("vjp: a scalar needs no seed; an input that is not used, absent or i64 has no gradient") {
  const auto f = [](const Tensors& in) { return Tensors{sum(index_select(in[0], 0, in[3]))}; };
  const Tensors found = vjp(f, {tensor({2, 3}), tensor({1.0}), Tensor(), tensor({1, 1}, DType::i64)});
  CHECK(to_vector(found[0]) == Values{0, 2});
  for (std::size_t i = 1; i < found.size(); ++i) CHECK_FALSE(found[i].defined());
}

TEST_CASE("vjp: of f(x, q) with q = x² it is the derivative by each place alone") {
  const Tensor x = tensor(2, DType::f64).set_requires_grad(), q = square(x);
  const auto product = [](const Tensors& in) { return Tensors{in[0] * in[1]}; };
  for (const bool create_graph : {false, true}) {
    const Tensors found = vjp(product, {x, q}, {}, create_graph);
    CHECK(found[0].item() == 4);
    CHECK(found[1].item() == 2);
  }
}

TEST_CASE("vjp: under create_graph it can be differentiated, with respect to inputs and seeds") {
  const auto gradient = [](const Tensors& in) {
    return sum(vjp([](const Tensors& x) { return Tensors{sin(x[0]) * x[0]}; }, {in[0]}, {in[1]}, true)[0]);
  };
  CHECK(gradcheck(gradient, {tensor({0.3, -2}, DType::f64), tensor({1.5, 0.7}, DType::f64)}).passed);
  const Tensor x = tensor(3, DType::f64).set_requires_grad();
  const Tensor slope = vjp([](const Tensors& in) { return Tensors{in[0] * in[0] * in[0]}; }, {x}, {}, true)[0];
  CHECK(slope.item() == 27);
  CHECK(grad({slope}, {x})[0].item() == 18);
}

TEST_CASE("vjp: a rule that computes its op again, as a checkpoint does, has the gradients of the op") {
  const Tensor x = tensor({0.5, -1}, DType::f64).set_requires_grad(), w = tensor({2, 3}, DType::f64).set_requires_grad();
  const auto block = [](const Tensors& in) { return Tensors{tanh(in[0] * in[1])}; };
  const auto checkpointed = [&] {
    const NoGrad off;
    return block({x, w})[0];
  };
  const Tensor y = record_joint("checkpoint", checkpointed(), {x, w}, [&](const Step& step) {
    return vjp(block, {step.input(0), step.input(1)}, {step.grad}, step.create_graph());
  });
  const Tensors found = grad({sum(y)}, {x, w}), expected = grad({sum(block({x, w})[0])}, {x, w});
  for (std::size_t i = 0; i < 2; ++i) CHECK(equal(found[i], expected[i]));
}

TEST_CASE("vjp: a hook of an input sees the gradients of the outer walk, and not those of vjp") {
  const Tensor x = tensor({0.5, -1}, DType::f64).set_requires_grad(), w = tensor({2, 3}, DType::f64).set_requires_grad();
  int calls = 0;
  x.add_hook([&](const Tensor& g) { return ++calls, 2 * g; });
  const auto block = [](const Tensors& in) { return Tensors{sum(tanh(in[0] * in[1]))}; };
  const Tensors found = vjp(block, {x, w}, {}, true);
  CHECK(calls == 0);
  const Tensor dx = grad({sum(found[0])}, {x})[0];
  CHECK(calls == 1);
  const Tensor plain = x.detached_copy().set_requires_grad();
  CHECK(allclose(dx, 2 * grad({sum(vjp(block, {plain, w}, {}, true)[0])}, {plain})[0]));
}

TEST_CASE("vjp: errors") {
  const Tensor x = ones({2});
  CHECK_THROWS_WITH_AS(vjp(nullptr, {x}), "vjp: the function is empty", ValueError);
  CHECK_THROWS_AS(vjp(two, {x, x}), GraphError);                                            // outputs of two elements without seeds
  CHECK_THROWS_AS(vjp(two, {x, x}, {ones({2})}), ValueError);                               // one seed for two outputs
  CHECK_THROWS_AS(vjp([](const Tensors&) { return Tensors{ones({})}; }, {x}), GraphError);  // depends on nothing
}
