#include "tests/nn/module_bad_input/tables.h"

namespace gradus::test {
namespace {

struct Snake : nn::Module {
  void members(nn::Members& m) override { m.child("tail", *this); }
};

// One of a ring, if the last knows the first.
struct Ring : nn::Module {
  Ring* next = nullptr;
  nn::Linear linear{2, 2};
  void members(nn::Members& m) override {
    m.child("linear", linear);
    if (next != nullptr) m.child("next", *next);
  }
};

// A new one below each.
struct Endless : nn::Module {
  std::unique_ptr<Endless> below;
  void members(nn::Members& m) override {
    below = std::make_unique<Endless>();
    m.child("below", *below);
  }
};

// A module with members of these two names: parameters, buffers or children.
struct Pair : nn::Module {
  enum class Kind { parameter, buffer, child };
  Pair(Kind a, Kind b, std::string name_of_b = "same") : kinds{a, b}, second(std::move(name_of_b)) {}
  void members(nn::Members& m) override {
    for (const int i : {0, 1}) {
      const std::string name = i == 0 ? "same" : second;
      switch (kinds[i]) {
        case Kind::parameter: m.parameter(name, tensors[i]); break;
        case Kind::buffer: m.buffer(name, buffers[i]); break;
        case Kind::child: m.child(name, children[i]); break;
      }
    }
  }
  Kind kinds[2];
  std::string second;
  nn::Parameter tensors[2] = {ones({2}), zeros({2})};
  Tensor buffers[2] = {ones({2}), zeros({2})};
  nn::Linear children[2] = {{2, 2}, {2, 2}};
};

// Its part was never given.
struct Hollow : nn::Layer {
  nn::LayerPtr part;
  Tensor forward(const Tensor& x) override { return (*part)(x); }
  void members(nn::Members& m) override { m.child("part", *part); }
};

BadCalls cycles() {
  const std::string snake = "Snake: the member 'tail' is a module in which it lies itself; modules form a tree";
  const auto of_ring = [](const std::function<void(Ring&)>& f) {
    return [f] {
      Ring first, second, third;
      first.next = &second;
      second.next = &third;
      third.next = &second;
      f(first);
    };
  };
  const std::string ring = "Ring: the member 'next.next.next' is a module in which it lies itself";
  return {
      {"str of a module that is its own member", [] { Snake().str(); }, Raises::value, snake},
      {"parameters of it", [] { Snake().parameters(); }, Raises::value, snake},
      {"state_dict of it", [] { Snake().state_dict(); }, Raises::value, snake},
      {"load_state_dict of it", [] { Snake().load_state_dict({}); }, Raises::value, snake},
      {"eval of it", [] { Snake().eval(); }, Raises::value, snake},
      {"clear_grad of it", [] { Snake().clear_grad(); }, Raises::value, snake},
      {"str of a ring", of_ring([](Ring& m) { m.str(); }), Raises::value, ring},
      {"parameters of a ring", of_ring([](Ring& m) { m.parameters(); }), Raises::value, ring},
      {"modules without end", [] { Endless().str(); }, Raises::value, "Endless: modules lie within modules, 1000 deep"},
  };
}

BadCalls names() {
  using Kind = Pair::Kind;
  const std::string same = "Pair: two members have the path 'same'; give each a name of its own in members()";
  return {
      {"two parameters of one name", [] { Pair(Kind::parameter, Kind::parameter).state_dict(); }, Raises::value, same},
      {"a parameter and a buffer of one name", [] { Pair(Kind::parameter, Kind::buffer).parameters(); }, Raises::value, same},
      {"a buffer and a child of one name", [] { Pair(Kind::buffer, Kind::child).str(); }, Raises::value, same},
      {"two children of one name", [] { Pair(Kind::child, Kind::child).eval(); }, Raises::value, same},
      {"a parameter of the name of one below", [] { Pair(Kind::child, Kind::parameter, "same.weight").parameters(); },
       Raises::value, "Pair: two members have the path 'same.weight'"},
      {"values for one name of two",
       [] {
         Pair pair(Kind::parameter, Kind::parameter);
         nn::NamedTensors state;
         state.emplace_back("same", ones({2}));
         pair.load_state_dict(state);
       },
       Raises::value, same},
  };
}

BadCalls missing_parts() {
  const std::string layer = "Layer: nullptr was called as one; it was never given";
  return {
      {"parameters of a module without its part", [] { Hollow().parameters(); }, Raises::graph, layer},
      {"str of it", [] { Hollow().str(); }, Raises::graph, layer},
      {"its call", [] { Hollow()(f32({2})); }, Raises::graph, layer},
      {"a LayerPtr of nothing", [] { nn::LayerPtr()->describe(); }, Raises::graph, layer},
      {"a PlacementPtr of nothing", [] { nn::PlacementPtr()->order(); }, Raises::graph, "Placement: nullptr was called as one"},
      {"a QKNormPtr of nothing", [] { (*nn::QKNormPtr()).mixes_tokens(); }, Raises::graph, "QKNorm: nullptr was called as one"},
      {"Stack::block(99)", [] { nn::Stack(narrow_block()).block(99); }, Raises::value, "Stack: of 2 blocks there is none of index 99"},
      {"Sequential[1] of one", [] { nn::Sequential{nn::Linear{2, 2}}[1]; }, Raises::value,
       "Sequential: of 1 layers there is none of index 1"},
      {"a placement for no sublayers",
       [] {
         nn::PlacementOptions o = two_sublayers();
         o.sublayers = {};
         nn::PreNorm{o};
       },
       Raises::value, "Placement: a block needs at least one sublayer"},
  };
}

}  // namespace

BadCalls tree_calls() { return joined({cycles(), names(), missing_parts()}); }

}  // namespace gradus::test
