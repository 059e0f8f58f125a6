#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/kv_cache.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_kv_cache {
namespace {

// The rotation that a probe gives: column i and column i + d/2 by position · 10^(−2i / d).
Tensor rotated(const Tensor& x, const Tensor& positions) {
  const int64_t pairs = x.size(1) / 2;
  const Tensor frequencies = pow(10.0, cast(arange(pairs), DType::f64) / -static_cast<double>(pairs));
  const Tensor angles = unsqueeze(cast(positions, DType::f64), 1) * frequencies;
  const Tensor a = slice(x, 1, 0, pairs), b = slice(x, 1, pairs);
  return cat({a * cos(angles) - b * sin(angles), a * sin(angles) + b * cos(angles)}, 1);
}

std::vector<int64_t> pieces_of(const Probe& p) {
  std::vector<int64_t> pieces;
  for (double one : p["pieces"].numbers) pieces.push_back(static_cast<int64_t>(one));
  return pieces;
}

struct Kept {
  Tensor k, v;
  int64_t read = 0;
};

// The last rows of what is kept, as many as should be; 0 where there are fewer.
Array last_rows(const std::string& name, const Tensor& kept, int rows, int columns) {
  const int there = kept.defined() && kept.rank() > 0 ? static_cast<int>(kept.size(0)) : 0;
  const Array all = checked(name, kept, {there, columns});
  Array last = array(name, {rows, columns}, std::vector<double>(static_cast<std::size_t>(rows * columns)));
  const std::size_t taken = std::min(all.numbers.size(), last.numbers.size());
  std::copy(all.numbers.end() - static_cast<std::ptrdiff_t>(taken), all.numbers.end(), last.numbers.begin());
  return last;
}

// Calls f(first, end) for each piece of the text, and joins what it gives; and what it has left in `kept`, after each call and at last.
template <typename F> Outputs in_pieces(const Probe& p, const Kept& kept, const F& f) {
  Tensors parts;
  Array read{"read", {}, {}}, rows{"rows", {}, {}};
  int64_t first = 0;
  for (int64_t count : pieces_of(p)) {
    parts.push_back(f(first, first + count));
    first += count;
    read.numbers.push_back(static_cast<double>(kept.read));
    rows.numbers.push_back(kept.k.defined() && kept.k.rank() > 0 ? static_cast<double>(kept.k.size(0)) : 0);
  }
  read.shape = rows.shape = {static_cast<int>(parts.size())};
  const int stay = std::min(rows_of(p["q"]), p.whole("most"));
  return {array_of("y", cat(parts, 0)), read, rows, last_rows("kept_k", kept.k, stay, columns_of(p["k"])),
          last_rows("kept_v", kept.v, stay, columns_of(p["v"]))};
}

// Without a cache: what is kept, from the start of the text.
Outputs right_attend(const Probe& p) {
  const Tensor all = arange(static_cast<int64_t>(p["q"].shape[0]));
  const Tensor q = rotated(tensor_of(p["q"]), all), k = rotated(tensor_of(p["k"]), all), v = tensor_of(p["v"]);
  const auto part = [](const Tensor& x, int64_t first, int64_t end) {
    const Tensor rows = slice(x, 0, first, end);
    return reshape(rows, {1, rows.size(0), 1, rows.size(1)});
  };
  Kept kept;
  return in_pieces(p, kept, [&](int64_t first, int64_t end) {
    const int64_t seen = std::max<int64_t>(0, first - p.whole("most")), stays = std::max<int64_t>(0, end - p.whole("most"));
    const Tensor y = nn::attention(part(q, first, end), part(k, seen, end), part(v, seen, end), {.causal = true});
    kept = {slice(k, 0, stays, end), slice(v, 0, stays, end), end};
    return reshape(y, {end - first, v.size(1)});
  });
}

Probe probe(const std::string& name, const std::vector<double>& pieces, int d, int e, int most, std::uint64_t seed, double size = 1.5) {
  double length = 0;
  for (double one : pieces) length += one;
  const int n = static_cast<int>(length);
  return {name,
          {drawn("q", {n, d}, seed, size, 0.3), drawn("k", {n, d}, seed + 1, size, -0.4), drawn("v", {n, e}, seed + 2, 1, 0.5),
           array("pieces", {static_cast<int>(pieces.size())}, pieces), number("most", most)}};
}

std::string first_sees_itself(const Probe& p, const Outputs& outputs) {
  const In v = p.in("v"), y = in(outputs[0]);
  for (int c = 0; c < v.columns; ++c) {
    if (!(std::abs(y[0][c] - v[0][c]) <= 1e-9 * (1 + std::abs(v[0][c]))))
      return fmt::format("y[0][{}] is {}, v[0][{}] is {}", c, beside(y[0][c], v[0][c]), c, beside(v[0][c], y[0][c]));
  }
  return "";
}

std::string between_seen(const Probe& p, const Outputs& outputs) {
  const In v = p.in("v"), y = in(outputs[0]);
  for (int i = 0; i < v.rows; ++i) {
    for (int c = 0; c < v.columns; ++c) {
      double least = v[i][c], most = v[i][c];
      for (int j = 0; j < i; ++j) least = std::min(least, v[j][c]), most = std::max(most, v[j][c]);
      if (!(y[i][c] >= least - 1e-9 && y[i][c] <= most + 1e-9)) {
        return fmt::format("y[{}][{}] is {}, and the values are from {} to {}", i, c, beside(y[i][c], y[i][c] < least ? least : most),
                           beside(least, y[i][c]), beside(most, y[i][c]));
      }
    }
  }
  return "";
}

// "read is 1 after call 1, not 2."
std::string after_call(const Array& got, const Array& right, std::size_t call) {
  return fmt::format("{} is {} after call {}, not {}.", got.name == "rows" ? "rows, how many kept_k has," : got.name, got.numbers[call],
                     call + 1, right.numbers[call]);
}

std::string wrong_first(const Probe& p, const Outputs& got, const Outputs& right) {
  const In y = in(got[0]), expected = in(right[0]);
  const std::vector<int64_t> pieces = pieces_of(p);
  int row = 0;
  for (std::size_t call = 0; call < pieces.size(); ++call) {
    for (const int end = row + static_cast<int>(pieces[call]); row < end; ++row) {
      const bool same =
          std::equal(y[row], y[row] + y.columns, expected[row], [&](double a, double b) { return close(a, b, largest(right[0])); });
      if (same) continue;
      const std::string where = fmt::format("y is first wrong in its row {}, in call {} of {}", row, call + 1, pieces.size());
      if (call == 0) return where + ", when nothing is kept yet: it is the scale, the mask, the softmax or the turning.";
      return fmt::format("{}, before which read was {}, as it should be.", where, right[1].numbers[call - 1]);
    }
    for (std::size_t i : {1, 2}) {
      if (got[i].numbers[call] != right[i].numbers[call]) return after_call(got[i], right[i], call);
    }
  }
  if (!equal(got[3], right[3])) return "kept_k is wrong at the end, though y is right.";
  return equal(got[4], right[4]) ? "" : "kept_v is wrong at the end, though y is right.";
}

}  // namespace
}  // namespace in_kv_cache

