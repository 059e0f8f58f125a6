// What the programs beside a formula share: its value and its gradient line by line, on numbers small enough for paper.
// Each line is printed with its value. Lines of one name are held equal, and the last of a gradient to the tape and to
// central differences; a program in which something is not equal says so and ends with 1.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "core/core.h"

namespace gradus::docs {

// One number, a row or a grid of them, read as in a formula: x(i), x(i, j). Kept apart from Tensor, so that what is computed
// here index by index owes nothing to the library that it checks.
class Numbers {
 public:
  Numbers(double value) : values_{value} {}
  Numbers(std::initializer_list<double> row) : shape_{static_cast<int64_t>(row.size())}, values_(row) {}
  Numbers(std::initializer_list<std::initializer_list<double>> grid);
  Numbers(const Tensor& t);
  Numbers(Shape shape, std::vector<double> values) : shape_(shape), values_(std::move(values)) {}

  const Shape& shape() const { return shape_; }
  const std::vector<double>& values() const { return values_; }
  double operator()(int64_t i) const { return values_.at(static_cast<std::size_t>(i)); }
  double operator()(int64_t i, int64_t j) const { return (*this)(i * shape_[1] + j); }
  double operator()(int64_t i, int64_t j, int64_t k) const { return (*this)((i * shape_[1] + j) * shape_[2] + k); }

  Tensor tensor() const;  // f64
  operator Tensor() const { return tensor(); }

 private:
  Shape shape_;
  std::vector<double> values_;
};

// The row whose number i is f(i); the grid whose number (i, j) is f(i, j).
Numbers each(int64_t n, const std::function<double(int64_t)>& f);
Numbers each(int64_t rows, int64_t columns, const std::function<double(int64_t, int64_t)>& f);

// Σ f(i), i = 0 … n - 1.
double sum(int64_t n, const std::function<double(int64_t)>& f);

// δ_ij: 1 if i = j, else 0.
constexpr double delta(int64_t i, int64_t j) { return i == j ? 1 : 0; }

class Derivation {
 public:
  // The derivation of the formula with this id.
  explicit Derivation(const std::string& id);

  // What the hand example starts from.
  Numbers given(const std::string& name, const Numbers& value);

  // The line that the page calls `label`: name = value. If an earlier line has this name, its value has to be the same.
  void step(const std::string& label, const std::string& name, const Numbers& value);

  // A line that states a law: value has to be `expected`.
  void law(const std::string& label, const std::string& name, const Numbers& value, const Numbers& expected);

  // Holds the last line of this name, which is the gradient of Σ g ⊙ f(x) for x, to the tape and to central differences.
  void gradient(const std::string& name, const std::function<Tensor(const Tensor&)>& f, const Numbers& x, const Numbers& g);

 private:
  void hold(const std::string& what, const Numbers& value, const Numbers& expected, double tolerance);

  std::string id_;
  std::map<std::string, Numbers> last_;
};

// What main() returns: 1 if something was not equal.
int verdict();

}  // namespace gradus::docs
