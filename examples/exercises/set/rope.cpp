#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/rope.h"
#include "nn/position/rope.h"

namespace gradus::exercises::set {
namespace in_rope {
namespace {

Array places(const std::vector<double>& at) { return array("positions", {1, static_cast<int>(at.size())}, at); }

Probe probe(const std::string& name, const std::string& x, const std::vector<double>& at, int d, int width, double theta,
            std::uint64_t seed) {
  return {name, {drawn(x, {static_cast<int>(at.size()), d}, seed, 2, 0.4), places(at), number("width", width), number("theta", theta)}};
}

std::vector<Probe> probes(const std::string& x) {
  std::vector<Probe> all = {probe("two rows of 4, at positions 3 and 1", x, {3, 1}, 4, 4, 100, 141),
                            probe("five rows of 6, of which 4 numbers turn", x, {7, 0, 12, 3, 900}, 6, 4, 10000, 142),
                            probe("three rows of 10, of which 6 numbers turn", x, {41, 42, 5}, 10, 6, 50, 143),
                            probe("four rows alike, at positions 2, 5, 8 and 11", x, {2, 5, 8, 11}, 6, 6, 1000, 144)};
  auto& alike = all.back().inputs[0].numbers;
  for (std::size_t i = 6; i < alike.size(); ++i) alike[i] = alike[i - 6];
  return all;
}

std::vector<Probe> probes_of_heads() {
  const auto one = [](const std::string& name, const std::vector<double>& at, int heads, int d, double theta, std::uint64_t seed) {
    const std::vector<int> shape = {static_cast<int>(at.size()), heads * d};
    return Probe{name,
                 {drawn("q", shape, seed, 1, 0.4), drawn("k", shape, seed + 1, 1, -0.3), drawn("v", shape, seed + 2, 1, 0.2), places(at),
                  number("heads", heads), number("theta", theta)}};
  };
  return {one("a row of 2 heads of 2 numbers, at position 2", {2}, 2, 2, 100, 151),
          one("two rows of 3 heads of 4 numbers, at positions 5 and 1", {5, 1}, 3, 4, 100, 154),
          one("five rows of 3 heads of 4 numbers", {9, 10, 2, 0, 33}, 3, 4, 10000, 157),
          one("four rows of 2 heads of 6 numbers", {1, 2, 3, 70}, 2, 6, 500, 160)};
}

std::vector<Probe> probes_of_order() {
  const auto one = [](const std::string& name, int heads, int d, int n, std::uint64_t seed) {
    return Probe{name, {drawn("w", {heads * d, n}, seed, 1, 0.4), number("heads", heads)}};
  };
  return {one("a head of 4 rows of 2 numbers", 1, 4, 2, 171), one("two heads of 6 rows of 8 numbers", 2, 6, 8, 172),
          one("three heads of 8 rows of 6 numbers", 3, 8, 6, 173)};
}

// x [T, heads · d], turned by the library, whose tape goes on.
Tensor turned(const Tensor& x, const Probe& p, int64_t heads, int64_t width) {
  const Tensor angles = outer(flatten(tensor_of(p["positions"])), nn::rope_frequencies(width, {.theta = p.number("theta")}, 0));
  return reshape(nn::rope(reshape(x, {1, x.size(0), heads, x.size(1) / heads}), cos(angles), sin(angles)), x.shape());
}

Outputs right_value(const Probe& p) { return {array_of("y", turned(tensor_of(p["x"]), p, 1, p.whole("width")))}; }

Outputs right_gradient(const Probe& p) {
  const Tensor g = tensor_of(p["g"]), x = zeros_like(g).set_requires_grad();
  return {array_of("dx", grad({turned(x, p, 1, p.whole("width"))}, {x}, {.seeds = {g}})[0])};
}

Outputs right_heads(const Probe& p) {
  const int heads = p.whole("heads"), d = columns_of(p["q"]) / heads;
  return {array_of("new_q", turned(tensor_of(p["q"]), p, heads, d)), array_of("new_k", turned(tensor_of(p["k"]), p, heads, d)),
          array_of("new_v", tensor_of(p["v"]))};
}

Outputs right_order(const Probe& p) {
  const Tensor w = tensor_of(p["w"]);
  const int64_t heads = p.whole("heads"), d = w.size(0) / heads;
  return {array_of("y", reshape(index_select(reshape(w, {heads, d, -1}), 1, nn::pairs_from_halves(d)), w.shape()))};
}

double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

// The row's squares sum to what they summed to before.
std::string as_long(const Array& before, const Array& after) {
  const int n = columns_of(before);
  const In x{rows_of(before), n, before.numbers.data()}, y{rows_of(before), n, after.numbers.data()};
  for (int t = 0; t < x.rows; ++t) {
    const double was = dot(x[t], x[t], n), is = dot(y[t], y[t], n);
    if (!(std::abs(is - was) <= 1e-6 * was))
      return fmt::format("the squares of row {} of {} sum to {}, not to {}", t, after.name, beside(is, was), beside(was, is));
  }
  return "";
}

std::string length_is_kept(const Probe& p, const Outputs& outputs) { return as_long(p.inputs[0], outputs[0]); }

std::string lengths_are_kept(const Probe& p, const Outputs& outputs) {
  const std::string of_q = as_long(p["q"], outputs[0]);
  return of_q.empty() ? as_long(p["k"], outputs[1]) : of_q;
}

// For rows alike at positions equally far apart.
std::string products_know_distance(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x");
  const int n = x.columns;
  const In y{x.rows, n, outputs[0].numbers.data()};
  if (p.name.find("alike") == std::string::npos) return "";
  const double first = dot(y[0], y[1], n), last = dot(y[2], y[3], n);
  if (std::abs(first - last) <= 1e-6 * dot(x[0], x[0], n)) return "";
  return fmt::format("rows 0 and 1 have the product {}, rows 2 and 3, as far apart, {}", beside(first, last), beside(last, first));
}

std::string nothing_is_lost(const Probe& p, const Outputs& outputs) {
  std::vector<double> was = p["w"].numbers, is = outputs[0].numbers;
  std::sort(was.begin(), was.end());
  std::sort(is.begin(), is.end());
  return was == is ? "" : "some are missing";
}

}  // namespace
}  // namespace in_rope

Functions rope(void (*value)(In, In, int, double, Out), void (*gradient)(In, In, int, double, Out),
               void (*of_heads)(In, In, In, In, int, double, Out, Out, Out), void (*order)(In, int, Out)) {
  return {by_names(value, {"x", "positions", "width", "theta", "y = x"}),
          by_names(gradient, {"g", "positions", "width", "theta", "dx = g"}),
          by_names(of_heads, {"q", "k", "v", "positions", "heads", "theta", "new_q = q", "new_k = k", "new_v = v"}),
          by_names(order, {"w", "heads", "y = w"})};
}

Exercise rope_exercise() {
  using namespace in_rope;
  return made_rope::exercise(
      {
          {
              .right = right_value,
              .probes = probes("x"),
              .laws = {{"no row becomes longer or shorter", length_is_kept,
                        "Which two products make a', and which two b'? With which signs?"},
                       {"rows that are alike have products that know only their distance", products_know_distance,
                        "By which angle does a pair turn: is it proportional to the position?"}},
          },
          {
              .right = right_gradient,
              .probes = probes("g"),
              .laws = {{"no row of dx is longer or shorter than that of g", length_is_kept,
                        "Which two products make each number of dx, and with which signs?"}},
          },
          {
              .right = right_heads,
              .probes = probes_of_heads(),
              .laws = {{"no query and no key becomes longer or shorter", lengths_are_kept,
                        "Where does each head begin, and does each of its pairs turn, once?"}},
          },
          {
              .right = right_order,
              .probes = probes_of_order(),
              .laws = {{"all numbers of w are there, once", nothing_is_lost, "Which rows of w does y read twice, and which never?"}},
          },
      },
      {{{"rope", "rope_gradient", "rope_heads"}, {{"", "turns neighbours"}, {"rope/halves", "turns halves"}}}});
}

}  // namespace gradus::exercises::set
