// The tables that flags, tests and docs iterate.
#include <set>

#include "nn/activation/activation_table.h"
#include "nn/block/placement.h"
#include "nn/feed_forward/feed_forward_table.h"
#include "nn/init_table.h"
#include "nn/linear.h"
#include "nn/norm/norm_table.h"
#include "nn/position/position_encoding.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

template <typename Make> void check_table(const Table<Make>& family) {
  CAPTURE(family.name);
  CHECK_FALSE(family.variants.empty());
  std::set<std::string_view> names;
  for (const auto& variant : family.variants) {
    CAPTURE(variant.name);
    CHECK(names.insert(variant.name).second);
    CHECK_FALSE(variant.formula_id.empty());
    CHECK(variant.value);
    CHECK(&family.find(variant.name) == &variant);
  }
}

}  // namespace

TEST_CASE("families: every row has a name of its own, a formula and a factory") {
  check_table(nn::norms());
  check_table(nn::placements());
  check_table(nn::position_encodings());
  check_table(nn::feed_forwards());
  check_table(nn::activations());
  check_table(nn::inits());
}

TEST_CASE("families: an unknown name is refused with the nearest") {
  CHECK_THROWS_WITH_AS(nn::norms().find("rsm"), "unknown norm 'rsm'; did you mean 'rms'?", ValueError);
  CHECK_THROWS_WITH_AS(nn::position_encodings().find("Roqe"), "unknown position 'Roqe'; did you mean 'rope'?", ValueError);
  CHECK(nn::position_encodings().find("RoPE").name == "rope");
  CHECK_THROWS_WITH_AS(nn::feed_forwards().find(""), "unknown feed-forward ''; did you mean 'glu'?", ValueError);
  const Table<int> family{"fruit", {{"apple", "", 1}, {"pear", "", 2}, {"peach", "", 3}}};
  CHECK_THROWS_WITH_AS(family.find("peer"), "unknown fruit 'peer'; did you mean 'pear'?", ValueError);
  CHECK_THROWS_WITH_AS(family.find("aple"), "unknown fruit 'aple'; did you mean 'apple'?", ValueError);
  CHECK(family.find("peach").value == 3);
}

TEST_CASE("families: the distance of two words") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("rope", "rope") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ab", "ba") == 1);
  CHECK(edit_distance("setps", "steps") == 1);
  CHECK(edit_distance("abcd", "badc") == 2);
  CHECK(edit_distance("ca", "abc") == 3);  // 2 if what was swapped could be parted again
  CHECK(nearest("adamm", {"adam", "adamw"}) == "adamw");
  CHECK(nearest("xy", {"ab", "cd"}) == "ab");
}

TEST_CASE("families: every norm and feed-forward keeps the shape, and learns") {
  const Tensor x = linspace(-1, 2, 24);
  const auto learns = [&](nn::LayerPtr layer) {
    CAPTURE(layer->describe());
    const Tensors parameters = layer->parameters();
    const Tensor y = (*layer)(reshape(x, {2, 3, 4}));
    CHECK(y.shape() == Shape{2, 3, 4});
    sum(y * y * x.at({5})).backward();
    for (const Tensor& parameter : parameters) CHECK(parameter.grad().defined());
  };
  for (const auto& norm : nn::norms().variants) learns(norm.value({.width = 4}));
  for (const auto& feed_forward : nn::feed_forwards().variants) learns(feed_forward.value({.d_model = 4, .d_ff = 6}));
}
