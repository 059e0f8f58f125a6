// Conventions of decay and of ε, by their exact difference; and which parameter decays.
#include <cmath>

#include "core/composites/composites.h"
#include "core/inspect/compare.h"
#include "optim/optim.h"
#include "tests/optim/make.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// θ after one step of `Optimizer` from `start` along `gradient`.
template <typename Optimizer, typename... Options>
Tensor after_step(const Tensor& start, const Tensor& gradient, double lr, double decay, Options... options) {
  const Tensor x = parameter(start);
  Optimizer optimizer({{{{"x", x}}, decay}}, options...);
  x.set_grad(gradient);
  optimizer.step(lr);
  return x;
}

// The decay and the parameters of each group: "0.1: w; 0: gain b".
std::string text(const optim::ParameterGroups& groups) {
  std::string all;
  for (const auto& [parameters, weight_decay, lr_scale] : groups) {
    CHECK(lr_scale == 1);
    all += (all.empty() ? "" : "; ") + (weight_decay ? fmt::to_string(*weight_decay) : "none") + ":";
    for (const NamedTensor& parameter : parameters) all += " " + parameter.name;
  }
  return all;
}

}  // namespace

TEST_CASE("parameter groups: tensors without names are one group, trained and decayed whole") {
  const Tensor w = parameter(f64({{1, 2}})), b = parameter(f64({3}));
  CHECK(text({w, b}) == "none: 0 1");
  CHECK(text(Tensors{w, b}) == "none: 0 1");
  optim::SGD optimizer({w, b}, {.weight_decay = 0.5});
  w.set_grad(f64({{1, 1}}));
  b.set_grad(f64({1}));
  optimizer.step(0.1);
  CHECK(b.item() == doctest::Approx(3 - 0.1 * (1 + 0.5 * 3)));
  CHECK(w.at({0, 1}) == doctest::Approx(2 - 0.1 * (1 + 0.5 * 2)));
}

TEST_CASE("optim-weight-decay, convention-coupled-decay: for SGD both are the same; Adam divides a coupled decay away") {
  const Tensor start = f64({{2, -4}}), g = f64({{100, 0.5}});
  const double lr = 0.1, decay = 0.25, eps = 1e-8;
  CHECK(difference(after_step<optim::SGD>(start, g, lr, decay), start * (1 - lr * decay) - lr * g, 1e-15) == "");
  // The first step of Adam is lr g / (|g| + ε), g with λθ in it or not.
  const Tensor joined = g + decay * start;
  const Tensor coupled = start - lr * joined / (abs(joined) + eps), decoupled = start * (1 - lr * decay) - lr * g / (abs(g) + eps);
  CHECK(difference(after_step<optim::Adam>(start, g, lr, decay), coupled, 1e-15) == "");
  CHECK(difference(after_step<optim::AdamW>(start, g, lr, decay), decoupled, 1e-15) == "");
  // Exactly: AdamW takes lr λ θ more, and Adam's direction changes where λθ turns the gradient's sign.
  CHECK(difference(coupled - decoupled, f64({{lr * decay * 2, -lr * decay * 4 + 2 * lr}}), 1e-7) == "");
  // Without decay they are one.
  CHECK(equal(after_step<optim::Adam>(start, g, lr, 0), after_step<optim::AdamW>(start, g, lr, 0)));
}

TEST_CASE(
    "optim-weight-decay, erratum-2: weight decay shrinks parameters at a constant rate; a falling rate alone leaves "
    "them where they are") {
  const Tensor decayed = parameter(f64({4})), kept = parameter(f64({4}));
  optim::SGD with_decay({{{{"decayed", decayed}}, 0.1}}), with_schedule({{{{"kept", kept}}, 0}});
  for (int step = 0; step < 10; ++step) {
    for (const Tensor& p : {decayed, kept}) p.set_grad(f64({0}));
    with_decay.step(0.5);
    with_schedule.step(0.5 * (10 - step) / 10);
  }
  CHECK(decayed.item() == doctest::Approx(4 * std::pow(1 - 0.5 * 0.1, 10)).epsilon(1e-14));
  CHECK(kept.item() == 4);
}

