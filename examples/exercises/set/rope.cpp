#include "examples/exercises/set/rope.h"

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

Probe probe(const std::string& name, const std::string& x, const std::vector<double>& at, int d, int width, double theta, std::uint64_t seed) {
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
    return Probe{name, {drawn("q", shape, seed, 1, 0.4), drawn("k", shape, seed + 1, 1, -0.3), drawn("v", shape, seed + 2, 1, 0.2),
                        places(at), number("heads", heads), number("theta", theta)}};
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
    if (!(std::abs(is - was) <= 1e-6 * was)) return fmt::format("the squares of row {} of {} sum to {}, not to {}", t, after.name, beside(is, was), beside(was, is));
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

// Those of the answer, in which mistakes can be switched on.
Functions rope_written() { return exercises::set::rope(made_rope::rope, made_rope::rope_gradient, made_rope::rope_heads, made_rope::pairs_from_halves); }

Stage value_stage() {
  return {
      .function = "rope",
      .right = right_value,
      .with = with_mistakes({&made_rope::rope_made}, rope_written()[0]),
      .mistakes = made_rope::rope_mistakes(),
      .probes = probes("x"),
      .laws = {{"no row becomes longer or shorter", length_is_kept, "Which two products make a', and which two b'? With which signs?"},
               {"rows that are alike have products that know only their distance", products_know_distance, "By which angle does a pair turn: is it proportional to the position?"}},
      .hints = {"A pair is the hand of a clock. By which angle does the hand of pair k turn from one position to the next?",
                "The angle needs the row's position and the number of the pair, nothing else. Keep both old numbers until both new ones are written.",
                "A rotation keeps lengths: the squares of a row sum to what they summed to before. A row at position 0 stays as it is.",
                "φ is p times theta to the power −2k / width, divided as real numbers. Then number 2k is a cos φ − b sin φ, and number 2k + 1 is a sin φ + b cos φ."},
  };
}

Stage gradient_stage() {
  return {
      .function = "rope_gradient",
      .right = right_gradient,
      .with = with_mistakes({&made_rope::rope_gradient_made}, rope_written()[1]),
      .mistakes = made_rope::rope_gradient_mistakes(),
      .probes = probes("g"),
      .laws = {{"no row of dx is longer or shorter than that of g", length_is_kept, "Which two products make each number of dx, and with which signs?"}},
      .hints = {"A hand was turned by φ. How do you turn it back to where it was?",
                "The loops are those of rope, and the pairs are now those of g. Only signs differ.",
                "The gradient of a rotation is the rotation back, so no row of dx is longer or shorter than that of g.",
                "da = da' cos φ + db' sin φ and db = db' cos φ − da' sin φ, where da' and db' are a pair of g. What did not turn is copied."},
  };
}

Stage heads_stage() {
  return {
      .function = "rope_heads",
      .right = right_heads,
      .with = with_mistakes({&made_rope::rope_heads_made}, rope_written()[2]),
      .mistakes = made_rope::rope_heads_mistakes(),
      .probes = probes_of_heads(),
      .laws = {{"no query and no key becomes longer or shorter", lengths_are_kept, "Where does each head begin, and does each of its pairs turn, once?"}},
      .hints = {"Which of q, k and v meet in a product, so that their turns can cancel?",
                "Each row of each head is one call of rope, at that row's position. The next row of the same head is q.columns numbers further, not d.",
                "All heads of a row turn by the same angles, no query and no key changes its length, and the values stay as they are.",
                "With d = q.columns / heads, the d numbers from column h · d on turn in q and in k, with d for the width. v is copied."},
  };
}

Stage order_stage() {
  return {
      .function = "pairs_from_halves",
      .right = right_order,
      .with = with_mistakes({&made_rope::pairs_from_halves_made}, rope_written()[3]),
      .mistakes = made_rope::pairs_from_halves_mistakes(),
      .probes = probes_of_order(),
      .laws = {{"all numbers of w are there, once", nothing_is_lost, "Which rows of w does y read twice, and which never?"}},
      .hints = {"In the checkpoint, rows 0 and d/2 of a head make one pair. At which two rows do you want them?",
                "Whole rows move, within their head, and the order is the same in every head.",
                "All rows of w are in y, once. The first row of a head and its last one stay where they are.",
                "Rows 2k and 2k + 1 of a head in y are rows k and k + d/2 of that head in w."},
  };
}

}  // namespace
}  // namespace in_rope

Functions rope(void (*value)(In, In, int, double, Out), void (*gradient)(In, In, int, double, Out),
               void (*of_heads)(In, In, In, In, int, double, Out, Out, Out), void (*order)(In, int, Out)) {
  return {[=](const Probe& p) {
            Sheet y("y", p["x"].shape);
            value(p.in("x"), p.in("positions"), p.whole("width"), p.number("theta"), y.out());
            return Outputs{y.array()};
          },
          [=](const Probe& p) {
            Sheet dx("dx", p["g"].shape);
            gradient(p.in("g"), p.in("positions"), p.whole("width"), p.number("theta"), dx.out());
            return Outputs{dx.array()};
          },
          [=](const Probe& p) {
            Sheet q("new_q", p["q"].shape), k("new_k", p["k"].shape), v("new_v", p["v"].shape);
            of_heads(p.in("q"), p.in("k"), p.in("v"), p.in("positions"), p.whole("heads"), p.number("theta"), q.out(), k.out(), v.out());
            return Outputs{q.array(), k.array(), v.array()};
          },
          [=](const Probe& p) {
            Sheet y("y", p["w"].shape);
            order(p.in("w"), p.whole("heads"), y.out());
            return Outputs{y.array()};
          }};
}

Exercise rope_exercise() {
  return {
      .number = 14,
      .id = "rope",
      .title = "RoPE, its way back, its heads, and a checkpoint of another layout",
      .section = "ch06.md#pos-rope",
      .needs = {"sinusoids"},
      .minutes = 40,
      .done = "Two rotations, and their product knows only the distance: that holds as long as queries and keys turn alike, by their positions.",
      .stages = {in_rope::value_stage(), in_rope::gradient_stage(), in_rope::heads_stage(), in_rope::order_stage()},
      .choices = {{{"rope", "rope_gradient", "rope_heads"}, {{"", "turns neighbours"}, {"rope/halves", "turns halves"}}}},
      .also = {"ch06.md#pos-rope-partial", "ch06.md#pos-rope-half-permutation"},
  };
}

}  // namespace gradus::exercises::set

