#include "docs/examples/derivation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace gradus::docs {
namespace {

bool something_is_wrong = false;

double largest(const Numbers& a) {
  double result = 1;
  for (const double value : a.values()) {
    if (std::isfinite(value)) result = std::max(result, std::abs(value));
  }
  return result;
}

// Six digits; what is nothing beside the largest is 0, so that the text is the same on every processor.
std::string shown(const Numbers& a) {
  std::vector<std::string> texts;
  for (const double value : a.values()) {
    texts.push_back(fmt::format("{:.6g}", std::abs(value) < 1e-9 * largest(a) ? 0.0 : value));
  }
  if (a.shape().rank() == 0) return texts.at(0);
  const auto of_rows = [&](std::size_t rows) {
    std::vector<std::string> parts;
    const std::size_t length = texts.size() / rows;
    for (std::size_t i = 0; i < texts.size(); i += length) {
      parts.push_back(fmt::format("[{}]", fmt::join(texts.begin() + i, texts.begin() + i + length, ", ")));
    }
    texts = parts;
  };
  for (int axis = static_cast<int>(a.shape().rank()) - 1; axis >= 0; --axis) of_rows(texts.size() / a.shape()[axis]);
  return texts.at(0);
}

Numbers filled(const Shape& shape, const std::function<double(std::size_t)>& f) {
  std::vector<double> values(static_cast<std::size_t>(shape.numel()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = f(i);
  return {shape, values};
}

// (Σ g ⊙ f(x + h e_i) - Σ g ⊙ f(x - h e_i)) / 2h for every i.
Numbers central_differences(const std::function<Tensor(const Tensor&)>& f, const Numbers& x, const Numbers& g) {
  constexpr double h = 1e-5;
  const NoGrad off;
  const auto loss = [&](std::size_t i, double step) {
    std::vector<double> moved = x.values();
    moved[i] += step;
    const Numbers y = f(Numbers(x.shape(), moved));
    return sum(y.shape().numel(), [&](int64_t k) { return g(k) * y(k); });
  };
  return filled(x.shape(), [&](std::size_t i) { return (loss(i, h) - loss(i, -h)) / (2 * h); });
}

std::vector<double> flat(std::initializer_list<std::initializer_list<double>> grid) {
  std::vector<double> values;
  for (const auto& row : grid) values.insert(values.end(), row);
  return values;
}

std::vector<double> values_of(const Tensor& t) {
  const Tensor wide = cast(t, DType::f64);
  return {wide.data<double>(), wide.data<double>() + wide.numel()};
}

}  // namespace

Numbers::Numbers(std::initializer_list<std::initializer_list<double>> grid)
    : shape_{static_cast<int64_t>(grid.size()), static_cast<int64_t>(grid.begin()->size())}, values_(flat(grid)) {}

Numbers::Numbers(const Tensor& t) : shape_(t.shape()), values_(docs::values_of(t)) {}

Tensor Numbers::tensor() const {
  Tensor t(shape_, DType::f64);
  std::copy(values_.begin(), values_.end(), t.mutable_data<double>());
  return t;
}

Numbers each(int64_t n, const std::function<double(int64_t)>& f) {
  return filled({n}, [&](std::size_t i) { return f(static_cast<int64_t>(i)); });
}

Numbers each(int64_t rows, int64_t columns, const std::function<double(int64_t, int64_t)>& f) {
  return filled({rows, columns}, [&](std::size_t i) { return f(static_cast<int64_t>(i) / columns, static_cast<int64_t>(i) % columns); });
}

double sum(int64_t n, const std::function<double(int64_t)>& f) {
  double total = 0;
  for (int64_t i = 0; i < n; ++i) total += f(i);
  return total;
}

Derivation::Derivation(const std::string& id) : id_(id) { fmt::print("# {}\n", id); }

Numbers Derivation::given(const std::string& name, const Numbers& value) {
  fmt::print("given  {} = {}\n", name, shown(value));
  return value;
}

void Derivation::hold(const std::string& what, const Numbers& value, const Numbers& expected, double tolerance) {
  bool equal = value.shape() == expected.shape();
  for (std::size_t i = 0; equal && i < value.values().size(); ++i) {
    const double a = value.values()[i], b = expected.values()[i];
    equal = a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * largest(expected);
  }
  if (equal) return;
  something_is_wrong = true;
  fmt::print(stderr, "{}: {} is {}, not {}\n", id_, what, shown(value), shown(expected));
}

void Derivation::step(const std::string& label, const std::string& name, const Numbers& value) {
  fmt::print("{:<5}  {} = {}\n", label, name, shown(value));
  if (const auto before = last_.find(name); before != last_.end()) {
    hold(fmt::format("line {}, {},", label, name), value, before->second, 1e-12);
  }
  last_.insert_or_assign(name, value);
}

void Derivation::law(const std::string& label, const std::string& name, const Numbers& value, const Numbers& expected) {
  fmt::print("{:<5}  {} = {}\n", label, name, shown(value));
  hold(fmt::format("law {}, {},", label, name), value, expected, 1e-12);
}

void Derivation::gradient(const std::string& name, const std::function<Tensor(const Tensor&)>& f, const Numbers& x, const Numbers& g) {
  const auto by_hand = last_.find(name);
  check<ValueError>(by_hand != last_.end(), "{}: no line is called {}", id_, name);
  const Tensor leaf = x.tensor().set_requires_grad();
  const Numbers tape = grad({f(leaf)}, {leaf}, {.seeds = {g.tensor()}})[0];
  const Numbers differences = central_differences(f, x, g);
  fmt::print("tape   {} = {}\n", name, shown(tape));
  fmt::print("differences  {} = {}\n", name, shown(differences));
  hold("the tape's " + name, tape, by_hand->second, 1e-12);
  hold("by central differences " + name, differences, by_hand->second, 1e-8);
}

int verdict() { return something_is_wrong ? 1 : 0; }

}  // namespace gradus::docs
