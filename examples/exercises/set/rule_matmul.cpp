#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/rule_matmul.h"

namespace gradus::exercises::set {
namespace in_rule_matmul {
namespace {

// An input with zeros behind it: who exchanges rows and columns of a matrix that is not square reads beyond its end, and always
// finds the same there.
struct Padded {
  std::vector<double> numbers;
  int rows, columns;

  explicit Padded(const Array& array) : numbers(array.numbers), rows(rows_of(array)), columns(columns_of(array)) {
    numbers.resize(numbers.size() + 256, 0);
  }
  In in() const { return {rows, columns, numbers.data()}; }
  double operator()(int row, int column) const { return numbers[row * columns + column]; }
};

double product_sum(const Tensor& g, const Tensor& y) { return sum(g * y).item(); }

double dot(const Array& a, const Array& b) { return product_sum(tensor_of(a), tensor_of(b)); }

std::string differs(const std::string& what, double mine, double right) {
  return std::abs(mine - right) > 1e-9 * (1 + std::abs(right))
             ? fmt::format("that of {} is {}, not {}", what, beside(mine, right), beside(right, mine))
             : "";
}

const char* const kLaw = "each factor times its gradient has the same sum as g ⊙ y";

// For y = f(first, second).
template <typename F> Law law_of(const std::string& first, const std::string& second, const F& f) {
  return {kLaw,
          [=](const Probe& p, const Outputs& outputs) {
            const double right = product_sum(tensor_of(p["g"]), f(tensor_of(p[first]), tensor_of(p[second]), p));
            const std::string how = differs(fmt::format("{0} ⊙ d{0}", first), dot(outputs[0], p[first]), right);
            return how.empty() ? differs(fmt::format("{0} ⊙ d{0}", second), dot(outputs[1], p[second]), right) : how;
          },
          "y_ij is a sum of products: which of them has the number whose gradient you want, and with which factor?"};
}

template <typename F> Function right_of(const std::string& first, const std::string& second, const F& f) {
  return [=](const Probe& p) {
    const Tensor a = tensor_of(p[first]).set_requires_grad(), b = tensor_of(p[second]).set_requires_grad();
    const Tensors grads = grad({f(a, b, p)}, {a, b}, {.seeds = {tensor_of(p["g"])}});
    return Outputs{array_of("d" + first, grads[0]), array_of("d" + second, grads[1])};
  };
}

Tensor matmul_value(const Tensor& a, const Tensor& b, const Probe&) { return matmul(a, b); }

std::vector<Probe> matmul_probes() {
  std::vector<Probe> probes = {{"a of [2, 3], b of [3, 4]",
                                {array("g", {2, 4}, {1, 0, -1, 2, 0, 1, 0, 1}), array("a", {2, 3}, {1, 2, 0, 0, -1, 3}),
                                 array("b", {3, 4}, {1, 0, 2, 1, 0, 1, 1, -1, 2, 1, 0, 0})}}};
  const auto add = [&](int rows, int inner, int columns) {
    const std::uint64_t seed = 131 + 3 * probes.size();
    probes.push_back({fmt::format("a of [{}, {}], b of [{}, {}]", rows, inner, inner, columns),
                      {drawn("g", {rows, columns}, seed, 1, 0.3), drawn("a", {rows, inner}, seed + 1, 1, 0.5),
                       drawn("b", {inner, columns}, seed + 2, 2, -0.2)}});
  };
  add(3, 3, 3);
  add(4, 2, 3);
  add(3, 5, 2);
  return probes;
}

Tensor stack_value(const Tensor& a, const Tensor& b, const Probe& p) {
  const Tensor each = matmul(a, reshape(b, {p.whole("matrices"), a.size(1), b.size(1)}));
  return reshape(each, {each.size(0) * each.size(1), each.size(2)});
}

std::vector<Probe> stack_probes() {
  std::vector<Probe> probes;
  const auto add = [&](int matrices, int rows, int inner, int columns) {
    const std::uint64_t seed = 151 + 3 * probes.size();
    probes.push_back({fmt::format("a of [{}, {}], and {} matrices [{}, {}]", rows, inner, matrices, inner, columns),
                      {number("matrices", matrices), drawn("g", {matrices * rows, columns}, seed, 1, 0.3),
                       drawn("a", {rows, inner}, seed + 1, 1, 0.5), drawn("b", {matrices * inner, columns}, seed + 2, 2, -0.2)}});
  };
  add(2, 1, 2, 3);
  probes[0].inputs = {number("matrices", 2), array("g", {2, 3}, {1, 2, 0, -1, 1, 3}), array("a", {1, 2}, {1, 2}),
                      array("b", {4, 3}, {1, 0, 2, 3, 1, 0, 0, 1, -1, 2, 0, 1})};
  add(2, 3, 3, 3);
  add(3, 2, 4, 5);
  add(4, 3, 2, 5);
  return probes;
}

Tensor vector_value(const Tensor& a, const Tensor& v, const Probe&) { return matmul(v, a, {.transpose_b = true}); }

std::vector<Probe> vector_probes() {
  std::vector<Probe> probes = {
      {"a of [2, 3]", {array("g", {1, 2}, {1, -2}), array("a", {2, 3}, {1, 2, 0, 0, -1, 3}), array("v", {1, 3}, {3, 1, 2})}}};
  const auto add = [&](int rows, int inner) {
    const std::uint64_t seed = 171 + 3 * probes.size();
    probes.push_back(
        {fmt::format("a of [{}, {}]", rows, inner),
         {drawn("g", {1, rows}, seed, 1, 0.3), drawn("a", {rows, inner}, seed + 1, 1, 0.5), drawn("v", {1, inner}, seed + 2, 2, -0.2)}});
  };
  add(3, 3);
  add(4, 2);
  add(3, 5);
  return probes;
}

Tensor gram_value(const Tensor& x) { return matmul(x, x, {.transpose_b = true}); }

Outputs gram_right(const Probe& p) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad();
  return {array_of("dx", grad({gram_value(x)}, {x}, {.seeds = {tensor_of(p["g"])}})[0])};
}

std::string grows_twice(const Probe& p, const Outputs& outputs) {
  return differs("x ⊙ dx", dot(outputs[0], p["x"]), 2 * product_sum(tensor_of(p["g"]), gram_value(tensor_of(p["x"]))));
}

std::vector<Probe> gram_probes() {
  std::vector<Probe> probes = {{"x of [2, 3]", {array("g", {2, 2}, {1, 2, -1, 3}), array("x", {2, 3}, {1, 2, 0, 0, -1, 3})}}};
  const auto add = [&](int rows, int inner) {
    const std::uint64_t seed = 191 + 2 * probes.size();
    probes.push_back(
        {fmt::format("x of [{}, {}]", rows, inner), {drawn("g", {rows, rows}, seed, 1, 0.3), drawn("x", {rows, inner}, seed + 1, 1, 0.5)}});
  };
  add(3, 3);
  add(4, 2);
  add(3, 5);
  return probes;
}

}  // namespace
}  // namespace in_rule_matmul

