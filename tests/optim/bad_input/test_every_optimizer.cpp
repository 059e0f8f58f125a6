// What every optimizer of the table refuses: parameters, rates, states and tensors that changed behind its back.
#include <cmath>
#include <map>
#include <memory>

#include "core/composites/composites.h"
#include "optim/optim.h"
#include "tests/support/bad_input.h"
#include "tests/support/check.h"

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

optim::ParameterGroups of(const NamedTensors& named) { return {{named, 0.1}}; }
Tensor parameter(DType dtype = DType::f32) { return ones({2, 3}, dtype).set_requires_grad(); }

// A step after `change` was done to the optimizer's tensors.
BadCall after(const std::string& name, const optim::MakeOptimizer& make, const std::function<void(Stepped&)>& change,
                Raises raises, const std::string& text) {
  const auto stepped = std::make_shared<Stepped>(make);
  change(*stepped);
  return {name, [=] { stepped->optimizer->step(1e-3); }, raises, text, stepped->all()};
}

BadCalls of_tensors(const std::string& name, const optim::MakeOptimizer& make) {
  const auto w = [](Stepped& s) -> Tensor& { return s.parameters[1]; };
  return {
      after(name + ", a parameter that its module has replaced", make, [=](Stepped& s) { w(s).set_requires_grad(false); },
              Raises::graph, ": blocks.1.w requires no gradient any more: it was frozen, or model.to() or extend() put another tensor"),
      after(name + ", no gradient at all", make, [](Stepped& s) { s.optimizer->zero_grad(); }, Raises::graph,
              "parameters has a gradient; was backward() forgotten, zero_grad() called before step(), or is this the optimizer of"),
      after(name + ", a gradient on another's data", make, [=](Stepped& s) { s.twin.set_grad(w(s).detach()); }, Raises::value,
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
    rows += after(name + ", a gradient on the data of " + path, make, [=](Stepped& s) { s.twin.set_grad(state(s).detach()); },
                    Raises::value, ": the gradient of twin and " + path + " share one storage, which a step would change");
  }
  return rows;
}

BadCalls of_calls(const std::string& name, const optim::MakeOptimizer& make) {
  const auto s = std::make_shared<Stepped>(make);
  const auto row = [&](const std::string& what, auto call, Raises raises, const std::string& text) {
    return BadCall{name + ", " + what, [=] { call(*s->optimizer); }, raises, text, s->all()};
  };
  using Optimizer = optim::Optimizer;
  BadCalls rows;
  for (const auto& [rate, text] : {std::pair{-1e-9, "got -1e-09"}, {kNaN, "got nan"}, {kInfinity, "got inf"}, {-kInfinity, "got -inf"}}) {
    rows += row(fmt::format("step({})", rate), [rate = rate](Optimizer& o) { o.step(rate); }, Raises::value,
                std::string(": the learning rate must be finite and not negative, ") + text);
  }
  constexpr int64_t too_many = (int64_t{1} << 53) + 1;
  rows += row("set_steps(-1)", [](Optimizer& o) { o.set_steps(-1); }, Raises::value,
              ": the number of steps must not be negative, got -1");
  rows += row("set_steps(2^53 + 1)", [](Optimizer& o) { o.set_steps(too_many); }, Raises::value,
              ": the number of steps must be at most 9007199254740992, got 9007199254740993");
  rows += row("load_state, steps INT64_MIN", [](Optimizer& o) { o.load_state(o.state(), INT64_MIN); }, Raises::value,
              ": the number of steps must not be negative");
  const auto load = [&](const std::string& what, void (*change)(NamedTensors&), const std::string& text) {
    rows += row("load_state, " + what, [=](Optimizer& o) { o.load_state(changed(o.state(), change), 1); }, Raises::value, text);
  };
  load("one tensor too many", [](auto& state) { state.emplace_back("nobody", ones({1})); }, ": nothing was loaded: unexpected nobody");
  if (s->optimizer->state().empty()) return rows;
  rows += row("load_state of nothing", [](Optimizer& o) { o.load_state({}, 1); }, Raises::value,
              ": nothing was loaded: missing ");
  load("the first twice", [](auto& state) { state.push_back(NamedTensor(state[0])); }, " is given twice");
  load("an undefined tensor", [](auto& state) { state.back().tensor = Tensor(); }, " is undefined");
  load("another shape", [](auto& state) { state.back().tensor = zeros({9, 9}); }, " has shape [9, 9], expected ");
  return rows;
}

BadCalls of_parameters(const std::string& name, const optim::MakeOptimizer& make) {
  const Tensor w = parameter(), half = parameter(DType::f16), constant = ones({2}), made = w * 2;
  const auto row = [&](const std::string& what, const optim::ParameterGroups& groups, Raises raises, const std::string& text) {
    return BadCall{name + " over " + what, [=] { make(groups); }, raises, text, {w}};
  };
  return {
      row("no groups", {}, Raises::value, ": no parameters to optimize"),
      row("an empty group", {optim::ParameterGroup{}}, Raises::value, ": no parameters to optimize"),
      row("one tensor twice", of({{"a", w}, {"b", w}}), Raises::value, ": b is given twice, first as a"),
      row("two of one name", of({{"a", w}, {"a", parameter()}}), Raises::value, ": two tensors are named 'a'"),
      row("one name in two groups", {{{{"a", w}}}, {{{"a", parameter()}}}}, Raises::value, ": two tensors are named 'a'"),
      row("an f16 tensor", of({{"a", w}, {"half", half}}), Raises::dtype, ": half is f16, too coarse"),
      row("a constant", of({{"a", w}, {"c", constant}}), Raises::graph, ": c is not a parameter: it must be a leaf"),
      row("a result", of({{"a", w}, {"made", made}}), Raises::graph, ": made is not a parameter: it must be a leaf"),
      row("an undefined tensor", of({{"none", Tensor()}}), Raises::graph, ": none is not a parameter"),
      row("a decay of -1", {{{{"a", w}}, -1.0}}, Raises::value, ": the weight decay must be finite and not negative, got -1"),
      row("a decay of NaN", {{{{"a", w}}, kNaN}}, Raises::value, ": the weight decay must be finite and not negative, got nan"),
      row("a decay of ∞", {{{{"a", w}}, kInfinity}}, Raises::value, ": the weight decay must be finite and not negative, got inf"),
      row("an lr_scale of -1", {{{{"a", w}}, {}, -1}}, Raises::value, ": a group's lr_scale must be finite and not negative, got -1"),
      row("an lr_scale of NaN", {{{{"a", w}}, {}, kNaN}}, Raises::value, ": a group's lr_scale must be finite and not negative, got nan"),
  };
}

}  // namespace

TEST_CASE("every optimizer refuses what does not fit, and parameters, gradients, states and steps stay as they were") {
  std::size_t count = 0;
  for (const auto& variant : optim::optimizers().variants) {
    const std::string name(variant.name);
    const BadCalls rows = joined({of_tensors(name, variant.value), of_state(name, variant.value), of_calls(name, variant.value),
                                  of_parameters(name, variant.value)});
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
    const auto refuses = [&](auto call, const std::string& text) {
      CHECK_THROWS_WITH_AS(call(), (begin + text).c_str(), ValueError);
    };
    const Stepped stepped(variant.value);
    refuses([&] { stepped.optimizer->step(-1); }, "the learning rate must be finite and not negative, got -1");
    refuses([&] { stepped.optimizer->set_steps(-1); }, "the number of steps must not be negative, got -1");
    refuses([&] { variant.value({}); }, "no parameters to optimize");
    refuses([&] { variant.value({{{{"w", parameter()}}, -1.0}}); }, "the weight decay must be finite and not negative, got -1");
  }
  const optim::ParameterGroups groups = of({{"w", parameter()}});
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
