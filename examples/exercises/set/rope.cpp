#include "examples/exercises/set/rope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/position/rope.h"

namespace gradus::exercises::set {
namespace in_rope {
namespace {

// How a row is turned.
struct Turn {
  double position, theta;
  int width;            // how many of its numbers turn
  int of = width;       // the width in the exponent
  double exponent = -2;  // times k / of
  int first = 0;        // the number of the first pair
  double unit = 1;      // of the angle, in radians
  bool halves = false, back = false, both_plus = false, both_minus = false;  // signs of the sines
  bool exchanged = false, overwritten = false, rest_zero = false, from_halves = false;
};

double angle(const Turn& turn, int k) {
  return turn.position * std::pow(turn.theta, turn.exponent * (k + turn.first) / turn.of) * turn.unit;
}

// The signs of the sine in a and in b.
std::pair<double, double> signs(const Turn& turn) {
  if (turn.both_plus) return {1, 1};
  if (turn.both_minus) return {-1, -1};
  return turn.back ? std::pair(1.0, -1.0) : std::pair(-1.0, 1.0);
}

void turn_row(const double* x, double* y, int columns, const Turn& turn) {
  for (int k = 0; k < turn.width / 2; ++k) {
    const int i = turn.halves ? k : 2 * k, j = turn.halves ? k + turn.width / 2 : 2 * k + 1;
    const bool of_halves = turn.halves || turn.from_halves;
    double cosine = std::cos(angle(turn, k)), sine = std::sin(angle(turn, k));
    if (turn.exchanged) std::swap(cosine, sine);
    const double a = x[of_halves ? k : i], b = x[of_halves ? k + turn.width / 2 : j];
    y[i] = a * cosine + b * sine * signs(turn).first;
    y[j] = (turn.overwritten ? y[i] : a) * sine * signs(turn).second + b * cosine;
  }
  for (int j = turn.width; j < columns; ++j) y[j] = turn.rest_zero ? 0 : x[j];
}

// The angles φ₀ φ₀ φ₁ φ₁ …, as pairs need them, on halves.
void turn_mixed(const double* x, double* y, int columns, const Turn& turn) {
  const int half = turn.width / 2;
  for (int j = 0; j < turn.width; ++j) {
    const double phi = angle(turn, j / 2), other = j < half ? -x[j + half] : x[j - half];
    y[j] = x[j] * std::cos(phi) + other * std::sin(phi);
  }
  for (int j = turn.width; j < columns; ++j) y[j] = turn.rest_zero ? 0 : x[j];
}

enum Wrong { halves, positions_ignored, one_indexed, partial_ignored, width_of_head, integer_division, exponent_doubled, exponent_halved,
             exponent_sign, from_one, first_position, degrees, both_plus, both_minus, overwritten, rest_zero, theta_hard_coded, position_missing, undivided, not_turned, exchanged, turned_back, mixed, from_halves };

// The mistakes that value and gradient have in common.
Turn turn_of(const Probe& p, int t, int columns, Made made) {
  Turn turn{.position = p["positions"].numbers[static_cast<std::size_t>(t)], .theta = p.number("theta"), .width = p.whole("width")};
  if (made[positions_ignored]) turn.position = t;
  if (made[first_position]) turn.position = p["positions"].numbers[0];
  if (made[from_one]) turn.position += 1;
  if (made[theta_hard_coded]) turn.theta = 10000;
  if (made[partial_ignored]) turn.width = turn.of = columns;
  if (made[width_of_head]) turn.of = columns;
  if (made[exponent_doubled]) turn.exponent = -4;
  if (made[exponent_halved]) turn.exponent = -1;
  if (made[exponent_sign]) turn.exponent *= -1;
  if (made[integer_division]) turn.exponent = 0;
  if (made[position_missing]) turn.position = 1;
  if (made[undivided]) turn.of = 1;
  if (made[not_turned]) turn.position = 0;
  turn.first = made[one_indexed] ? 1 : 0;
  turn.unit = made[degrees] ? std::numbers::pi / 180 : 1;
  turn.halves = made[halves];
  turn.both_plus = made[both_plus];
  turn.both_minus = made[both_minus];
  turn.overwritten = made[overwritten];
  turn.rest_zero = made[rest_zero];
  return turn;
}

Outputs value_with(const Probe& p, Made made) {
  const In x = p.in("x");
  Sheet sheet("y", p["x"].shape);
  const Out y = sheet.out();
  for (int t = 0; t < x.rows; ++t) {
    Turn turn = turn_of(p, t, x.columns, made);
    turn.exchanged = made[exchanged];
    turn.back = made[turned_back];
    turn.from_halves = made[from_halves];
    (made[mixed] ? turn_mixed : turn_row)(x[t], y[t], x.columns, turn);
  }
  return {sheet.array()};
}

enum WrongGradient { turned_forward = not_turned + 1, cosine_only };

Outputs gradient_with(const Probe& p, Made made) {
  const In g = p.in("g");
  Sheet sheet("dx", p["g"].shape);
  const Out dx = sheet.out();
  for (int t = 0; t < g.rows; ++t) {
    Turn turn = turn_of(p, t, g.columns, made);
    turn.back = !made[turned_forward];
    turn_row(g[t], dx[t], g.columns, turn);
    if (!made[cosine_only]) continue;
    for (int j = 0; j < turn.width; ++j) dx[t][j] = g[t][j] * std::cos(angle(turn, turn.halves ? j % (turn.width / 2) : j / 2));
  }
  return {sheet.array()};
}

enum WrongHeads { heads_halves, values_too, head_axis, width_of_model, queries_only, keys_only, keys_back, index_as_position, of_first_row, first_head,
                  interleaved, values_lost, heads_not_turned, block_by_block, rows_too_near };

// Where number c of head h stands in row t of x [rows, columns].
int place_of(const In& x, int t, int h, int c, int heads, Made made) {
  const int d = x.columns / heads;
  if (made[block_by_block]) return (h * x.rows + t) * d + c;  // as if x were [heads, T, d]
  if (made[rows_too_near]) return h * d + t * d + c;          // as if a row had d numbers
  return t * x.columns + (made[interleaved] ? c * heads + h : h * d + c);
}

Turn turn_of_head(const Probe& p, int t, int h, int columns, bool back, Made made) {
  const int d = columns / p.whole("heads");
  Turn turn{.position = p["positions"].numbers[static_cast<std::size_t>(t)], .theta = p.number("theta"), .width = d};
  if (made[index_as_position]) turn.position = t;
  if (made[of_first_row]) turn.position = p["positions"].numbers[0];
  if (made[head_axis]) turn.position = h;
  if (made[heads_not_turned] || (made[first_head] && h > 0)) turn.position = 0;
  if (made[width_of_model]) turn.of = columns, turn.first = h * d / 2;
  turn.halves = made[heads_halves];
  turn.back = back;
  return turn;
}

// All heads of x, turned.
void turn_heads(In x, Out y, const Probe& p, bool back, Made made) {
  const int heads = p.whole("heads"), d = x.columns / heads;
  std::vector<double> from(static_cast<std::size_t>(d)), to(from);
  for (int h = 0; h < heads; ++h) {
    for (int t = 0; t < x.rows; ++t) {
      for (int c = 0; c < d; ++c) from[static_cast<std::size_t>(c)] = x.numbers[place_of(x, t, h, c, heads, made)];
      turn_row(from.data(), to.data(), d, turn_of_head(p, t, h, x.columns, back, made));
      for (int c = 0; c < d; ++c) y.numbers[place_of(x, t, h, c, heads, made)] = to[static_cast<std::size_t>(c)];
    }
  }
}

Outputs heads_with(const Probe& p, Made made) {
  Outputs outputs;
  for (const char* name : {"q", "k", "v"}) {
    const In x = p.in(name);
    Sheet sheet(std::string("new_") + name, p[name].shape);
    const Out y = sheet.out();
    const bool turns = *name == 'q' ? !made[keys_only] : *name == 'k' ? !made[queries_only] : made[values_too];
    if (turns) turn_heads(x, y, p, made[keys_back] && *name == 'k', made);
    for (int at = 0; at < x.rows * x.columns && !turns; ++at) y.numbers[at] = x.numbers[at];
    if (made[values_lost] && *name == 'v') std::fill_n(y.numbers, x.rows * x.columns, 0.0);
    outputs.push_back(sheet.array());
  }
  return outputs;
}

enum WrongOrder { not_permuted, inverse, all_heads_together, first_half_alone, of_columns, of_all_columns };

Outputs order_with(const Probe& p, Made made) {
  const In w = p.in("w");
  const bool columns = made[of_columns] || made[of_all_columns];
  const int heads = made[all_heads_together] || made[of_all_columns] ? 1 : p.whole("heads"), rows = columns ? w.columns : w.rows, d = rows / heads;
  Sheet sheet("y", p["w"].shape);
  const Out y = sheet.out();
  const auto from = [&](int row) {
    const int i = row % d, begin = row - i;
    if (made[not_permuted] || i >= d / 2 * 2 || begin + d > rows) return row;
    if (made[first_half_alone]) return begin + i / 2;
    return begin + (made[inverse] ? (i < d / 2 ? 2 * i : 2 * (i - d / 2) + 1) : i / 2 + i % 2 * (d / 2));
  };
  for (int i = 0; i < w.rows; ++i) {
    for (int j = 0; j < w.columns; ++j) y[i][j] = columns ? w[i][from(j)] : w[from(i)][j];
  }
  return {sheet.array()};
}

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

const std::vector<Mistake> kShared = {
    {halves, "rope/halves", "", "pair k is (k, k + width/2), as in the common checkpoints", "", true},
    {positions_ignored, "rope/positions-ignored", "Where does row 0 stand?"},
    {one_indexed, "rope/one-indexed", "By how many radians does the first pair turn from one position to the next?"},
    {partial_ignored, "rope/partial-ignored", "What should become of a row's last numbers, if the width is less than d?", "all d numbers turn, whatever the width is", "vllm PR43676"},
    {width_of_head, "rope/width-of-head", "If 4 numbers of 6 turn, which of the two stands in the exponent?", "the exponent is −2k / d, where only `width` of the d numbers turn"},
    {integer_division, "rope/integer-division", "What is 2 / 4 in C++, and what do you get from it for each k?", "every pair turns by p · 1, as if the exponent were 0"},
    {exponent_doubled, "rope/exponent-doubled", "Does your k count pairs, or numbers?", "theta^(−4k / width): the 2 stands there twice"},
    {exponent_halved, "rope/exponent-halved", "How many numbers are a pair?", "theta^(−k / width): the 2 is missing"},
    {exponent_sign, "rope/exponent-sign", "Does the last pair turn faster than the first, or slower?", "theta^(+2k / width): later pairs turn faster"},
    {from_one, "rope/positions-from-one", "What becomes of a row at position 0?", "the positions are counted from 1"},
    {first_position, "rope/first-position", "Where does row 1 stand?", "every row is turned by the position of the first"},
    {degrees, "rope/degrees", "In which unit does std::cos take its angle?", "the angle is turned from degrees to radians, but it is in radians"},
    {both_plus, "rope/sines-both-plus", "Is a pair still as long as before?", "both sines are added, so this is no rotation"},
    {both_minus, "rope/sines-both-minus", "Is a pair still as long as before?", "both sines are subtracted, so this is no rotation"},
    {overwritten, "rope/overwritten", "When you compute the second number of a pair, is the first still the one that was given?", "the second number of a pair is made of the new first one"},
    {rest_zero, "rope/rest-zero", "What should become of a row's last numbers, if the width is less than d?", "what does not turn becomes 0"},
    {theta_hard_coded, "rope/theta-hard-coded", "What happens when somebody asks for another theta?", "theta is 10000, whatever is asked for"},
    {position_missing, "rope/position-missing", "Do two rows turn by different angles?", "every row turns by ω_k, wherever it stands"},
    {undivided, "rope/exponent-undivided", "Does the last pair turn at all?", "theta^(−2k): the exponent is not divided by the width"},
    {not_turned, "rope/not-turned", "Two rows that are alike, at different positions: are they still alike?", "nothing turns"},
};

std::vector<Mistake> with_shared(const std::vector<Mistake>& own) {
  std::vector<Mistake> all = kShared;
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

Stage value_stage() {
  return {
      .function = "rope",
      .right = right_value,
      .with = value_with,
      .mistakes = with_shared({
          {exchanged, "rope/sine-cosine-exchanged", "What are cos 0 and sin 0, and what becomes of a row at position 0?", "sine and cosine are exchanged"},
          {turned_back, "rope/turned-back", "At position 1, to which side does (1, 0) turn?", "the pairs turn the other way"},
          {mixed, "rope/layout-mixed", "Which two numbers turn together, and do both turn by the same angle?"},
          {from_halves, "rope/halves-to-pairs", "Do you write a pair to where you read it?", "a pair is read in one layout and written in the other"},
      }),
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
      .with = gradient_with,
      .mistakes = with_shared({
          {turned_forward, "rope/gradient-turned-forward", "Turned by φ on the way there: by how much on the way back?", "the gradient is turned by φ, as x was, not back"},
          {cosine_only, "rope/gradient-cosine-only", "a is in two outputs. Does its gradient have two terms?", "dx = g cos φ: the terms with the sine are missing"},
      }),
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
      .with = heads_with,
      .mistakes =
          {
              {heads_halves, "rope/halves", "", "pair k is (k, k + width/2), as in the common checkpoints", "", true},
              {values_too, "rope/values-too", "What would turn a value back?"},
              {head_axis, "rope/head-axis", "Two rows at different positions: are they turned by different angles?"},
              {width_of_model, "rope/width-of-model", "How fast does the first pair of the second head turn?", "the frequencies run on from head to head, with the width of the model"},
              {queries_only, "rope/queries-only", "Only one of the two turns: what does their product know then?", "the queries turn, the keys do not"},
              {keys_only, "rope/keys-only", "Only one of the two turns: what does their product know then?", "the keys turn, the queries do not"},
              {keys_back, "rope/keys-back", "Is it the difference of the two positions that the product sees, or their sum?", "the keys turn the other way"},
              {index_as_position, "rope/positions-ignored", "Where does row 0 stand?"},
              {of_first_row, "rope/first-position", "Where does row 1 stand?", "every row is turned by the position of the first"},
              {first_head, "rope/first-head-only", "Which columns has the second head?", "only the first head is turned"},
              {interleaved, "rope/heads-interleaved", "Which columns has the first head?", "head h takes the columns h, h + heads, …"},
              {values_lost, "rope/values-lost", "What does attention get as values?", "the new values are 0"},
              {heads_not_turned, "rope/not-turned", "Two rows that are alike, at different positions: are they still alike?", "nothing turns"},
              {block_by_block, "attn/split-without-transpose", "In memory, how far is it from a head's first row to its second?"},
              {rows_too_near, "attn/rows-too-near", "In memory, how far is it from a head's first row to its second?"},
          },
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
      .with = order_with,
      .mistakes =
          {
              {not_permuted, "rope/not-permuted", "Which row makes the partner of row 0, and where do you want it?", "rows ordered for halves are used for pairs",
               "AiDotNet PR2074, nanotron PR427, nurl PR584, TinyLlama#24, LLMs-from-scratch PR747"},
              {inverse, "rope/permuted-the-other-way", "Is this the way from halves to pairs, or from pairs to halves?", "the permutation from pairs to halves, not from halves to pairs"},
              {all_heads_together, "rope/permuted-across-heads", "Does a head still have its own rows?", "all rows are permuted as if they were one head's"},
              {first_half_alone, "rope/first-half-twice", "Where do the rows of a head's second half go?", "the rows of a head's first half stand there twice"},
              {of_columns, "rope/columns-permuted", "Which axis of W makes a query's numbers: the rows, or the columns?", "the columns are permuted, not the rows"},
              {of_all_columns, "rope/columns-permuted", "Which axis of W makes a query's numbers: the rows, or the columns?"},
          },
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
