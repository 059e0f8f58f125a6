#include <doctest/doctest.h>

#include "core/inspect/compare.h"
#include "core/tensor/create.h"
#include "core/tensor/xtensor.h"
#include "tests/support/xtensor_headers.h"

using namespace gradus;

TEST_CASE("xtensor door: array<T>() is a view of the same memory") {
  Tensor x = tensor({{1, 2, 3}, {4, 5, 6}});
  const auto view = x.array<float>();
  CHECK(view.dimension() == 2);
  CHECK(view.shape()[1] == 3);
  CHECK(view.data() == x.data<float>());
  CHECK(view(1, 2) == 6);
  x.mutable_data<float>()[5] = 60;
  CHECK(view(1, 2) == 60);
  CHECK(xt::sum(view)() == 75);
  CHECK(full({}, 2.5).array<float>()() == 2.5f);
  CHECK(Tensor({2, 0}, DType::f32).array<float>().size() == 0);
}

TEST_CASE("xtensor door: array<T>() of another type is refused") {
  CHECK_THROWS_WITH_AS(tensor({1, 2}).array<double>(), "data: the tensor holds f32, not f64", DTypeError);
  CHECK_THROWS_AS(arange(3).array<float>(), DTypeError);
  CHECK(ones({2}, DType::f16).array<half>().size() == 2);
}

TEST_CASE("xtensor door: arrays come in with their dtype and shape") {
  CHECK(equal(Tensor(xt::xarray<float>{{1, 2}, {3, 4}}), tensor({{1, 2}, {3, 4}})));
  CHECK(equal(Tensor(xt::xarray<double>{1, 2}), tensor({1, 2}, DType::f64)));
  CHECK(equal(Tensor(xt::xarray<int>{{1, -2}}), tensor({{1, -2}}, DType::i64)));
  CHECK(equal(Tensor(xt::xarray<std::uint8_t>{255}), tensor({255}, DType::i64)));
  CHECK(equal(Tensor(xt::xarray<bool>{true, false}), tensor({1, 0}, DType::i64)));
  CHECK(equal(Tensor(xt::xtensor<float, 2>{{1, 2}, {3, 4}}), tensor({{1, 2}, {3, 4}})));
  CHECK(equal(Tensor(xt::xarray<float>(7.f)), full({}, 7)));
  CHECK(Tensor(xt::xarray<float>::from_shape({3, 0})).shape() == Shape{3, 0});
  CHECK(equal(Tensor(ones({2}, DType::f16).array<half>()), ones({2}, DType::f16)));
}

TEST_CASE("xtensor door: lazy expressions, views and other layouts are evaluated on entry") {
  const xt::xarray<float> a = {{1, 2, 3}, {4, 5, 6}};
  CHECK(equal(Tensor(a * 2 + 1), tensor({{3, 5, 7}, {9, 11, 13}})));
  CHECK(equal(Tensor(a > 2.f), tensor({{0, 0, 1}, {1, 1, 1}}, DType::i64)));
  CHECK(equal(Tensor(xt::transpose(a)), tensor({{1, 4}, {2, 5}, {3, 6}})));
  CHECK(equal(Tensor(xt::view(a, xt::all(), 1)), tensor({2, 5})));
  CHECK(equal(Tensor(xt::sum(a, {0})), tensor({5, 7, 9})));
  CHECK(equal(Tensor(xt::arange<int>(0, 6, 2)), tensor({0, 2, 4}, DType::i64)));
  const xt::xarray<float, xt::layout_type::column_major> columns = a;
  CHECK(equal(Tensor(columns), tensor({{1, 2, 3}, {4, 5, 6}})));
  const Tensor x = xt::random::randn<float>({3, 4});
  CHECK(x.shape() == Shape{3, 4});
  CHECK(x.dtype() == DType::f32);
}

TEST_CASE("xtensor door: what comes in is a copy") {
  xt::xarray<float> a = {1, 2};
  const Tensor x = a;
  a(0) = 10;
  CHECK(equal(x, tensor({1, 2})));
  const Tensor y = x.array<float>() + x.array<float>();
  CHECK(equal(y, tensor({2, 4})));
  CHECK(!y.requires_grad());
}

TEST_CASE("xtensor door: more axes than a tensor can have are refused") {
  CHECK_THROWS_AS(Tensor(xt::xarray<float>::from_shape({1, 1, 1, 1, 1, 1, 1})), ShapeError);
}
