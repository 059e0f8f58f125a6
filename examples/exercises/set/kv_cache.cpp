#include "examples/exercises/set/kv_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
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

enum Wrong { positions_ignored, unmasked, mask_at_first_key, single_at_zero, position_of_kept, queries_from_zero, rotated_again, not_rotated,
             new_first, newest_forgotten, never_forgotten, not_kept, one_position, counted_first, values_rotated, no_scale, one_too_few,
             masked_before_kept, last_not_kept, own_key_hidden, read_is_count, keys_from_zero, queries_not_turned, scale_by_d, no_bound,
             forgotten_first, turned_each_call, mask_by_position, scale_by_e, scale_by_keys, over_queries, no_max, max_of_all, kept_unturned,
             zero_keeps_all, values_never_forgotten, keys_never_forgotten, only_new_kept, turned_from_zero, own_piece_alone };

// Which keys a new query sees is a question of their places in the cache, not of positions.
int64_t place_of_first(int64_t before, int64_t read, Made made) {
  if (made[mask_by_position]) return read;
  return made[mask_at_first_key] ? 0 : before;
}

Tensor positions_of(const Kept& kept, int64_t count, Made made) {
  int64_t first = made[position_of_kept] ? kept.k.size(0) : kept.read;
  if (made[positions_ignored] || (made[single_at_zero] && count == 1)) first = 0;
  if (made[counted_first]) first += count;
  return made[one_position] ? 0 * arange(count) + first : arange(first, first + count);
}

// The scores of the new queries, −∞ where a key is hidden.
Tensor scores_of(const Tensor& q, const Tensor& keys, int64_t width_of_values, int64_t before, int64_t read, Made made) {
  const int64_t count = q.size(0);
  const auto d = static_cast<double>(made[scale_by_e] ? width_of_values : made[scale_by_keys] ? keys.size(0) : q.size(1));
  const Tensor scores = matmul(q, keys, {.transpose_b = true}) / (made[no_scale] ? 1.0 : made[scale_by_d] ? d : std::sqrt(d));
  if (made[unmasked] || (made[masked_before_kept] && before > 0)) return scores;
  const int64_t first = place_of_first(before, read, made);  // the key of the first new query
  const Tensor last = unsqueeze(arange(first, first + count), 1) - (made[own_key_hidden] ? 1 : 0);  // that a query sees
  const Tensor hidden = last < arange(keys.size(0));
  return masked_fill(scores, hidden, -std::numeric_limits<double>::infinity());
}

// What stays of the rows.
Tensor forgotten(const Tensor& rows, const Tensor& old, int64_t most, Made made) {
  if (made[not_kept]) return old;
  if (made[zero_keeps_all] && most == 0) return rows;
  if (made[no_bound]) return slice(rows, 0, rows.size(0) - most);
  if (made[last_not_kept]) return slice(rows, 0, std::max<int64_t>(0, rows.size(0) - 1 - most), rows.size(0) - 1);
  if (made[never_forgotten] || rows.size(0) <= most) return rows;
  const int64_t stays = most - (made[one_too_few] ? 1 : 0);
  return made[newest_forgotten] ? slice(rows, 0, 0, stays) : slice(rows, 0, rows.size(0) - stays);
}

// Σ exp(s) v / Σ exp(s)
Tensor weighed(const Tensor& scores, const Tensor& values, Made made) {
  if (made[no_max] || made[max_of_all]) {
    const Tensor e = exp(made[no_max] ? scores : scores - max(scores));
    return matmul(e / sum(e, {1}, true), values);
  }
  return matmul(exp(scores - logsumexp(scores, {made[over_queries] ? 0 : 1}, true)), values);
}