TEST_CASE("convention-adam-eps-before-or-after-correction: an ε before the correction weighs 1/√(1 - β₂ᵗ) times as much") {
  const Tensor start = f64({1, 1}), g = f64({1e-3, -2});
  const double lr = 0.1, eps = 1e-2, beta2 = 0.95;
  const optim::AdamWOptions after{.beta2 = beta2, .eps = eps}, before{.beta2 = beta2, .eps = eps, .eps_before_correction = true};
  const Tensor x_after = after_step<optim::AdamW>(start, g, lr, 0, after);
  const Tensor x_before = after_step<optim::AdamW>(start, g, lr, 0, before);
  CHECK(difference(x_after, start - lr * g / (abs(g) + eps), 1e-15) == "");
  CHECK(difference(x_before, start - lr * g / (abs(g) + eps / std::sqrt(1 - beta2)), 1e-15) == "");
  // The two agree when one's ε is the other's, rescaled.
  const optim::AdamWOptions rescaled{.beta2 = beta2, .eps = eps / std::sqrt(1 - beta2)};
  CHECK(difference(x_before, after_step<optim::AdamW>(start, g, lr, 0, rescaled), 1e-15) == "");
}

TEST_CASE("optim-weight-decay: embeddings and positions decay by default and not by option, biases of any shape never") {
  const NamedTensors named{{"embedding.weight", parameter(zeros({5, 2})), Role::table},
                           {"position.weight", parameter(zeros({4, 2})), Role::table},
                           {"position.content_bias", parameter(zeros({2, 1})), Role::bias},
                           {"blocks.0.w", parameter(zeros({2, 3}))},
                           {"gain", parameter(zeros({2})), Role::gain}};
  CHECK(text(optim::decay_matrices(named, 0.1)) == "0.1: embedding.weight position.weight blocks.0.w; 0: position.content_bias gain");
  CHECK(text(optim::decay_matrices(named, 0.1, {.embeddings = false})) ==
        "0.1: blocks.0.w; 0: embedding.weight position.weight position.content_bias gain");
}

TEST_CASE("optim-weight-decay: the role decides, not the name, and of linear maps the number of axes") {
  const Tensor matrix = parameter(ones({2, 3}));
  const auto decays = [](const Tensor& x, Role role, optim::DecayOptions options = {}) {
    return optim::decay_matrices({{"embedding.bias", x, role}}, 0.1, options)[0].weight_decay == 0.1;
  };
  for (const Role role : {Role::weight, Role::scores, Role::writes_stream, Role::head}) {
    CHECK(decays(matrix, role));
    CHECK(decays(matrix, role, {.embeddings = false}));
    CHECK(decays(parameter(ones({2, 2, 2})), role));
    CHECK_FALSE(decays(parameter(ones({3})), role));
    CHECK_FALSE(decays(parameter(tensor(1)), role));
  }
  CHECK(decays(matrix, Role::table));
  CHECK_FALSE(decays(matrix, Role::table, {.embeddings = false}));
  for (const Role role : {Role::gain, Role::bias, Role::other}) {
    for (const Shape& shape : {Shape{3}, Shape{2, 3}, Shape{3, 4, 5}}) {
      CHECK_FALSE(decays(parameter(ones(shape)), role));
    }
  }
}

TEST_CASE("optim-weight-decay: the options' decay is that of a model's matrices, and of groups without their own") {
  const NamedTensors named{{"w", parameter(f64({{4}}))}, {"b", parameter(f64({4})), Role::bias}};
  const Tensor own = parameter(f64({4})), none = parameter(f64({4}));
  optim::SGD of_model(named, {.lr = 0.5, .weight_decay = 0.25});
  optim::SGD of_groups({{.parameters = {{"own", own}}, .weight_decay = 0.125}, {.parameters = {{"none", none}}}},
                       {.lr = 0.5, .weight_decay = 0.25});
  for (const Tensor& p : {named[0].tensor, named[1].tensor, own, none}) p.set_grad(zeros_like(p));
  of_model.step();
  of_groups.step();
  CHECK(named[0].tensor.item() == 4 * (1 - 0.5 * 0.25));
  CHECK(named[1].tensor.item() == 4);
  CHECK(own.item() == 4 * (1 - 0.5 * 0.125));
  CHECK(none.item() == 4 * (1 - 0.5 * 0.25));
  CHECK(text(named) == "none: w; 0: b");
}
