// Making tensors. dtype is f32 unless said otherwise. Each throws a ShapeError beyond 2⁴⁸ elements, and a MemoryError where there
// is no memory for them.
#pragma once

#include <initializer_list>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus {

// A number of any C++ type as an operand: x * 2, x / count, eq(x, 0). ValueError for an integer that no double below 2⁶³ equals.
struct Scalar {
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Scalar(T number) : value(static_cast<double>(number)) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      check<ValueError>(value < 0x1p63 && static_cast<T>(value) == number,
                        "scalar {}: a double, which it goes through, cannot hold it; use from_vector", number);
    }
  }
  double value;
};

// One of an op's operands: a tensor, or a number, which takes the dtype of the tensor beside it (beside f16 it is an f32).
struct Operand {
  template <typename T, typename = std::enable_if_t<std::is_convertible_v<T, Scalar>>>
  Operand(T number) : value(Scalar(number).value), is_number(true) {}
  template <typename T, typename = std::enable_if_t<std::is_convertible_v<const T&, Tensor>>>
  Operand(const T& x) : tensor(x) {}
  Tensor beside(const Operand& other, OpName op = {}) const;  // ValueError if both are numbers, DTypeError for 0.5 beside an i64

  Tensor tensor = {};
  double value = 0;
  bool is_number = false;
};

// A number, or a list of numbers or of lists, as {1, 2} and {{1, 2}, {3, 4}}, or a std::vector of numbers or of vectors.
struct Nested {
  Nested(double the_value) : value(the_value) {}
  Nested(std::initializer_list<Nested> the_items) : items(the_items), is_list(true) {}
  template <typename T>
  Nested(const std::vector<T>& the_items) : items(the_items.begin(), the_items.end()), is_list(true) {}
  double value = 0;
  std::vector<Nested> items;
  bool is_list = false;
};

// tensor({{1, 2}, {3, 4}}) has shape [2, 2], tensor(5) has shape []; tensor(labels, DType::i64) takes a std::vector, of
// any kind of number. Each goes through a double; from_vector keeps every i64. ShapeError when the lists are ragged,
// DTypeError if dtype is i64 and a value is not a whole number of 64 bits.
Tensor tensor(const Nested& values, DType dtype = DType::f32);

// The values of a vector, row-major and exactly, with their own dtype. ShapeError when the count does not fit the shape.
Tensor from_vector(const std::vector<float>& values, const Shape& shape);
Tensor from_vector(const std::vector<double>& values, const Shape& shape);
Tensor from_vector(const std::vector<int64_t>& values, const Shape& shape);
std::vector<double> to_vector(const Tensor& x);  // row-major, whatever the dtype

// Every element is `value`; 0; 1. zeros_like, ones_like and full_like take shape and dtype from x.
Tensor full(const Shape& shape, double value, DType dtype = DType::f32);
Tensor zeros(const Shape& shape, DType dtype = DType::f32);
Tensor ones(const Shape& shape, DType dtype = DType::f32);
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);
Tensor full_like(const Tensor& x, double value);
// A number as a tensor of shape [], in the dtype of x; operand_like: in f32 beside an f16 x, for numbers are not rounded to f16.
// DTypeError, naming `op`, for 0.5 as i64.
Tensor scalar_like(const Tensor& x, Scalar value, OpName op = "scalar_like");
Tensor operand_like(const Tensor& x, Scalar value, OpName op = "operand_like");

// Whole numbers as i64, for positions and indices: start, start+step, … below stop (above it for a negative step).
// With a dtype, any numbers that it holds: a DTypeError if that is i64 and one is not a whole number of 64 bits. ValueError for a
// step of 0, one that leads away from stop, what is not finite, and 2⁴⁰ values or more.
Tensor arange(int64_t count);  // 0 … count-1
Tensor arange(int64_t start, int64_t stop, int64_t step = 1);
Tensor arange(double start, double stop, double step, DType dtype);
template <typename... Numbers>
requires(sizeof...(Numbers) <= 3 && (std::is_floating_point_v<Numbers> || ...))
Tensor arange(Numbers...) = delete;  // numbers that need not be whole come with a dtype: arange(0, 1, 0.25, DType::f32)
// `count` evenly spaced values from start to stop, both included. ValueError for a negative count, and for ends that are not
// finite; DTypeError if dtype is i64 and a value is not a whole number of 64 bits.
Tensor linspace(double start, double stop, int64_t count, DType dtype = DType::f32);
// Ones on the diagonal of an [n, m] matrix (m = n when -1). ShapeError for another negative size.
Tensor eye(int64_t n, int64_t m = -1, DType dtype = DType::f32);

}  // namespace gradus