Tensor attend_with(const Tensor& q, const Tensor& k, const Tensor& v, int64_t most, Kept& kept, Made made) {
  const int64_t count = q.size(0);
  int64_t before = kept.k.size(0);
  const int64_t all = before + count;
  const Tensor positions = positions_of(kept, count, made), of_queries = made[queries_from_zero] ? arange(count) : positions;
  const auto joined = [&](const Tensor& old, const Tensor& rows) { return cat(made[new_first] ? Tensors{rows, old} : Tensors{old, rows}, 0); };
  const bool bare = made[not_rotated] || made[rotated_again] || made[turned_each_call] || made[turned_from_zero];
  const Tensor once = bare ? k : rotated(k, made[keys_from_zero] ? arange(count) : positions);
  const Tensor old = made[rotated_again] && before > 0 ? rotated(kept.k, arange(kept.read - before, kept.read)) : kept.k;
  const Tensor stays = joined(old, made[rotated_again] ? rotated(k, positions) : once);
  Tensor keys = made[turned_from_zero]   ? rotated(stays, arange(before + count))
                : made[turned_each_call] ? rotated(stays, arange(kept.read - before, kept.read + count))
                                         : stays;
  Tensor values = joined(kept.v, made[values_rotated] ? rotated(v, positions) : v);
  const int64_t read = kept.read;
  kept = {forgotten(made[kept_unturned] ? joined(kept.k, k) : made[only_new_kept] ? once : stays, kept.k, made[keys_never_forgotten] ? all : most, made),
          forgotten(made[only_new_kept] ? v : values, kept.v, made[values_never_forgotten] ? all : most, made), (made[read_is_count] ? 0 : read) + count};
  if (made[forgotten_first]) {
    const int64_t lost = std::max<int64_t>(0, keys.size(0) - most);
    keys = slice(keys, 0, lost), values = slice(values, 0, lost), before -= lost;
  }
  if (made[own_piece_alone]) keys = slice(keys, 0, before), values = slice(values, 0, before), before = 0;
  return weighed(scores_of(made[queries_not_turned] ? q : rotated(q, of_queries), keys, v.size(1), before, read, made), values, made);
}

Outputs kept_with(const Probe& p, Made made) {
  const Tensor q = tensor_of(p["q"]), k = tensor_of(p["k"]), v = tensor_of(p["v"]);
  Kept kept{slice(k, 0, 0, 0), slice(v, 0, 0, 0)};
  return in_pieces(p, kept, [&](int64_t first, int64_t end) {
    return attend_with(slice(q, 0, first, end), slice(k, 0, first, end), slice(v, 0, first, end), p.whole("most"), kept, made);
  });
}

Probe probe(const std::string& name, const std::vector<double>& pieces, int d, int e, int most, std::uint64_t seed, double size = 1.5) {
  double length = 0;
  for (double one : pieces) length += one;
  const int n = static_cast<int>(length);
  return {name, {drawn("q", {n, d}, seed, size, 0.3), drawn("k", {n, d}, seed + 1, size, -0.4), drawn("v", {n, e}, seed + 2, 1, 0.5),
                 array("pieces", {static_cast<int>(pieces.size())}, pieces), number("most", most)}};
}

std::string first_sees_itself(const Probe& p, const Outputs& outputs) {
  const In v = p.in("v"), y = in(outputs[0]);
  for (int c = 0; c < v.columns; ++c) {
    if (!(std::abs(y[0][c] - v[0][c]) <= 1e-9 * (1 + std::abs(v[0][c])))) return fmt::format("y[0][{}] is {}, v[0][{}] is {}", c, beside(y[0][c], v[0][c]), c, beside(v[0][c], y[0][c]));
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
        return fmt::format("y[{}][{}] is {}, and the values are from {} to {}", i, c, beside(y[i][c], y[i][c] < least ? least : most), beside(least, y[i][c]), beside(most, y[i][c]));
      }
    }
  }
  return "";
}

// "read is 1 after call 1, not 2."
std::string after_call(const Array& got, const Array& right, std::size_t call) {
  return fmt::format("{} is {} after call {}, not {}.", got.name == "rows" ? "rows, how many kept_k has," : got.name, got.numbers[call], call + 1, right.numbers[call]);
}

