// Making tensors and comparing them.
#include "core/tensor/create.h"

#include <cmath>

#include "core/check.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {}

TEST_CASE("tensor: numbers and nested lists") {
  CHECK(tensor(5).shape() == Shape{});
  CHECK(tensor({1, 2, 3}).shape() == Shape{3});
  CHECK(tensor({1}).shape() == Shape{1});
  CHECK(tensor({{1, 2, 3}, {4, 5, 6}}).shape() == Shape{2, 3});
  CHECK(to_vector(tensor({{1, 2, 3}, {4, 5, 6}})) == Values{1, 2, 3, 4, 5, 6});
  CHECK(tensor({{{1, 2}}, {{3, 4}}, {{5, 6}}}).shape() == Shape{3, 1, 2});
  CHECK(tensor({}).shape() == Shape{0});
  CHECK(tensor({{}, {}}).shape() == Shape{2, 0});
  CHECK(tensor(5).dtype() == DType::f32);
  CHECK(tensor({1, 2}, DType::i64).data<int64_t>()[1] == 2);
  CHECK(tensor({0.1}, DType::f64).item() == 0.1);
}

TEST_CASE("tensor: ragged lists are an error that says where") {
  CHECK_THROWS_WITH_AS(tensor({{1, 2}, {3}}), "tensor: the nested lists are ragged: a list of 1 at depth 1, where shape [2, 2] was begun",
                       ShapeError);
  CHECK_THROWS_WITH_AS(tensor({{1, 2}, 3}), "tensor: the nested lists are ragged: a number at depth 1 of 2", ShapeError);
  CHECK_THROWS_AS(tensor({1, {2}}), ShapeError);
  CHECK_THROWS_AS(tensor({{1}, {{2}}}), ShapeError);
  CHECK_THROWS_AS(tensor({{}, {1}}), ShapeError);
}

TEST_CASE("from_vector and to_vector: row-major, in the type of the vector") {
  CHECK(from_vector(std::vector<float>{1, 2}, {2}).dtype() == DType::f32);
  CHECK(from_vector(std::vector<double>{1, 2}, {2, 1}).dtype() == DType::f64);
  CHECK(from_vector(std::vector<int64_t>{1, 2}, {1, 2}).dtype() == DType::i64);
  CHECK(from_vector(Values{}, {0, 3}).numel() == 0);
  CHECK_THROWS_WITH_AS(from_vector(Values{1, 2}, {3}), "from_vector: 2 values for shape [3]", ShapeError);
  CHECK(to_vector(tensor({0.5, 65504}, DType::f16)) == Values{0.5, 65504});
}

TEST_CASE("full, zeros, ones, and their _like: shape and dtype of the model") {
  CHECK(to_vector(full({2}, 7, DType::i64)) == Values{7, 7});
  CHECK(to_vector(zeros({2, 2})) == Values(4, 0));
  CHECK(to_vector(ones({2}, DType::f16)) == Values{1, 1});
  const Tensor model = zeros({3, 1}, DType::f64);
  for (const Tensor& x : {zeros_like(model), ones_like(model), full_like(model, 2)}) {
    CHECK(x.shape() == Shape{3, 1});
    CHECK(x.dtype() == DType::f64);
  }
  CHECK(scalar_like(model, 2.5).shape() == Shape{});
  CHECK(scalar_like(model, 2.5).dtype() == DType::f64);
  CHECK_THROWS_WITH_AS(scalar_like(zeros({1}, DType::i64), 0.5),
                       "scalar_like: an i64 tensor cannot hold 0.5; take a floating dtype, for a tensor by cast(x, DType::f32)",
                       DTypeError);
}

template <typename... Numbers> constexpr bool without_dtype = requires(Numbers... numbers) { arange(numbers...); };
template <typename... Numbers> constexpr bool with_dtype = requires(Numbers... numbers) { arange(numbers..., DType::f32); };

