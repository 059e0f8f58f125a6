#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/alibi.h"
#include "nn/position/alibi.h"

namespace gradus::exercises::set {
namespace in_alibi {
namespace {

Probe probe_of_slopes(const std::string& name, int heads) { return {name, {number("H", heads)}}; }

std::vector<Probe> probes_of_slopes() {
  return {probe_of_slopes("2 heads", 2),   probe_of_slopes("3 heads", 3),   probe_of_slopes("8 heads", 8),
          probe_of_slopes("12 heads", 12), probe_of_slopes("16 heads", 16), probe_of_slopes("one head", 1)};
}

Array places(const std::string& name, const std::vector<double>& at) { return array(name, {1, static_cast<int>(at.size())}, at); }

Tensor slopes_of(int heads) { return nn::alibi_slopes(heads, nn::AlibiSlopes::text); }

Probe with_slopes(Probe p, const std::vector<double>& slopes) {
  p.inputs[1].numbers = slopes;
  return p;
}

Probe probe(const std::string& name, int heads, const std::vector<double>& queries, const std::vector<double>& keys, int d,
            std::uint64_t seed) {
  const int rows = heads * static_cast<int>(queries.size()), columns = static_cast<int>(keys.size());
  return {name,
          {drawn("products", {rows, columns}, seed, 3, 0.4), array_of("slopes", reshape(slopes_of(heads), {1, heads})),
           places("queries", queries), places("keys", keys), number("d", d)}};
}

std::vector<Probe> probes_of_scores() {
  return {probe("2 heads, a query at 3, keys at 1, 3 and 4", 2, {3}, {1, 3, 4}, 4, 261),
          probe("3 heads, two queries, five keys", 3, {7, 2}, {0, 1, 2, 7, 9}, 5, 262),
          probe("2 heads, four queries, three keys", 2, {40, 41, 3, 5}, {39, 44, 4}, 9, 263),
          with_slopes(probe("4 heads with slopes of their own, three queries, six keys", 4, {3, 4, 5}, {0, 1, 2, 3, 4, 5}, 7, 264),
                      {0.3, 1.1, 0.07, 0.6})};
}

Outputs right_slopes(const Probe& p) { return {array_of("m", reshape(slopes_of(p.whole("H")), {1, p.whole("H")}))}; }

Outputs right_scores(const Probe& p) {
  const int64_t heads = columns_of(p["slopes"]), queries = columns_of(p["queries"]), keys = columns_of(p["keys"]), d = p.whole("d");
  nn::ALiBi alibi({.d_model = heads * d, .heads = heads, .head_dim = d, .max_length = 64}, nn::AlibiSlopes::text);
  const Tensor q = zeros({1, queries, heads, d}, DType::f64), k = zeros({1, keys, heads, d}, DType::f64);
  const auto at = [&](const char* name) { return cast(flatten(tensor_of(p[name])), DType::i64); };
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  const Tensor bias = alibi.on_scores(q, k, {at("queries"), at("keys")}, scale);
  const Tensor products = tensor_of(p["products"]);
  const Tensor others = flatten(tensor_of(p["slopes"])) / slopes_of(static_cast<int>(heads));  // the layer's are those of the text
  return {
      array_of("e", products * scale + reshape(reshape(bias, {heads, queries, keys}) * reshape(others, {heads, 1, 1}), products.shape()))};
}

std::string ends_at_256th(const Probe&, const Outputs& outputs) {
  const double last = outputs[0].numbers.back();
  return std::abs(last - 1.0 / 256) <= 1e-9 ? "" : fmt::format("it is {:.4g}", last);
}

std::string equal_ratios(const Probe&, const Outputs& outputs) {
  const std::vector<double>& m = outputs[0].numbers;
  for (std::size_t h = 2; h < m.size(); ++h) {
    if (!(std::abs(m[h] / m[h - 1] - m[1] / m[0]) <= 1e-9)) {
      return fmt::format("heads 1 and 2 have the ratio {:.4g}, heads {} and {} {:.4g}", m[1] / m[0], h, h + 1, m[h] / m[h - 1]);
    }
  }
  return "";
}

// f(row, j) for each query and key at one position, until it says something.
template <typename F> std::string at_distance_0(const Probe& p, const F& f) {
  const In products = p.in("products"), queries = p.in("queries"), keys = p.in("keys");
  std::string said;
  for (int row = 0; row < products.rows; ++row) {
    for (int j = 0; j < products.columns && said.empty(); ++j) {
      if (queries[0][row % queries.columns] == keys[0][j]) said = f(row, j);
    }
  }
  return said;
}

// Does a key at the query's own position have another multiple of q · k, the same one everywhere?
std::string scale_is_right(const Probe& p, const Outputs& outputs) {
  const In products = p.in("products"), e = in(outputs[0]);
  const double right = 1 / std::sqrt(p.number("d"));
  double least = INFINITY, most = -INFINITY;
  at_distance_0(p, [&](int row, int j) {
    const double factor = e[row][j] / products[row][j];
    least = std::min(least, factor), most = std::max(most, factor);
    return "";
  });
  const bool one_factor = least <= most && most - least <= 1e-9 * std::abs(most);  // and there is one
  if (!one_factor || std::abs(most - right) <= 1e-9) return "";
  return fmt::format("it is {} times q · k, and 1/√d is {}", beside(most, right), beside(right, most));
}

std::string no_bias_at_distance_0(const Probe& p, const Outputs& outputs) {
  const In products = p.in("products"), e = in(outputs[0]);
  return at_distance_0(p, [&](int row, int j) {
    const double is = e[row][j], score = products[row][j] / std::sqrt(p.number("d"));
    return std::abs(is - score) <= 1e-9
               ? ""
               : fmt::format("e[{}][{}] is {}, and q · k / √d is {}", row, j, beside(is, score), beside(score, is));
  });
}

std::string never_more(const Probe& p, const Outputs& outputs) {
  const In products = p.in("products");
  for (int row = 0; row < products.rows; ++row) {
    for (int j = 0; j < products.columns; ++j) {
      const double is = outputs[0].numbers[static_cast<std::size_t>(row * products.columns + j)];
      const double score = products[row][j] / std::sqrt(p.number("d"));
      if (!(is <= score + 1e-9)) return fmt::format("e[{}][{}] is {}, and q · k / √d is {}", row, j, beside(is, score), beside(score, is));
    }
  }
  return "";
}

}  // namespace
}  // namespace in_alibi

Functions alibi(void (*slopes)(Out), void (*scores)(In, In, In, In, int, Out)) {
  return {[=](const Probe& p) {
            Sheet m("m", {1, p.whole("H")});
            slopes(m.out());
            return Outputs{m.array()};
          },
          by_names(scores, {"products", "slopes", "queries", "keys", "d", "e = products"})};
}

Exercise alibi_exercise() {
  using namespace in_alibi;
  return made_alibi::exercise({
      {
          .right = right_slopes,
          .probes = probes_of_slopes(),
          .laws = {{"the last head's slope is 1/256", ends_at_256th, "Which power of 2 does the last head get?"},
                   {"from head to head the slopes have one ratio", equal_ratios,
                    "What is the exponent of head h, and what does it grow by from head to head?"}},
      },
      {
          .right = right_scores,
          .probes = probes_of_scores(),
          .laws = {{"a key at the query's own position has the score q · k / √d", scale_is_right,
                    "Where the distance is 0 there is no bias. By which number do you divide q · k?"},
                   {"a key at the query's own position keeps its score", no_bias_at_distance_0,
                    "What is the distance between a query and a key at its own position?"},
                   {"no score becomes larger", never_more, "Is the distance times the slope added, or subtracted?"}},
      },
  });
}

}  // namespace gradus::exercises::set
