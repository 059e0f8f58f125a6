#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/core.h"
#include "core/inspect/tape.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

int64_t count(const std::string& text, const std::string& part) {
  int64_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

// "#9" with the tensor's number, in a column as wide as that of `newest`.
std::string number(const Tensor& x, const Tensor& newest) {
  return fmt::format("{:>{}}", fmt::format("#{}", x.number()), fmt::format("#{}", newest.number()).size());
}

}  // namespace

TEST_CASE("tape: a line for each op and leaf, newest first") {
  const Tensor w = leaf({1, 2}, DType::f32), x = tensor({3, 4});
  const Tensor product = mul(w, x), L = sum(product);
  const std::string text = inspect::tape(L, {.names = {{"w", w}, {"x", x}, {"损失", L}}});
  CHECK(text == fmt::format("tape of #{} 损失: 2 ops, 1 leaf, newest first\n"
                            "  {}  损失  sum   []   f32  11.0  ← #{}\n"
                            "  {}      mul   [2]  f32        ← #{} w (leaf), constant x [2]\n"
                            "  {}  w   leaf  [2]  f32\n",
                            L.number(), number(L, L), product.number(), number(product, L), w.number(), number(w, L)));
}

TEST_CASE("tape: gradients, a freed part, and constants by their value") {
  const Tensor w = leaf({3, 4}, DType::f32), s = leaf(2, DType::f32);
  const Tensor h = mul(w, s);
  CHECK(mentions(inspect::tape(h * 0.5), ", 0.5\n"));
  sum(h).backward();
  const Tensor y = add(sum(h), w);
  const std::string text = inspect::tape(y, {.names = {{"s", s}}});
  CHECK(mentions(text, "freed"));
  CHECK(mentions(text, "(inputs freed by backward)"));
  CHECK(mentions(text, "|grad| 2.828"));
  CHECK(mentions(inspect::tape(s * w, {.names = {{"s", s}}}), "grad 7.0"));
}

TEST_CASE("tape: says plainly when there is none") {
  const Tensor w = leaf({1, 2}, DType::f32);
  CHECK(mentions(inspect::tape(w), "is a leaf: no op made it"));
  CHECK(mentions(inspect::tape(tensor({1, 2})), "is a constant: nothing is on the tape"));
  CHECK(mentions(inspect::tape(Tensor()), "undefined"));
  const Tensor L = sum(w);
  L.backward();
  CHECK(mentions(inspect::tape(L), "was freed by an earlier backward"));
}

TEST_CASE("tape: looking at it changes nothing") {
  const Tensor w = leaf(2, DType::f32);
  const Tensor y = exp(w * w);
  const auto tensors = live_tensors(), nodes = live_nodes();
  const std::string before = inspect::tape(y);
  inspect::dot(y);
  CHECK(inspect::tape(y) == before);
  CHECK(live_tensors() == tensors);
  CHECK(live_nodes() == nodes);
  CHECK(tensor(0).number() == y.number() + 1);
}

TEST_CASE("tape: a million ops need no recursion, and the list is cut") {
  const Tensor w = leaf(1, DType::f32);
  Tensor y = w;
  for (int i = 0; i < 1'000'000; ++i) y = neg(y);
  const std::string text = inspect::tape(y, {.limit = 3});
  CHECK(mentions(text, "1000000 ops, 1 leaf"));
  CHECK(mentions(text, "… and 999998 more"));
  CHECK(count(text, "\n") == 5);
  CHECK(mentions(inspect::dot(y, {.limit = 3}), "… and 999998 more"));
}

TEST_CASE("dot: boxes, ellipses and an edge for each use") {
  const Tensor w = leaf({1, 2}, DType::f32), x = tensor({3, 4});
  const Tensor product = mul(w, x), L = sum(mul(product, product));
  const std::string text = inspect::dot(L, {.names = {{"a \"quoted\" \\ name\nof w", w}}});
  CHECK(mentions(text, "digraph tape {\n"));
  CHECK(text.substr(text.size() - 3) == "\n}\n");
  CHECK(count(text, "shape=box") == 5);
  CHECK(count(text, "shape=ellipse") == 3);
  CHECK(count(text, " -> ") == 3 + 5);
  CHECK(count(text, fmt::format("t{0} -> op{1}\n", product.number(), product.number() + 1)) == 2);
  CHECK(mentions(text, fmt::format("label=\"#{} a \\\"quoted\\\" \\\\ name of w\\n[2] f32\"", w.number())));
  CHECK(mentions(text, "label=\"mul\""));
}

TEST_CASE("dot: leaves, freed tensors and undefined ones") {
  const Tensor w = leaf({1, 2}, DType::f32);
  CHECK(count(inspect::dot(w), "shape=box") == 1);
  const Tensor L = sum(w);
  L.backward();
  CHECK(mentions(inspect::dot(L), "label=\"freed\""));
  CHECK_THROWS_AS(inspect::dot(Tensor()), ValueError);
}