TEST_CASE("arange: of numbers that may be fractions, infinite or NaN it does not compile without a dtype") {
  CHECK(without_dtype<int64_t>);
  CHECK(without_dtype<int, std::size_t>);
  CHECK(without_dtype<int, int64_t, int>);
  CHECK_FALSE(without_dtype<double>);
  CHECK_FALSE(without_dtype<double, int>);
  CHECK_FALSE(without_dtype<int, double>);
  CHECK_FALSE(without_dtype<float, float>);
  CHECK_FALSE(without_dtype<int, int, double>);
  CHECK(with_dtype<double, double, double>);
  CHECK(with_dtype<int, int, float>);
}

TEST_CASE("arange: start, stop and step") {
  CHECK(to_vector(arange(4)) == Values{0, 1, 2, 3});
  CHECK(arange(4).dtype() == DType::i64);
  CHECK(to_vector(arange(1, 4)) == Values{1, 2, 3});
  CHECK(arange(1, 4).dtype() == DType::i64);
  CHECK(arange(1, 4, 1, DType::f32).dtype() == DType::f32);
  CHECK(to_vector(arange(0, 1, 0.25, DType::f64)) == Values{0, 0.25, 0.5, 0.75});
  CHECK(to_vector(arange(3, 0, -1)) == Values{3, 2, 1});
  CHECK(to_vector(arange(0, 2.5, 1, DType::f32)) == Values{0, 1, 2});
  CHECK(arange(3, 3).shape() == Shape{0});
  CHECK(arange(0).shape() == Shape{0});
  CHECK_THROWS_WITH_AS(arange(0, 1, 0), "arange: the step must be finite and not 0, got 0", ValueError);
  CHECK_THROWS_AS(arange(0, 1, kNaN, DType::f32), ValueError);
  CHECK_THROWS_AS(arange(0, kInfinity, 1, DType::f32), ValueError);
  CHECK_THROWS_AS(arange(0, 1e300, 1, DType::f32), ValueError);
  CHECK_THROWS_AS(arange(kNaN, 5, 1, DType::f32), ValueError);
  const int64_t large = int64_t{1} << 53;  // exact, where f64 is not
  CHECK(arange(large, large + 2).data<int64_t>()[1] == large + 1);
  const auto values = [](const Tensor& x) { return std::vector<int64_t>(x.data<int64_t>(), x.data<int64_t>() + x.numel()); };
  CHECK(values(arange(INT64_MAX - 3, INT64_MAX)) == std::vector{INT64_MAX - 3, INT64_MAX - 2, INT64_MAX - 1});
  CHECK(values(arange(INT64_MIN, INT64_MAX, int64_t{1} << 62)) ==
        std::vector{INT64_MIN, -(INT64_MAX / 2 + 1), int64_t{0}, INT64_MAX / 2 + 1});
  CHECK(values(arange(INT64_MAX, INT64_MIN, INT64_MIN)) == std::vector{INT64_MAX, int64_t{-1}});
  CHECK(values(arange(5, 0, -2)) == std::vector<int64_t>{5, 3, 1});
}

TEST_CASE("linspace: both ends are exact") {
  CHECK(to_vector(linspace(0, 1, 5)) == Values{0, 0.25, 0.5, 0.75, 1});
  CHECK(to_vector(linspace(0.1, 0.7, 7, DType::f64)).back() == 0.7);
  CHECK(to_vector(linspace(3, 5, 1)) == Values{3});
  CHECK(linspace(3, 5, 0).shape() == Shape{0});
  CHECK_THROWS_WITH_AS(linspace(0, 1, -1), "linspace: the count must not be negative, got -1", ValueError);
}

