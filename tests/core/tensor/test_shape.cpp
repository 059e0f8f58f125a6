// Shape, axes, broadcasting rules and dtypes.
#include "core/tensor/shape.h"

#include "core/check.h"
#include "core/tensor/create.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("shape: sizes, rank, elements and text") {
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.numel() == 24);
  CHECK(shape[0] == 2);
  CHECK(shape[-1] == 4);
  CHECK(shape.str() == "[2, 3, 4]");
  CHECK(fmt::format("{}", shape) == "[2, 3, 4]");
  CHECK(Shape{}.numel() == 1);
  CHECK(Shape{}.str() == "[]");
  CHECK(Shape{2, 0, 3}.numel() == 0);
  CHECK(Shape(std::vector<int64_t>{2, 3}) == Shape{2, 3});
  CHECK(Shape{2, 3} != Shape{2, 3, 1});
  CHECK(shape.vector() == std::vector<int64_t>{2, 3, 4});
}

TEST_CASE("shape: insert, erase, slice, concat") {
  Shape shape{2, 3};
  shape.insert(0, 5);
  shape.insert(3, 7);
  CHECK(shape == Shape{5, 2, 3, 7});
  shape.erase(1);
  shape.erase(-1);
  CHECK(shape == Shape{5, 3});
  CHECK(Shape{1, 2, 3, 4}.slice(1, 3) == Shape{2, 3});
  CHECK(Shape{1, 2}.slice(2, 2) == Shape{});
  CHECK(Shape{1}.concat({2, 3}) == Shape{1, 2, 3});
}

TEST_CASE("shape: wrong axes, sizes and ranks") {
  Shape shape{2, 3};
  CHECK_THROWS_WITH_AS(shape[2], "shape: axis 2 is out of range for a tensor of 2 axes", ShapeError);
  CHECK_THROWS_AS(shape[-3], ShapeError);
  CHECK_THROWS_AS(Shape{}[0], ShapeError);
  CHECK_THROWS_WITH_AS(Shape({2, -1}), "shape: an axis has the negative size -1", ShapeError);
  CHECK_THROWS_WITH_AS(Shape({1, 1, 1, 1, 1, 1, 1}), "shape: 7 axes, but a tensor has at most 6", ShapeError);
  CHECK_THROWS_AS(shape.insert(3, 1), ShapeError);
  CHECK_THROWS_AS((Shape{int64_t{1} << 40, int64_t{1} << 40}.numel()), ShapeError);
  shape[0] = -2;
  CHECK_THROWS_WITH_AS(zeros(shape), "zeros: shape [-2, 3] has a negative size", ShapeError);
}

TEST_CASE("axes: negative ones count from the end, none means all") {
  CHECK(normalize_axis(-1, 3, "op") == 2);
  CHECK(normalize_axes({-1, 0}, 3, "op") == Axes{0, 2});
  CHECK(normalize_axes({}, 3, "op") == Axes{0, 1, 2});
  CHECK(normalize_axes({}, 0, "op").empty());
  CHECK_THROWS_WITH_AS(normalize_axis(3, 3, "op"), "op: axis 3 is out of range for a tensor of 3 axes", ShapeError);
  CHECK_THROWS_WITH_AS(normalize_axes({0, -3}, 3, "op"), "op: axis 0 is given twice", ShapeError);
}

TEST_CASE("strides: the distances of a row-major tensor") {
  const Strides strides = strides_of({2, 3, 4});
  CHECK(strides[0] == 12);
  CHECK(strides[1] == 4);
  CHECK(strides[2] == 1);
}

TEST_CASE("broadcast_shapes: NumPy's rules") {
  CHECK(broadcast_shapes({2, 3}, {2, 3}, "op") == Shape{2, 3});
  CHECK(broadcast_shapes({2, 1}, {3}, "op") == Shape{2, 3});
  CHECK(broadcast_shapes({}, {2}, "op") == Shape{2});
  CHECK(broadcast_shapes({1}, {0}, "op") == Shape{0});
  CHECK(broadcast_shapes({5, 1, 3}, {4, 1}, "op") == Shape{5, 4, 3});
  CHECK_THROWS_AS(broadcast_shapes({2}, {3}, "op"), ShapeError);
  CHECK_THROWS_AS(broadcast_shapes({0}, {2}, "op"), ShapeError);
}

TEST_CASE("broadcasts_to: only towards larger shapes") {
  CHECK(broadcasts_to({}, {2, 3}));
  CHECK(broadcasts_to({1, 3}, {2, 3}));
  CHECK(broadcasts_to({3}, {2, 3}));
  CHECK(broadcasts_to({1}, {0}));
  CHECK_FALSE(broadcasts_to({2, 3}, {3}));
  CHECK_FALSE(broadcasts_to({2}, {2, 3}));
}

TEST_CASE("dtype: names, sizes and what is floating") {
  CHECK(name_of(DType::f16) == "f16");
  CHECK(fmt::format("{}", DType::i64) == "i64");
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i64}) CHECK(dtype_from_name(name_of(dtype)) == dtype);
  CHECK(size_of(DType::f32) == 4);
  CHECK(size_of(DType::f64) == 8);
  CHECK(size_of(DType::f16) == 2);
  CHECK(size_of(DType::i64) == 8);
  CHECK(is_floating(DType::f16));
  CHECK_FALSE(is_floating(DType::i64));
  CHECK_THROWS_WITH_AS(dtype_from_name("f8"), "dtype: unknown name 'f8'; expected f32, f64, f16 or i64", ValueError);
}
