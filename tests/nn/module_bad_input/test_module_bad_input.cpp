// Modules as wholes: bad calls of them are refused, each with its class of error and a text that names it.
#include "tests/nn/bad_input/tables.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("modules: one that was moved from says so, whatever is called") { check_bad_calls(moved_calls()); }

TEST_CASE("modules: members that are no tree, share a path or are missing are refused") { check_bad_calls(tree_calls()); }

TEST_CASE("modules: sizes that no model can have are refused") { check_bad_calls(size_calls()); }

TEST_CASE("modules: a parameter keeps its shape") { check_bad_calls(parameter_calls()); }

TEST_CASE("modules: parts of blocks and models that do not fit together are refused") { check_bad_calls(joint_calls()); }

TEST_CASE("modules: moving keeps parameters, values and mode, and no module is assigned or copied") {
  nn::LanguageModel first(narrow_model());
  first.eval();
  const Tensor ids = i64({1, 3}), before = first(ids);
  const Tensors parameters = first.parameters();
  nn::LanguageModel second = std::move(first);
  CHECK_FALSE(second.training());
  CHECK(equal(second(ids), before));
  const Tensors after = second.parameters();
  REQUIRE(after.size() == parameters.size());
  for (std::size_t i = 0; i < after.size(); ++i) CHECK(after[i].same_as(parameters[i]));
  static_assert(!std::is_move_assignable_v<nn::LanguageModel> && !std::is_copy_constructible_v<nn::LanguageModel>);
  static_assert(!std::is_move_assignable_v<nn::Linear> && !std::is_copy_assignable_v<nn::Linear>);
}

namespace {

// Two layers, the second of which was moved from, so that a walk over them fails half-way.
struct HalfMoved : nn::Module {
  HalfMoved() { taken.add(std::move(second)); }
  void members(nn::Members& m) override {
    m.child("first", first);
    m.child("second", second);
  }
  nn::Linear first{2, 2}, second{2, 2};
  nn::Sequential taken;
};

}  // namespace

TEST_CASE("modules: a call over all members that fails at one of them changes none") {
  HalfMoved module;
  CHECK_THROWS_AS(module.to(DType::f64), GraphError);
  CHECK(module.first.weight.dtype() == DType::f32);
  CHECK_THROWS_AS(module.eval(), GraphError);
  CHECK(module.first.training());
}

TEST_CASE("modules: a module that is reached by two ways is no cycle") {
  struct Twice : nn::Module {
    nn::Linear shared{2, 2};
    void members(nn::Members& m) override {
      m.child("a", shared);
      m.child("b", shared);
    }
  };
  Twice twice;
  CHECK(twice.parameters().size() == 2);
  CHECK(twice.str() == "Twice\n  a: Linear(2 -> 2)\n  b: Linear(2 -> 2)\n");
}

TEST_CASE("modules: a PartPtr is a unique_ptr in all but what it does with nullptr") {
  nn::LayerPtr layer = std::make_unique<nn::Linear>(2, 2);
  const nn::Layer* raw = layer.get();
  nn::LayerPtr other = std::move(layer);
  CHECK(layer == nullptr);  // NOLINT: on purpose
  CHECK(other.get() == raw);
  CHECK(&*other == raw);
  CHECK(other->describe() == "Linear(2 -> 2)");
}

TEST_CASE("modules: a parameter prints as the tensor that it is") {
  const nn::Linear layer(2, 3);
  const Tensor weight = layer.weight;
  CHECK(fmt::format("{}", layer.weight) == fmt::format("{}", weight));
  CHECK(fmt::format("{:.2f}", layer.weight) == fmt::format("{:.2f}", weight));
}