TEST_CASE("eye: ones on the diagonal of square and other matrices") {
  CHECK(equal(eye(2), tensor({{1, 0}, {0, 1}})));
  CHECK(equal(eye(2, 3, DType::i64), tensor({{1, 0, 0}, {0, 1, 0}}, DType::i64)));
  CHECK(equal(eye(3, 2, DType::f16), tensor({{1, 0}, {0, 1}, {0, 0}}, DType::f16)));
  CHECK(eye(0).shape() == Shape{0, 0});
  CHECK_THROWS_AS(eye(-2), ShapeError);
  CHECK_THROWS_WITH_AS(eye(3, -5), "eye: the sizes must not be negative, got 3 and -5", ShapeError);
}

TEST_CASE("equal: shape, dtype and values; NaN equals NaN") {
  CHECK(equal(tensor({1, kNaN, kInfinity}), tensor({1, kNaN, kInfinity})));
  CHECK_FALSE(equal(tensor({1, 2}), tensor({1, 3})));
  CHECK_FALSE(equal(tensor({1, 2}), tensor({{1, 2}})));
  CHECK_FALSE(equal(tensor({1, 2}), tensor({1, 2}, DType::f64)));
  CHECK(equal(zeros({0}), zeros({0})));
  const int64_t large = (int64_t{1} << 53) + 1;  // not a double
  CHECK_FALSE(equal(from_vector(std::vector<int64_t>{large}, {}), from_vector(std::vector<int64_t>{large - 1}, {})));
}

TEST_CASE("allclose: relative to the second, NaN only if asked") {
  CHECK(allclose(tensor({1, 100}), tensor({1.000001, 100.0001})));
  CHECK_FALSE(allclose(tensor({1}), tensor({1.1})));
  CHECK(allclose(tensor({0}), tensor({0.05}), 0, 0.1));
  CHECK(allclose(tensor({kInfinity, -kInfinity}), tensor({kInfinity, -kInfinity})));
  CHECK_FALSE(allclose(tensor({kInfinity}), tensor({-kInfinity})));
  CHECK_FALSE(allclose(tensor({kInfinity}), tensor({1})));
  CHECK_FALSE(allclose(tensor({kNaN}), tensor({kNaN})));
  CHECK(allclose(tensor({kNaN}), tensor({kNaN}), 0, 0, true));
  CHECK_THROWS_WITH_AS(allclose(ones({2}), ones({3})), "allclose: shapes differ: [2] and [3]", ShapeError);
}

TEST_CASE("max_difference: the largest, NaN where only one side is NaN") {
  CHECK(max_difference(tensor({1, 2, 3}), tensor({1, 4, 2})) == 2);
  CHECK(max_difference(tensor({kNaN, kInfinity}), tensor({kNaN, kInfinity})) == 0);
  CHECK(std::isnan(max_difference(tensor({kNaN, 5}), tensor({1, 5}))));
  CHECK(max_difference(tensor({kInfinity}), tensor({1})) == kInfinity);
  CHECK(max_difference(zeros({0}), zeros({0})) == 0);
}

TEST_CASE("tensor: from a std::vector of any number type, or of vectors; f32 unless said otherwise") {
  const std::vector<int> labels{3, -1, 4};
  CHECK(equal(tensor(labels), tensor({3, -1, 4})));
  CHECK(equal(tensor(labels, DType::i64), from_vector(std::vector<int64_t>{3, -1, 4}, {3})));
  CHECK(equal(tensor(std::vector<float>{0.5F, 0.25F}), tensor({0.5, 0.25})));
  CHECK(equal(tensor(std::vector<double>{0.1}, DType::f64), from_vector(std::vector<double>{0.1}, {1})));
  CHECK(equal(tensor(std::vector<bool>{true, false}), tensor({1, 0})));
  CHECK(equal(tensor(std::vector<std::vector<float>>{{1, 2}, {3, 4}}), tensor({{1, 2}, {3, 4}})));
  CHECK(equal(tensor({labels, labels}), tensor({{3, -1, 4}, {3, -1, 4}})));
  CHECK(tensor(std::vector<float>{}).shape() == Shape{0});
  CHECK_THROWS_AS(tensor(std::vector<std::vector<int>>{{1, 2}, {3}}), ShapeError);
}