Functions kv_cache(Attend* attend) {
  const auto on_probe = [=](const Probe& p) {
    const Tensor q = tensor_of(p["q"]), k = tensor_of(p["k"]), v = tensor_of(p["v"]);
    in_kv_cache::Kept kept{slice(k, 0, 0, 0), slice(v, 0, 0, 0)};
    return in_kv_cache::in_pieces(p, kept, [&](int64_t first, int64_t end) {
      const auto part = [&](const Tensor& x) { return slice(x, 0, first, end).clone(); };
      const Tensor y = attend(part(q), part(k), part(v), in_kv_cache::rotated, p.whole("most"), kept.k, kept.v, kept.read);
      checked("y", y, {static_cast<int>(end - first), p["v"].shape[1]});
      return y;
    });
  };
  return {Written<Attend>{attend, on_probe}};
}

Exercise kv_cache_exercise() {
  using namespace in_kv_cache;
  return made_kv_cache::exercise({
      {
          .right = right_attend,
          .probes = {probe("four tokens: two, then two", {2, 2}, 2, 2, 5, 2601),
                     probe("nine tokens: five, one, three", {5, 1, 3}, 4, 6, 12, 2611),
                     probe("ten tokens: three, two, one, one, three, and four are kept", {3, 2, 1, 1, 3}, 6, 4, 4, 2621),
                     probe("seven tokens at once", {7}, 4, 2, 3, 2631),
                     probe("five tokens: two, then three, with scores in the thousands, and none is kept", {2, 3}, 4, 3, 0, 2641, 60)},
          .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself,
                    "Over which keys do your two sums go for the first query?"},
                   {"a mean lies between the least and the greatest of what it is made of", between_seen,
                    "To what do the weights of one query sum, and are they those of the keys it sees?"}},
          .wrong_first = wrong_first,
          .wrong_first_question = "What does a call need of the ones before it, and what has it to leave?",
      },
  });
}

}  // namespace gradus::exercises::set
