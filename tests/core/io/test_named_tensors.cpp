#include "core/io/named_tensors.h"

#include <cmath>

#include "core/composites/composites.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("load_tensors: copies by name, in any order, cast to the tensor's own dtype") {
  const NamedTensors own{{"a", zeros({2})}, {"b", zeros({1, 3}, DType::f64)}};
  CHECK(io::load_tensors(own, {{"b", tensor({{1, 2, 3}})}, {"a", tensor({4, 5}, DType::f64)}}, {}, "load").empty());
  CHECK(equal(own[0].tensor, tensor({4, 5})));
  CHECK(equal(own[1].tensor, tensor({{1, 2, 3}}, DType::f64)));
}

TEST_CASE("load_tensors: tensors of one set may change places") {
  const NamedTensors own{{"a", tensor({1, 2})}, {"b", tensor({3, 4})}, {"c", tensor({5, 6})}};
  const NamedTensors given{{"a", own[1].tensor}, {"b", own[2].tensor.detach()}, {"c", own[0].tensor}};
  CHECK(io::load_tensors(own, given, {}, "load").empty());
  CHECK(equal(own[0].tensor, tensor({3, 4})));
  CHECK(equal(own[1].tensor, tensor({5, 6})));
  CHECK(equal(own[2].tensor, tensor({1, 2})));
}

TEST_CASE(
    "load_tensors: names everything that does not fit at once, and then changes nothing; not strict, it loads the "
    "rest") {
  const NamedTensors own{{"a", zeros({2})}, {"b", zeros({3})}, {"c", zeros({1})}, {"d", zeros({1})}};
  const NamedTensors given{{"d", tensor({7})}, {"e", ones({1})}, {"b", ones({2})}, {"d", tensor({8})}, {"c", Tensor()}};
  CHECK_THROWS_WITH_AS(io::load_tensors(own, given, {}, "load"),
                       "load: nothing was loaded: missing a; b has shape [2], expected [3]; c is undefined; unexpected e; "
                       "d is given twice",
                       ValueError);
  for (const auto& [name, tensor, role] : own) CHECK(equal(tensor, zeros_like(tensor)));
  CHECK(io::load_tensors(own, given, {.strict = false}, "load") ==
        std::vector<std::string>{"missing a", "b has shape [2], expected [3]", "c is undefined", "unexpected e", "d is given twice"});
  CHECK(own[3].tensor.item() == 7);
  CHECK(equal(own[0].tensor, zeros({2})));
}

TEST_CASE("load_tensors: values that an i64 tensor cannot hold are refused before anything changes") {
  const Tensor a = zeros({1}), ids = zeros({2}, DType::i64);
  const NamedTensors own{{"a", a}, {"ids", ids}}, given{{"a", ones({1})}, {"ids", tensor({5, NAN})}};
  CHECK_THROWS_WITH_AS(io::load_tensors(own, given, {}, "load"), "load: nothing was loaded: ids has values that i64 cannot hold",
                       ValueError);
  CHECK(a.item() == 0);
  CHECK(io::load_tensors(own, given, {.strict = false}, "load") == std::vector<std::string>{"ids has values that i64 cannot hold"});
  CHECK(a.item() == 1);
  CHECK(to_vector(ids) == Values{0, 0});
  CHECK_THROWS_AS(io::load_tensors({{"ids", ids}}, {{"ids", tensor({5, 2.5})}}, {}, "load"), ValueError);
  CHECK(io::load_tensors({{"ids", ids}}, {{"ids", tensor({5, -0.0})}}, {}, "load").empty());
  CHECK(to_vector(ids) == Values{5, 0});
}

TEST_CASE("load_tensors: finite values that the dtype would make infinite are refused before anything changes") {
  struct {
    DType to;
    Tensor from;
    bool fits;
  } cases[] = {{DType::f16, tensor({1, 65504}), true},
               {DType::f16, tensor({1, 70000}), false},
               {DType::f16, tensor({INFINITY, NAN}), true},
               {DType::f16, tensor({INFINITY, -70000}), false},
               {DType::f16, tensor({1, 70000}, DType::i64), false},
               {DType::f32, tensor({1, 1e39}, DType::f64), false},
               {DType::f32, tensor({1, 3e38}, DType::f64), true},
               {DType::f64, tensor({1, 3e38}), true}};
  for (const auto& [to, from, fits] : cases) {
    CAPTURE(from);
    const Tensor w = zeros({2}, to);
    const auto load = [&, &given = from] { io::load_tensors({{"w", w}}, {{"w", given}}, {}, "load"); };
    if (fits) {
      CHECK_NOTHROW(load());
      CHECK(fmt::format("{}", w) == fmt::format("{}", cast(from, to)));
    } else {
      CHECK_THROWS_WITH_AS(load(), fmt::format("load: nothing was loaded: w has values that {} cannot hold", to).c_str(), ValueError);
      CHECK(to_vector(w) == Values{0, 0});
    }
  }
}

TEST_CASE("load_tensors: a tensor that an op made is refused before anything changes") {
  const Tensor a = zeros({1}), b = ones({1}).set_requires_grad() * 2;
  CHECK_THROWS_WITH_AS(io::load_tensors({{"a", a}, {"b", b}}, {{"a", ones({1})}, {"b", ones({1})}}, {}, "load"),
                       "load: nothing was loaded: b was made by an op and cannot be loaded into", ValueError);
  CHECK(a.item() == 0);
}