Functions rule_matmul(void (*matmul)(In, In, In, Out, Out), void (*stack)(int, In, In, In, Out, Out), void (*vector)(In, In, In, Out, Out),
                      void (*gram)(In, In, Out)) {
  using in_rule_matmul::Padded;
  return {[=](const Probe& p) {
            const Padded g(p["g"]), a(p["a"]), b(p["b"]);
            Sheet da("da", p["a"].shape), db("db", p["b"].shape);
            matmul(g.in(), a.in(), b.in(), da.out(), db.out());
            return Outputs{da.array(), db.array()};
          },
          [=](const Probe& p) {
            const Padded g(p["g"]), a(p["a"]), b(p["b"]);
            Sheet da("da", p["a"].shape), db("db", p["b"].shape);
            stack(p.whole("matrices"), g.in(), a.in(), b.in(), da.out(), db.out());
            return Outputs{da.array(), db.array()};
          },
          [=](const Probe& p) {
            const Padded g(p["g"]), a(p["a"]), v(p["v"]);
            Sheet da("da", p["a"].shape), dv("dv", p["v"].shape);
            vector(g.in(), a.in(), v.in(), da.out(), dv.out());
            return Outputs{da.array(), dv.array()};
          },
          [=](const Probe& p) {
            const Padded g(p["g"]), x(p["x"]);
            Sheet dx("dx", p["x"].shape);
            gram(g.in(), x.in(), dx.out());
            return Outputs{dx.array()};
          }};
}

Exercise rule_matmul_exercise() {
  using namespace in_rule_matmul;
  return made_rule_matmul::exercise({
      {
          .right = right_of("a", "b", matmul_value),
          .probes = matmul_probes(),
          .laws = {law_of("a", "b", matmul_value)},
      },
      {
          .right = right_of("a", "b", stack_value),
          .probes = stack_probes(),
          .laws = {law_of("a", "b", stack_value)},
      },
      {
          .right = right_of("a", "v", vector_value),
          .probes = vector_probes(),
          .laws = {law_of("a", "v", vector_value)},
      },
      {
          .right = gram_right,
          .probes = gram_probes(),
          .laws = {{"x ⊙ dx has twice the sum of g ⊙ y", grows_twice, "x stands in the product twice. How many terms has its gradient?"}},
      },
  });
}

}  // namespace gradus::exercises::set
