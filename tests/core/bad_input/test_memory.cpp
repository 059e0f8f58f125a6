// What no memory has room for: 2⁴⁷ bytes and more, so that it is refused on any machine.
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

BadCalls gradus::test::memory_rows() {
  constexpr int64_t most = int64_t{1} << 48, root = int64_t{1} << 24;
  constexpr DType f64 = DType::f64;
  const Tensor one = ones({1}, f64);
  const std::string vector = ": no memory for [281474976710656] of f64, 2.25e+09 MB";
  const std::string square = ": no memory for [16777216, 16777216] of f64, 2.25e+09 MB";
  const std::string product = ": no memory for [4194304, 4194304] of f64, 1.41e+08 MB";
  const auto column = [] { return ones({1 << 22, 1}, f64); };
  const auto row = [] { return ones({1, 1 << 22}, f64); };
  return {
      {"Tensor([2^48])", [=] { Tensor({most}, f64); }, Raises::memory, "tensor" + vector},
      {"zeros([2^48])", [=] { zeros({most}, f64); }, Raises::memory, "zeros" + vector},
      {"ones([2^48])", [=] { ones({most}, f64); }, Raises::memory, "ones" + vector},
      {"full([2^48])", [=] { full({most}, 3, f64); }, Raises::memory, "full" + vector},
      {"randn([2^48])", [=] { randn({most}, f64); }, Raises::memory, "randn" + vector},
      {"uniform([2^48])", [=] { uniform({most}, 0, 1, f64); }, Raises::memory, "uniform" + vector},
      {"randint([2^48])", [=] { randint(0, 2, {most}); }, Raises::memory, "randint: no memory for [281474976710656] of i64"},
      {"randperm(2^48)", [=] { randperm(most); }, Raises::memory, "randperm: no memory for [281474976710656] of i64"},
      {"linspace(0, 1, 2^48)", [=] { linspace(0, 1, most); }, Raises::memory, "linspace" + vector},
      {"eye(2^24)", [=] { eye(root, root, f64); }, Raises::memory, "eye" + square},
      {"expand([1], [2^48])", [=] { expand(one, {most}); }, Raises::memory, "expand" + vector, {one}},
      {"pad([1], 2^48 - 1)", [=] { pad(one, {{most - 1, 0}}); }, Raises::memory, "pad" + vector, {one}},
      {"one_hot(0, 2^48)", [=] { one_hot(ids({0}), most, f64); },
       Raises::memory, "one_hot: no memory for [1, 281474976710656] of f64"},
      {"add, broadcast", [=] { add(column(), row()); }, Raises::memory, "add" + product},
      {"mul, broadcast", [=] { mul(column(), row()); }, Raises::memory, "mul" + product},
      {"lt, broadcast", [=] { lt(column(), row()); }, Raises::memory, "lt: no memory for [4194304, 4194304] of i64"},
      {"where, broadcast", [=] { where(ids({1}), column(), row()); }, Raises::memory, "where" + product},
      {"matmul", [=] { matmul(column(), row()); }, Raises::memory, "matmul" + product},
  };
}

TEST_CASE("bad input: what no memory has room for is refused by its op and its size") { check_bad_calls(memory_rows()); }
