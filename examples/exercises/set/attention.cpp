#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/attention.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_attention {
namespace {

// What is summed to 1.
enum class Over { keys, queries, all, nothing };

struct Sizes {
  int length, d, e;
  double size = 1, mean_of_q = 0.3, mean_of_k = 0.3;
};

Probe probe(const std::string& name, const Sizes& s, std::uint64_t seed, const std::vector<Array>& numbers = {}) {
  Probe p{name,
          {drawn("q", {s.length, s.d}, seed, s.size, s.mean_of_q), drawn("k", {s.length, s.d}, seed + 1, s.size, s.mean_of_k),
           drawn("v", {s.length, s.e}, seed + 2, 1, 0.4)}};
  p.inputs.insert(p.inputs.end(), numbers.begin(), numbers.end());
  return p;
}

std::vector<Probe> probes() {
  return {probe("three tokens of 2 numbers", {3, 2, 2, 1.5}, 161), probe("five tokens of 4 numbers, with values of 3", {5, 4, 3, 1.3}, 164),
          probe("seven tokens of 6 numbers, with values of 2", {7, 6, 2, 1.2}, 167),
          probe("four tokens with scores in the thousands", {4, 3, 5, 60}, 171),
          probe("four tokens with scores below −1000", {4, 5, 3, 3, 8, -8}, 173)};
}

std::vector<Probe> probes_of_window() {
  const auto one = [](const std::string& name, const Sizes& sizes, int window, double cap, std::uint64_t seed) {
    return probe(name, sizes, seed, {number("window", window), number("cap", cap)});
  };
  return {one("three tokens of 2 numbers, a window of 2", {3, 2, 2, 1.5}, 2, 1, 181),
          one("six tokens of 4 numbers, a window of 3", {6, 4, 3, 1.5}, 3, 2, 184),
          one("five tokens, a window of 7, a cap of 50", {5, 3, 2, 6}, 7, 50, 187),
          one("seven tokens with scores of size 60, a window of 4, a cap of 1.5", {7, 5, 2, 8}, 4, 1.5, 190)};
}

std::vector<Probe> probes_of_heads() {
  const auto one = [](const std::string& name, int length, int heads, int d, std::uint64_t seed) {
    return probe(name, {length, heads * d, heads * d, 1.4}, seed, {number("heads", heads)});
  };
  return {one("three tokens, 2 heads of 2 numbers", 3, 2, 2, 201), one("five tokens, 3 heads of 4 numbers", 5, 3, 4, 204),
          one("four tokens, 2 heads of 3 numbers", 4, 2, 3, 207)};
}

Tensor of(const Probe& p, const char* name, int64_t heads) {
  const Tensor x = tensor_of(p[name]);
  return reshape(x, {1, x.size(0), heads, x.size(1) / heads});
}

Outputs right_with(const Probe& p, int64_t heads, const nn::ScaledDotOptions& options) {
  const Tensor y = nn::attention(of(p, "q", heads), of(p, "k", heads), of(p, "v", heads), options);
  return {array_of("y", reshape(y, tensor_of(p["v"]).shape()))};
}

Outputs right_whole(const Probe& p) { return right_with(p, 1, {.causal = true}); }
Outputs right_window(const Probe& p) { return right_with(p, 1, {.causal = true, .window = p.whole("window"), .softcap = p.number("cap")}); }
Outputs right_heads(const Probe& p) { return right_with(p, p.whole("heads"), {.causal = true}); }

std::string first_sees_itself(const Probe& p, const Outputs& outputs) {
  const In v = p.in("v");
  for (int c = 0; c < v.columns; ++c) {
    const double y = outputs[0].numbers[static_cast<std::size_t>(c)];
    if (!(std::abs(y - v[0][c]) <= 1e-6 * std::abs(v[0][c])))
      return fmt::format("y[0][{}] is {}, v[0][{}] is {}", c, beside(y, v[0][c]), c, beside(v[0][c], y));
  }
  return "";
}

// A mean of what a query sees, from the key i − reach to its own.
std::string between(const Probe& p, const Outputs& outputs, int reach) {
  const In v = p.in("v");
  for (int i = 0; i < v.rows; ++i) {
    for (int c = 0; c < v.columns; ++c) {
      double least = v[i][c], most = v[i][c];
      for (int j = std::max(0, i - reach); j <= i; ++j) least = std::min(least, v[j][c]), most = std::max(most, v[j][c]);
      const double y = outputs[0].numbers[static_cast<std::size_t>(i * v.columns + c)];
      if (!(y >= least - 1e-6 && y <= most + 1e-6)) {
        return fmt::format("y[{}][{}] is {}, and the values are from {} to {}", i, c, beside(y, y < least ? least : most), beside(least, y),
                           beside(most, y));
      }
    }
  }
  return "";
}

std::string between_seen(const Probe& p, const Outputs& outputs) { return between(p, outputs, rows_of(p["v"])); }
std::string between_in_window(const Probe& p, const Outputs& outputs) { return between(p, outputs, p.whole("window")); }

}  // namespace
}  // namespace in_attention

Functions attention(void (*whole)(In, In, In, Out), void (*in_window)(In, In, In, int, double, Out),
                    void (*of_heads)(In, In, In, int, Out)) {
  return {by_names(whole, {"q", "k", "v", "y = v"}), by_names(in_window, {"q", "k", "v", "window", "cap", "y = v"}),
          by_names(of_heads, {"q", "k", "v", "heads", "y = v"})};
}

Exercise attention_exercise() {
  using namespace in_attention;
  return made_attention::exercise({
      {
          .right = right_whole,
          .probes = probes(),
          .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself,
                    "Over which keys do your two sums go for the first query?"},
                   {"a mean lies between the least and the greatest of what it is made of", between_seen,
                    "To what do the weights of one query sum, and are they those of the keys it sees?"}},
      },
      {
          .right = right_window,
          .probes = probes_of_window(),
          .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself,
                    "Over which keys do your two sums go for the first query?"},
                   {"a mean lies between the least and the greatest of what it is made of", between_in_window,
                    "To what do the weights of one query sum, and where does its window begin?"}},
      },
      {
          .right = right_heads,
          .probes = probes_of_heads(),
          .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself,
                    "Over which keys do your two sums go for the first query?"},
                   {"a mean lies between the least and the greatest of what it is made of", between_seen,
                    "To what do the weights of one query sum, and are they those of the keys it sees?"}},
      },
  });
}

}  // namespace gradus::exercises::set
