// The runner of the bad-call tables: a row that is not refused as it says is told apart, and what came instead is named.
#include <stdexcept>

#include "tests/support/bad_input.h"

using namespace gradus;
using namespace gradus::test;

namespace {

std::string instead(const std::function<void()>& call, const Tensors& unchanged = {}) {
  return what_came_instead(keeping(unchanged, by("op", BadCall{"call", call, Raises::shape, "the shapes"}))[0]);
}

}  // namespace

TEST_CASE("a row of bad calls passes only with its own class, its text, unchanged tensors and nothing left over") {
  Tensor x = ones({2}), kept;
  CHECK(instead([] { throw ShapeError("op: the shapes differ"); }, {x}) == "");
  CHECK(instead([] { throw ShapeError("op: other words"); }) == "ShapeError: op: other words");
  CHECK(instead([] { throw ShapeError("the shapes differ"); }) == "ShapeError: the shapes differ");
  CHECK(instead([] { throw ValueError("op: the shapes differ"); }) == "ValueError: op: the shapes differ");
  CHECK(instead([] { throw Error("op: the shapes differ"); }) == "Error: op: the shapes differ");
  CHECK(instead([] { throw std::runtime_error("op: the shapes differ"); }).find("runtime_error") != std::string::npos);
  CHECK(instead([] { throw 3; }) == "something that is no std::exception");
  CHECK(instead([] {}) == "no error at all");
  const auto change = [&] {
    x.fill(2);
    throw ShapeError("op: the shapes differ");
  };
  CHECK(instead(change, {x}) == "the right error, but a tensor was changed");
  const auto keep = [&] {
    kept = ones({2});
    throw ShapeError("op: the shapes differ");
  };
  CHECK(instead(keep) == "the right error, but tensors or nodes are left over");
}
