#include "examples/exercises/set/alibi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/position/alibi.h"

namespace gradus::exercises::set {
namespace in_alibi {
namespace {

enum Wrong { as_code, from_zero, integer_division, eight_missing, exponent_sign, natural_base, one_head_less, one_slope, last_first, next_power,
             even_steps, ratio_rounded, of_eight, xor_for_power, always_halved, one_head_more };

int power_within(int heads) {
  int power = 1;
  while (2 * power <= heads) power *= 2;
  return power;
}

// The slope of head h = 0 … heads − 1.
double slope(int h, int heads, Made made) {
  const int power = power_within(heads);
  if (made[as_code] && power < heads) {  // those of the power of two below, then every second one of the power above
    const Made rest = Made(made).reset(as_code);
    return h < power ? slope(h, power, rest) : slope(2 * (h - power), 2 * power, rest);
  }
  if (made[next_power] && power < heads) heads = 2 * power;
  const int count = made[one_slope] ? 1 : made[last_first] ? heads - h : h + 1;
  const int number = count - (made[from_zero] ? 1 : 0), of = made[one_head_less] ? std::max(heads - 1, 1) : heads + (made[one_head_more] ? 1 : 0);
  const int eight = made[eight_missing] ? 1 : 8;
  if (made[of_eight]) return std::pow(2, -number);
  if (made[xor_for_power]) return 2 ^ (-eight * number / of);
  if (made[always_halved]) return std::pow(2, -1.0 * eight / of) / std::pow(2, number - 1);
  if (made[ratio_rounded]) return std::pow(2, -eight / of * number);
  if (made[even_steps]) return 1.0 * (heads - number + 1) / heads;
  double exponent = made[integer_division] ? -eight * number / of : -1.0 * eight * number / of;
  if (made[exponent_sign]) exponent = -exponent;
  return made[natural_base] ? std::exp(exponent) : std::pow(2, exponent);
}

Outputs slopes_with(const Probe& p, Made made) {
  Sheet sheet("m", {1, p.whole("H")});
  const Out m = sheet.out();
  for (int h = 0; h < m.columns; ++h) m[0][h] = slope(h, m.columns, made);
  return {sheet.array()};
}

enum WrongScores { sign, index_distance, key_alone, not_absolute, later_not, bias_scaled, no_scale, scale_by_d, slope_missing, first_slope,
                   head_of_row, multiplied, squared, from_one, bias_missing, slopes_made_again, scale_by_keys, scale_by_queries,
                   scale_by_model, scale_multiplies };

double distance(const Probe& p, int i, int j, Made made) {
  const double query = made[index_distance] ? i : p.in("queries")[0][i], key = made[index_distance] ? j : p.in("keys")[0][j];
  double between = made[key_alone] ? -key : made[not_absolute] ? query - key : std::abs(query - key);
  if (made[later_not]) between = std::max(query - key, 0.0);
  if (made[from_one]) between += 1;
  if (made[bias_missing]) between = 0;
  return made[squared] ? between * between : between;
}

// What q · k is divided by.
double root_of(const Probe& p, Made made) {
  const int d = p.whole("d"), heads = columns_of(p["slopes"]);
  if (made[no_scale]) return 1;
  if (made[scale_by_d]) return d;
  if (made[scale_by_keys]) return std::sqrt(columns_of(p["keys"]));
  if (made[scale_by_queries]) return std::sqrt(columns_of(p["queries"]));
  return std::pow(made[scale_by_model] ? d * heads : d, made[scale_multiplies] ? -0.5 : 0.5);
}

Outputs scores_with(const Probe& p, Made made) {
  const In products = p.in("products"), slopes = p.in("slopes");
  const int length = p.in("queries").columns;
  Sheet sheet("e", p["products"].shape);
  const Out e = sheet.out();
  for (int row = 0; row < products.rows; ++row) {
    const int h = made[first_slope] ? 0 : made[head_of_row] ? row % slopes.columns : row / length;
    const int i = made[head_of_row] ? row / slopes.columns : row % length;
    const double m = made[slope_missing] ? 1 : made[slopes_made_again] ? slope(h, slopes.columns, {}) : slopes[0][h], root = root_of(p, made);
    for (int j = 0; j < products.columns; ++j) {
      const double bias = (made[sign] ? m : -m) * distance(p, i, j, made), score = products[row][j] / root;
      e[row][j] = made[multiplied] ? score * bias : score + bias / (made[bias_scaled] ? root : 1);
    }
  }
  return {sheet.array()};
}

Probe probe_of_slopes(const std::string& name, int heads) { return {name, {number("H", heads)}}; }

std::vector<Probe> probes_of_slopes() {
  return {probe_of_slopes("2 heads", 2), probe_of_slopes("3 heads", 3), probe_of_slopes("8 heads", 8), probe_of_slopes("12 heads", 12),
          probe_of_slopes("16 heads", 16), probe_of_slopes("one head", 1)};
}

Array places(const std::string& name, const std::vector<double>& at) { return array(name, {1, static_cast<int>(at.size())}, at); }

Tensor slopes_of(int heads) { return nn::alibi_slopes(heads, nn::AlibiSlopes::text); }

Probe with_slopes(Probe p, const std::vector<double>& slopes) {
  p.inputs[1].numbers = slopes;
  return p;
}

Probe probe(const std::string& name, int heads, const std::vector<double>& queries, const std::vector<double>& keys, int d, std::uint64_t seed) {
  const int rows = heads * static_cast<int>(queries.size()), columns = static_cast<int>(keys.size());
  return {name, {drawn("products", {rows, columns}, seed, 3, 0.4), array_of("slopes", reshape(slopes_of(heads), {1, heads})),
                 places("queries", queries), places("keys", keys), number("d", d)}};
}

std::vector<Probe> probes_of_scores() {
  return {probe("2 heads, a query at 3, keys at 1, 3 and 4", 2, {3}, {1, 3, 4}, 4, 261),
          probe("3 heads, two queries, five keys", 3, {7, 2}, {0, 1, 2, 7, 9}, 5, 262),
          probe("2 heads, four queries, three keys", 2, {40, 41, 3, 5}, {39, 44, 4}, 9, 263),
          with_slopes(probe("4 heads with slopes of their own, three queries, six keys", 4, {3, 4, 5}, {0, 1, 2, 3, 4, 5}, 7, 264), {0.3, 1.1, 0.07, 0.6})};
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
  return {array_of("e", products * scale + reshape(reshape(bias, {heads, queries, keys}) * reshape(others, {heads, 1, 1}), products.shape()))};
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
    return std::abs(is - score) <= 1e-9 ? "" : fmt::format("e[{}][{}] is {}, and q · k / √d is {}", row, j, beside(is, score), beside(score, is));
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

Stage slopes_stage() {
  return {
      .function = "alibi_slopes",
      .right = right_slopes,
      .with = slopes_with,
      .mistakes =
          {
              {as_code, "alibi/slopes-of-code", "", "if H is no power of two: the slopes of the power below it, then every second one of the power above", "ofirpress/attention_with_linear_biases", true},
              {from_zero, "alibi/slope-exponent", "Which number has the first head, 0 or 1?"},
              {integer_division, "alibi/integer-division", "What is 8 / 3 in C++?", "the exponent is rounded to a whole number"},
              {eight_missing, "alibi/eight-missing", "Which slope has the last head?", "2^(−h / H): the 8 is missing"},
              {exponent_sign, "alibi/exponent-sign", "Which slope is larger than 1?", "2^(+8h / H)"},
              {natural_base, "alibi/natural-base", "Which number is raised to the power −8h / H?", "e^(−8h / H), not 2^(−8h / H)"},
              {one_head_less, "alibi/one-head-less", "Which slope has the last head?", "divided by H − 1"},
              {one_slope, "alibi/one-slope", "Do two heads look equally far back?", "every head has the first one's slope"},
              {last_first, "alibi/last-first", "Which head has the steepest slope?", "the heads are counted from the last"},
              {next_power, "alibi/next-power", "Which slope has the last of 3 heads?", "H is rounded up to a power of two"},
              {even_steps, "alibi/even-steps", "Is it a difference that the slopes have in common, or a ratio?", "the slopes are in even steps from 1 to 1 / H"},
              {ratio_rounded, "alibi/ratio-rounded", "What is 8 / 3 in C++?", "8 / H is rounded to a whole number"},
              {of_eight, "alibi/slopes-of-eight", "Which slope has the last of 2 heads?", "2^(−h), which is right for 8 heads alone"},
              {xor_for_power, "alibi/xor-for-power", "What does 2 ^ 3 mean in C++?", "2 ^ x, which in C++ is no power: ^ exchanges bits"},
              {always_halved, "alibi/always-halved", "Which ratio have the slopes of 2 heads, and of 16?", "each slope is half of the one before, however many heads there are"},
              {one_head_more, "alibi/one-head-more", "Which slope has the last head?", "divided by H + 1"},
          },
      .probes = probes_of_slopes(),
      .laws = {{"the last head's slope is 1/256", ends_at_256th, "Which power of 2 does the last head get?"},
               {"from head to head the slopes have one ratio", equal_ratios, "What is the exponent of head h, and what does it grow by from head to head?"}},
      .hints = {"With 8 heads, the slopes are ½, ¼, … Which one does the last head have? And the last one of 4 heads?",
                "The formula counts heads from 1, and your loop from 0. 8h / H need not be a whole number.",
                "The last slope is 1/256 for any number of heads, and from head to head the slopes have one ratio, 2 to the power −8/H.",
                "With h from 1, m_h = 2^(−8h/H), the exponent divided as real numbers. A power is std::pow: in C++ ^ is something else."},
  };
}

Stage scores_stage() {
  return {
      .function = "alibi_scores",
      .right = right_scores,
      .with = scores_with,
      .mistakes =
          {
              {sign, "alibi/sign", "Does a far key count more, or less?", "m |p_i − p_j| is added"},
              {index_distance, "alibi/positions-ignored", "Where does query 0 stand?", "the distance is i − j, of the rows and columns, not of the positions"},
              {key_alone, "alibi/key-position-alone", "Is a key after the query nearer or farther than one before it?", "the bias is m · p_j: as good under a causal mask, but not without one"},
              {not_absolute, "alibi/not-absolute", "Does a key after the query count more than one at its place?", "p_i − p_j, which is less than 0 for later keys"},
              {later_not, "alibi/later-not", "What becomes of a key that stands after the query?", "keys after the query have no bias"},
              {bias_scaled, "alibi/bias-scaled", "What is divided by √d: the product, or all?", "the bias is divided by √d as well"},
              {no_scale, "attn/no-scale", "How large are the scores if d is four times as large?"},
              {scale_by_d, "attn/scale-by-d", "Numbers of size 1: of which size is a sum of 64 products of them, 64 or 8?", "divided by d, not by its root"},
              {slope_missing, "alibi/slope-missing", "Do two heads look equally far back?", "|p_i − p_j| without a slope"},
              {first_slope, "alibi/first-slope", "Do two heads look equally far back?", "every head has the first one's slope"},
              {head_of_row, "alibi/head-of-row", "To which head belongs row 1, if there are three queries?", "row i · H + h is taken for query i of head h"},
              {multiplied, "alibi/multiplied", "What becomes of the score of a key at the query's own place?", "the bias multiplies the score"},
              {squared, "alibi/squared", "How does the bias grow from one key to the next?", "the distance is squared"},
              {from_one, "alibi/distance-from-one", "How far is a key at the query's own place?", "the distance is counted from 1"},
              {bias_missing, "alibi/bias-missing", "Does a far key count less than a near one?", "nothing is subtracted"},
              {slopes_made_again, "alibi/slopes-made-again", "Where do the slopes come from?", "the slopes that are given are not used: they are made again from the number of heads"},
              {scale_by_keys, "attn/scale-by-length", "Of how many products is a score the sum?"},
              {scale_by_queries, "attn/scale-by-length", "Of how many products is a score the sum?"},
              {scale_by_model, "attn/scale-by-model", "Of how many products is a head's score the sum?"},
              {scale_multiplies, "attn/divided-by-scale", "Should a larger d make the scores larger?"},
          },
      .probes = probes_of_scores(),
      .laws = {{"a key at the query's own position has the score q · k / √d", scale_is_right, "Where the distance is 0 there is no bias. By which number do you divide q · k?"},
               {"a key at the query's own position keeps its score", no_bias_at_distance_0, "What is the distance between a query and a key at its own position?"},
               {"no score becomes larger", never_more, "Is the distance times the slope added, or subtracted?"}},
      .hints = {"One key stands at the query's own position, another one 10 away. How much does each score lose?",
                "A row of products belongs to a query and to a head. The head gives the slope, the query and the column's key give the distance.",
                "A key at the query's own position has the score q · k / √d, and no key has more than that.",
                "Row h · T + i, with h from 0, is query i of the head with slope number h. Divide the product by √d, and subtract the slope times |p_i − p_j|, which is not divided."},
  };
}

}  // namespace
}  // namespace in_alibi

Functions alibi(void (*slopes)(Out), void (*scores)(In, In, In, In, int, Out)) {
  return {[=](const Probe& p) {
            Sheet m("m", {1, p.whole("H")});
            slopes(m.out());
            return Outputs{m.array()};
          },
          [=](const Probe& p) {
            Sheet e("e", p["products"].shape);
            scores(p.in("products"), p.in("slopes"), p.in("queries"), p.in("keys"), p.whole("d"), e.out());
            return Outputs{e.array()};
          }};
}

Exercise alibi_exercise() {
  return {
      .number = 15,
      .id = "alibi",
      .title = "Slopes for the heads, and a bias for the scores",
      .section = "ch06-scores.md#pos-alibi",
      .needs = {},
      .minutes = 20,
      .done = "Nothing is learned here, so nothing is missing at distances that were never trained.",
      .stages = {in_alibi::slopes_stage(), in_alibi::scores_stage()},
  };
}

}  // namespace gradus::exercises::set
