// What every optimizer of the table refuses: parameters, rates, states and tensors that changed behind its back.
#include <cmath>
#include <map>
#include <memory>

#include "core/composites/composites.h"
#include "core/inspect/compare.h"
#include "optim/optim.h"
#include "tests/support/bad_input.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// Three matrices with gradients, after one step, so that the optimizer has a state that is not zero.
struct Stepped {
  explicit Stepped(const optim::MakeOptimizer& make) {
    for (Tensor& p : parameters) p.set_grad(full_like(p, 0.25));
    optimizer = make({{{{"first", parameters[0]}, {"blocks.1.w", parameters[1]}, {"twin", twin}}, 0.1}});
    optimizer->step(1e-3);
  }
  Tensors all() const {
    Tensors result = parameters;
    for (const NamedTensor& remembered : optimizer->state()) result.push_back(remembered.tensor);
    return result;
  }
  Tensors parameters{ones({2, 3}).set_requires_grad(), ones({4, 2}).set_requires_grad(), ones({4, 2}).set_requires_grad()};
  Tensor& twin = parameters[2];  // of the other's shape
  std::unique_ptr<optim::Optimizer> optimizer;
};

optim::ParameterGroups group(const NamedTensors& named) { return {{named, 0.1}}; }
Tensor parameter(DType dtype = DType::f32) { return ones({2, 3}, dtype).set_requires_grad(); }

// A step after `change` was done to the optimizer's tensors.
BadCall after(const std::string& name, const optim::MakeOptimizer& make, const std::function<void(Stepped&)>& change, Raises raises,
              const std::string& text) {
  const auto stepped = std::make_shared<Stepped>(make);
  change(*stepped);
  return {name, [=] { stepped->optimizer->step(1e-3); }, raises, text, stepped->all()};
}

BadCalls of_tensors(const std::string& name, const optim::MakeOptimizer& make) {
  const auto freeze = [](Stepped& s) { s.parameters[1].set_requires_grad(false); };
  const auto forget = [](Stepped& s) { s.optimizer->zero_grad(); };
  const auto share = [](Stepped& s) { s.twin.set_grad(s.parameters[1].detach()); };
  return {
      after(name + ", a parameter that its module has replaced", make, freeze, Raises::graph,
            ": blocks.1.w requires no gradient any more: it was frozen, or model.to() or extend() put another tensor"),
      after(name + ", no gradient at all", make, forget, Raises::graph,
            "parameters has a gradient; was backward() forgotten, zero_grad() called before step(), or is this the optimizer of"),
      after(name + ", a gradient on another's data", make, share, Raises::value,
            ": the gradient of twin and blocks.1.w share one storage, which a step would change; set a detached_copy()"),
  };
}

// A gradient on the data of each tensor that it remembers.
BadCalls of_state(const std::string& name, const optim::MakeOptimizer& make) {
  BadCalls rows;
  for (std::size_t i = 0; i < Stepped(make).optimizer->state().size(); ++i) {
    const auto state = [i](const Stepped& s) { return s.optimizer->state()[i].tensor; };
    const std::string path = Stepped(make).optimizer->state()[i].name;
    if (state(Stepped(make)).shape() != Shape{4, 2}) continue;
    rows += after(
        name + ", a gradient on the data of " + path, make, [=](Stepped& s) { s.twin.set_grad(state(s).detach()); }, Raises::value,
        ": the gradient of twin and " + path + " share one storage, which a step would change");
  }
  return rows;
}

BadCalls of_calls(const std::string& name, const optim::MakeOptimizer& make) {
  const auto s = std::make_shared<Stepped>(make);
  constexpr int64_t too_many = (int64_t{1} << 53) + 1;
  const auto load = [=](void (*change)(NamedTensors&)) { s->optimizer->load_state(changed(s->optimizer->state(), change), 1); };
  BadCalls rows{
      REFUSED(value, s->optimizer->set_steps(-1), ": the number of steps must not be negative, got -1"),
      REFUSED(value, s->optimizer->set_steps(too_many), ": the number of steps must be at most 9007199254740992, got 9007199254740993"),
      REFUSED(value, s->optimizer->load_state(s->optimizer->state(), INT64_MIN), ": the number of steps must not be negative"),
      REFUSED(value, load([](auto& state) { state.emplace_back("nobody", ones({1})); }), ": nothing was loaded: unexpected nobody"),
  };
  rows += REFUSED_EACH(s->optimizer->step(bad), ": the learning rate must be finite and not negative", -1e-9, kNaN, kInfinity, -kInfinity);
  if (!s->optimizer->state().empty()) {
    rows += {REFUSED(value, s->optimizer->load_state({}, 1), ": nothing was loaded: missing "),
             REFUSED(value, load([](auto& state) { state.push_back(NamedTensor(state[0])); }), " is given twice"),
             REFUSED(value, load([](auto& state) { state.back().tensor = Tensor(); }), " is undefined"),
             REFUSED(value, load([](auto& state) { state.back().tensor = zeros({9, 9}); }), " has shape [9, 9], expected ")};
  }
  return of(name, keeping(s->all(), rows));
}