std::string wrong_first(const Probe& p, const Outputs& got, const Outputs& right) {
  const In y = in(got[0]), expected = in(right[0]);
  const std::vector<int64_t> pieces = pieces_of(p);
  int row = 0;
  for (std::size_t call = 0; call < pieces.size(); ++call) {
    for (const int end = row + static_cast<int>(pieces[call]); row < end; ++row) {
      const bool same = std::equal(y[row], y[row] + y.columns, expected[row], [&](double a, double b) { return close(a, b, largest(right[0])); });
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

std::vector<Mistake> mistakes() {
  return {
      {positions_ignored, "rope/positions-ignored", "At which position does the second piece begin?"},
      {unmasked, "cache/prefill-unmasked", "Two new tokens at once: may the first see the second?", "nothing is masked: right for one new token, wrong for several", "Mikyx-1/TinyLLM#17"},
      {mask_at_first_key, "cache/mask-top-left", "How many keys does the first new token see, if three are kept?", "the mask begins at the first key, not at the first new one", "hyprstream PR1521, onnx PR8068, executorch PR21749, x-transformers#187"},
      {single_at_zero, "pos/decode-from-0", "At which position does a token stand that comes alone?", "a token that comes alone stands at position 0", "mlx-lm PR93"},
      {position_of_kept, "cache/offset-is-length", "Some tokens are forgotten: does the next one stand further left?", "the position is the number of tokens that are kept, not of those that were read", "rajveer43/VeloxQuant-MLX PR195"},
      {queries_from_zero, "cache/queries-from-0", "Where does a new query stand, and where its own key?", "the keys are turned to their positions, the queries to 0, 1, 2 …"},
      {rotated_again, "cache/rotated-twice", "How often is the first key turned by the end?", "kept keys are turned again in each call"},
      {not_rotated, "cache/keys-not-rotated", "Does a key know where it stands?", "the queries are turned, the keys are not"},
      {new_first, "cache/new-first", "In which order do the keys stand, and which of them does the mask take for new?", "the new keys stand before those that were kept"},
      {newest_forgotten, "cache/newest-forgotten", "Which tokens are forgotten first?", "the first tokens are kept, and the last ones forgotten"},
      {never_forgotten, "cache/never-forgotten", "How many rows has kept_k after a long text?", "nothing is forgotten"},
      {not_kept, "cache/not-kept", "How many rows has kept_k after the first call?", "the new keys and values are not kept"},
      {one_position, "cache/one-position", "Do two new tokens stand at the same position?", "all new tokens stand at the position of the first"},
      {counted_first, "cache/counted-first", "What is read when the first call asks for its positions?", "the new tokens are counted before their positions are taken"},
      {values_rotated, "cache/values-rotated", "What is it that is compared with a query: keys, or values?", "the values are turned as well"},
      {no_scale, "attn/no-scale", "How large are the scores if d is four times as large?"},
      {one_too_few, "cache/one-too-few", "How many rows has kept_k after a long text?", "one token fewer is kept"},
      {masked_before_kept, "cache/unmasked-after-first", "Two new tokens at once: may the first see the second?", "there is a mask only while nothing is kept"},
      {last_not_kept, "cache/last-not-kept", "Of two new tokens, which ones does the next call find in kept_k?", "the last new key and value are not kept"},
      {own_key_hidden, "cache/own-key-hidden", "May a token see itself?", "the last key that a query should see, its own, is left out"},
      {read_is_count, "cache/read-is-count", "After two calls of two tokens each: how many have been read?", "read becomes the number of new tokens, where they should be added to it"},
      {keys_from_zero, "cache/keys-from-0", "Where does a new key stand, and where its own query?", "the queries are turned to their positions, the keys to 0, 1, 2 …"},
      {queries_not_turned, "cache/queries-not-turned", "Does a query know where it stands?", "the keys are turned, the queries are not"},
      {scale_by_d, "attn/scale-by-d", "Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?"},
      {no_bound, "cache/forgets-too-early", "Two tokens have been read, and five may be kept: from which row on do you keep?", "all − most, without max(0, …): a negative number counts from the end"},
      {forgotten_first, "cache/forgets-before-attending", "Which tokens does the first of several new ones see: those from before the call, or those that will be left after it?", "tokens are forgotten before the new queries have seen them"},
      {turned_each_call, "cache/turned-at-each-call", "How often is the first key turned by the end?", "the keys are kept as they came, and all are turned at each call: y is right, and each token costs as much as the whole text"},
      {mask_by_position, "cache/mask-by-position", "Some tokens are forgotten: at which place in kept_k stands the key of position 6?", "the mask compares positions with places in the cache: right until something is forgotten", "mlxcel PR76, lalamo PR200"},
      {scale_by_e, "attn/scale-by-value-width", "Of how many products is a score the sum: one for each number of a key, or of a value?"},
      {scale_by_keys, "attn/scale-by-length", "Of how many products is a score the sum?"},
      {over_queries, "softmax/axis", "Which weights sum to 1: those of one query, or those of one key?"},
      {no_max, "softmax/no-max", "What is exp(1000)? And what is exp(1000) / exp(1000)?"},
      {max_of_all, "softmax/max-of-all", "What is left of a query whose scores are all 1000 below the greatest of another query?", "the greatest of all scores is subtracted, not each query's own"},
      {kept_unturned, "cache/kept-unturned", "What does the next call find in kept_k: keys that know where they stand?", "new keys are turned for this call, and kept as they came"},
      {zero_keeps_all, "cache/zero-keeps-all", "For most = 0: from which row on do you keep?", "the last 0 rows are taken as all rows"},
      {values_never_forgotten, "cache/one-never-forgotten", "How many rows have kept_k and kept_v after a long text?", "of keys and values, one is forgotten and the other is not"},
      {keys_never_forgotten, "cache/one-never-forgotten", "How many rows have kept_k and kept_v after a long text?"},
      {only_new_kept, "cache/only-new-kept", "After two calls of two tokens each: how many rows has kept_k?", "the new keys and values are kept in place of those from before"},
      {turned_from_zero, "cache/keys-turned-from-0", "Some tokens are forgotten: at which position does the first key that is left stand?", "all keys are turned at each call, to their places in the cache, not to their positions"},
      {own_piece_alone, "cache/own-piece-alone", "Which keys does the first token of the second call see?", "the queries see the keys of their own call alone"},
  };
}

Stage attend_stage() {
  return {
      .function = "attend",
      .right = right_attend,
      .with = kept_with,
      .mistakes = mistakes(),
      .probes = {probe("four tokens: two, then two", {2, 2}, 2, 2, 5, 2601), probe("nine tokens: five, one, three", {5, 1, 3}, 4, 6, 12, 2611),
                 probe("ten tokens: three, two, one, one, three, and four are kept", {3, 2, 1, 1, 3}, 6, 4, 4, 2621),
                 probe("seven tokens at once", {7}, 4, 2, 3, 2631),
                 probe("five tokens: two, then three, with scores in the thousands, and none is kept", {2, 3}, 4, 3, 0, 2641, 60)},
      .laws = {{"the first query sees one key, so the first row of y is the first row of v", first_sees_itself, "Over which keys do your two sums go for the first query?"},
               {"a mean lies between the least and the greatest of what it is made of", between_seen, "To what do the weights of one query sum, and are they those of the keys it sees?"}},
      .wrong_first = wrong_first,
      .wrong_first_question = "What does a call need of the ones before it, and what has it to leave?",
      .hints = {"A text read in two pieces should give what it gives in one. What does the second piece have to know of the first?",
                "Keys, values, and how far one has read: the last is not the number of keys once some of them are forgotten.",
                "A key stands where it stands for ever, so it is turned once. A new query sees all that is kept, and of the new keys those up to its own.",
                "With S kept keys, new query i sees the keys 0 … S + i, and stands at position read + i. Cut to the last `most` rows after all that."},
  };
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
  return {
      .number = 19,
      .id = "kv-cache",
      .title = "Attention with a key-value cache",
      .section = "ch07.md#attn-kv-cache",
      .needs = {"rope", "attention"},
      .minutes = 40,
      .done = "One token at a time needs no mask, and a text in one piece needs no positions but 0, 1, 2 …: most of these mistakes show only in between.",
      .stages = {in_kv_cache::attend_stage()},
      .also = {"ch06.md#pos-rope", "ch07.md#attn-causal-mask"},
  };
}

}  // namespace gradus::exercises::set
