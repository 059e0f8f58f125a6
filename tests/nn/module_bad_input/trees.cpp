#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

struct Snake : Module {
  void members(Members& m) override { m.child("tail", *this); }
};

// One of a ring, if the last knows the first.
struct Ring : Module {
  Ring* next = nullptr;
  Linear linear{2, 2};
  void members(Members& m) override {
    m.child("linear", linear);
    if (next != nullptr) m.child("next", *next);
  }
};

// A new one below each.
struct Endless : Module {
  std::unique_ptr<Endless> below;
  void members(Members& m) override {
    below = std::make_unique<Endless>();
    m.child("below", *below);
  }
};

// A module with members of these two names: parameters, buffers or children.
struct Pair : Module {
  enum class Kind { parameter, buffer, child };
  Pair(Kind a, Kind b, std::string name_of_b = "same") : kinds{a, b}, second(std::move(name_of_b)) {}
  void members(Members& m) override {
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
  Parameter tensors[2] = {ones({2}), zeros({2})};
  Tensor buffers[2] = {ones({2}), zeros({2})};
  Linear children[2] = {{2, 2}, {2, 2}};
};

// Its part was never given.
struct Hollow : Layer {
  LayerPtr part;
  Tensor forward(const Tensor& x) override { return (*part)(x); }
  void members(Members& m) override { m.child("part", *part); }
};

// A ring with a tail.
void of_ring(void (*call)(Ring&)) {
  Ring first, second, third;
  first.next = &second;
  second.next = &third;
  third.next = &second;
  call(first);
}

}  // namespace

BadCalls tree_calls() {
  using Kind = Pair::Kind;
  const std::string snake =
      "Snake: members lie 1000 deep within one another, as 'tail.tail.tail.tail.tail.tail.tail.tail.…'; is a module "
      "below itself, or does members() make new ones?";
  const std::string ring = "Ring: members lie 1000 deep within one another, as 'next.next.";
  const std::string same = "Pair: two members have the path 'same'; give each a name of its own in members()";
  const std::string layer = "Layer: nullptr was called as one; it was never given";
  return {
      REFUSED(value, Snake().str(), snake),
      REFUSED(value, Snake().parameters(), snake),
      REFUSED(value, Snake().state_dict(), snake),
      REFUSED(value, Snake().load_state_dict({}), snake),
      REFUSED(value, Snake().eval(), snake),
      REFUSED(value, Snake().zero_grad(), snake),
      REFUSED(value, of_ring([](Ring& m) { m.str(); }), ring),
      REFUSED(value, of_ring([](Ring& m) { m.parameters(); }), ring),
      REFUSED(value, Endless().str(), "Endless: members lie 1000 deep within one another, as 'below.below."),
      REFUSED(value, Pair(Kind::parameter, Kind::parameter).state_dict(), same),
      REFUSED(value, Pair(Kind::parameter, Kind::buffer).parameters(), same),
      REFUSED(value, Pair(Kind::buffer, Kind::child).str(), same),
      REFUSED(value, Pair(Kind::child, Kind::child).eval(), same),
      REFUSED(value, Pair(Kind::child, Kind::parameter, "same.weight").parameters(), "Pair: two members have the path 'same.weight'"),
      REFUSED(value, Pair(Kind::parameter, Kind::parameter).load_state_dict({{"same", ones({2})}}), same),
      REFUSED(graph, Hollow().parameters(), layer),
      REFUSED(graph, Hollow().str(), layer),
      REFUSED(graph, Hollow()(f32({2})), layer),
      REFUSED(graph, LayerPtr()->describe(), layer),
      REFUSED(graph, PlacementPtr()->order(), "Placement: nullptr was called as one"),
      REFUSED(graph, (*QKNormPtr()).mixes_tokens(), "QKNorm: nullptr was called as one"),
      REFUSED(value, Stack(narrow_block()).block(99), "Stack: of 2 blocks there is none of index 99"),
      REFUSED(value, Sequential{Linear(2, 2)}[1], "Sequential: of 1 layers there is none of index 1"),
      REFUSED(value, PreNorm{changed(two_sublayers(), [](auto& o) { o.sublayers = {}; })},
              "Placement: a block needs at least one sublayer"),
  };
}

}  // namespace gradus::test