BadCalls of_parameters(const std::string& name, const optim::MakeOptimizer& make) {
  const Tensor w = parameter(), half = parameter(DType::f16), constant = ones({2}), made = w * 2;
  const Refused no_rate{"finite and not negative", {-1, kNaN, kInfinity}}, no_scale{"finite and not negative", {-1, kNaN}};
  return of(name, keeping({w}, {
                                   REFUSED(value, make({}), ": no parameters to optimize"),
                                   REFUSED(value, make({optim::ParameterGroup{}}), ": no parameters to optimize"),
                                   REFUSED(value, make(group({{"a", w}, {"b", w}})), ": b is given twice, first as a"),
                                   REFUSED(value, make(group({{"a", w}, {"a", parameter()}})), ": two tensors are named 'a'"),
                                   REFUSED(value, make({{{{"a", w}}}, {{{"a", parameter()}}}}), ": two tensors are named 'a'"),
                                   REFUSED(dtype, make(group({{"a", w}, {"half", half}})), ": half is f16, too coarse"),
                                   REFUSED(graph, make(group({{"a", w}, {"c", constant}})), ": c is not a parameter: it must be a leaf"),
                                   REFUSED(graph, make(group({{"a", w}, {"made", made}})), ": made is not a parameter: it must be a leaf"),
                                   REFUSED(graph, make(group({{"none", Tensor()}})), ": none is not a parameter"),
                                   REFUSED_EACH(make({{{{"a", w}}, bad}}), ": the weight decay", no_rate),
                                   REFUSED_EACH(make({{{{"a", w}}, {}, bad}}), ": a group's lr_scale", no_scale),
                               }));
}

}  // namespace

TEST_CASE("every optimizer refuses what does not fit, and parameters, gradients, states and steps stay as they were") {
  std::size_t count = 0;
  for (const auto& variant : optim::optimizers().variants) {
    const std::string name(variant.name);
    const BadCalls rows{of_tensors(name, variant.value), of_state(name, variant.value), of_calls(name, variant.value),
                        of_parameters(name, variant.value)};
    check_bad_calls(rows);
    count += rows.size();
  }
  MESSAGE(count, " bad calls of optimizers");
  CHECK(count > 15 * 30);
}

TEST_CASE("every optimizer: an error begins with its own name, whichever check finds it") {
  const std::map<std::string_view, std::string> names{
      {"sgd", "SGD"},           {"momentum", "Momentum"}, {"nesterov", "Nesterov"}, {"rmsprop", "RMSprop"},     {"adagrad", "Adagrad"},
      {"adadelta", "Adadelta"}, {"adam", "Adam"},         {"adamw", "AdamW"},       {"adamax", "Adamax"},       {"nadam", "NAdam"},
      {"radam", "RAdam"},       {"lamb", "LAMB"},         {"lion", "Lion"},         {"adafactor", "Adafactor"}, {"muon", "Muon"}};
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    const auto known = names.find(variant.name);
    if (known == names.end()) FAIL("new here: say in names, above, what its class is called");
    const std::string begin = known->second + ": ";
    const auto refuses = [&](auto call, const std::string& text) { CHECK_THROWS_WITH_AS(call(), (begin + text).c_str(), ValueError); };
    const Stepped stepped(variant.value);
    refuses([&] { stepped.optimizer->step(-1); }, "the learning rate must be finite and not negative, got -1");
    refuses([&] { stepped.optimizer->set_steps(-1); }, "the number of steps must not be negative, got -1");
    refuses([&] { variant.value({}); }, "no parameters to optimize");
    refuses([&] { variant.value({{{{"w", parameter()}}, -1.0}}); }, "the weight decay must be finite and not negative, got -1");
  }
  const optim::ParameterGroups groups = group({{"w", parameter()}});
  CHECK_THROWS_WITH_AS(optim::Adam(groups, {.lr = -1}), "Adam: the learning rate must be finite and not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(optim::AdamW(groups, {.eps = 0}), "AdamW: eps must be finite and positive, got 0", ValueError);
}

TEST_CASE("an optimizer that refused a step takes the next one once its tensors are as they were") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    Stepped refused(variant.value), plain(variant.value);
    refused.parameters[1].set_requires_grad(false);
    CHECK_THROWS_AS(refused.optimizer->step(1e-3), GraphError);
    refused.parameters[1].set_requires_grad();
    refused.optimizer->step(1e-3);
    plain.optimizer->step(1e-3);
    CHECK(refused.optimizer->steps() == 2);
    for (std::size_t i = 0; i < 2; ++i) CHECK(equal(refused.parameters[i], plain.parameters[i]));
  }
}
