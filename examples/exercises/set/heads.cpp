#include "examples/exercises/set/heads.h"

#include <algorithm>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/attention/attention.h"

namespace gradus::exercises::set {
namespace in_heads {
namespace {

// The sizes of a probe, and places in arrays of these sizes.
struct Sizes {
  int batch, heads, length, width;
  int groups = heads;
  int at(int b, int h, int t, int c) const { return ((b * heads + h) * length + t) * width + c; }        // in [B, H, T, d]
  int beside(int b, int h, int t, int c) const { return (b * length + t) * heads * width + h * width + c; }  // in [B, T, H · d]
  int shared(int b, int h, int t, int c) const { return ((b * groups + h) * length + t) * width + c; }   // in [B, G, T, d]
};

// What only moves numbers: where each of y's comes from. Its gradient adds up where they came from.
Outputs moved(const Probe& p, const std::vector<int>& from) {
  const Array &x = p["x"], &g = p["g"];
  Array y = array("y", g.shape, g.numbers), dx = array("dL/dx", x.shape, x.numbers);
  std::fill(dx.numbers.begin(), dx.numbers.end(), 0.0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    y.numbers[i] = x.numbers[static_cast<std::size_t>(from[i])];
    dx.numbers[static_cast<std::size_t>(from[i])] += g.numbers[i];
  }
  return {y, dx};
}

// f(b, h, t, c) says the place in y, and that in x.
template <typename F> Outputs moved_by(const Probe& p, const Sizes& s, const F& f) {
  std::vector<int> from(p["g"].numbers.size());
  for (int b = 0; b < s.batch; ++b) {
    for (int h = 0; h < s.heads; ++h) {
      for (int t = 0; t < s.length; ++t) {
        for (int c = 0; c < s.width; ++c) {
          const auto [to, place] = f(b, h, t, c);
          from[static_cast<std::size_t>(to)] = place;
        }
      }
    }
  }
  return moved(p, from);
}

enum Wrong { without_transpose, interleaved, batch_exchanged, transposed_first, first_head, length_not_second };

Outputs split_with(const Probe& p, Made made) {
  const std::vector<int>& shape = p["g"].shape;
  const Sizes s{shape[0], shape[1], shape[2], shape[3]};
  return moved_by(p, s, [&](int b, int h, int t, int c) {
    const int to = made[batch_exchanged] ? ((h * s.batch + b) * s.length + t) * s.width + c : s.at(b, h, t, c);
    if (made[without_transpose]) return std::pair(to, s.at(b, h, t, c));
    if (made[transposed_first]) {  // [B, H · d, T], read as [B, H, T, d]
      const int flat = s.at(0, h, t, c);
      return std::pair(to, b * s.length * s.heads * s.width + flat % s.length * s.heads * s.width + flat / s.length);
    }
    const int head = made[first_head] ? 0 : h;
    return std::pair(to, made[interleaved] ? s.beside(b, 0, t, c * s.heads + head) : s.beside(b, head, t, c));
  });
}

Outputs merge_with(const Probe& p, Made made) {
  const std::vector<int>& shape = p["x"].shape;
  const Sizes s{shape[0], shape[1], shape[2], shape[3]};
  return moved_by(p, s, [&](int b, int h, int t, int c) {
    const int from = made[batch_exchanged] ? ((h * s.batch + b) * s.length + t) * s.width + c : s.at(b, made[first_head] ? 0 : h, t, c);
    if (made[without_transpose]) return std::pair(s.at(b, h, t, c), from);
    if (made[transposed_first]) return std::pair(((b * s.heads + h) * s.width + c) * s.length + t, from);  // [B, H, d, T], read on
    if (made[length_not_second]) return std::pair((b * s.width + c) * s.length * s.heads + t * s.heads + h, from);
    return std::pair(made[interleaved] ? s.beside(b, 0, t, c * s.heads + h) : s.beside(b, h, t, c), from);
  });
}

enum WrongShare { tiled, over_batch, over_tokens, over_numbers, first_group };

Outputs share_with(const Probe& p, Made made) {
  const std::vector<int>& shape = p["g"].shape;
  const Sizes s{shape[0], shape[1], shape[2], shape[3], p["x"].shape[1]};
  const int each = s.heads / s.groups, size = static_cast<int>(p["x"].numbers.size());
  return moved_by(p, s, [&](int b, int h, int t, int c) {
    const int to = s.at(b, h, t, c);
    if (made[over_batch]) return std::pair(to, to % size);
    if (made[over_tokens]) return std::pair(to, to / s.width / each * s.width + c);
    if (made[over_numbers]) return std::pair(to, to / each);
    return std::pair(to, s.shared(b, made[first_group] ? 0 : made[tiled] ? h % s.groups : h / each, t, c));
  });
}

// 1.1 is number 1 of row 1 (and 11.1 that of row 11): one sees where each goes.
Array counted(std::vector<int> shape) {
  std::vector<double> numbers;
  const int columns = shape.back();
  int rows = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
  for (int row = 1; row <= rows; ++row) {
    for (int column = 1; column <= columns; ++column) numbers.push_back(row + column / 10.0);
  }
  return array("x", std::move(shape), numbers);
}

// With heads = 0 for a function that is not told how many there are.
Probe probe(const std::string& name, const Array& x, const std::vector<int>& y, int heads, std::uint64_t seed) {
  Probe p{name, {x}};
  if (heads > 0) p.inputs.push_back(number("heads", heads));
  p.inputs.push_back(drawn("g", y, seed, 1, 0.3));
  return p;
}

std::vector<Probe> probes_of_split() {
  return {probe("three tokens, 2 heads of 2 numbers", counted({1, 3, 4}), {1, 2, 3, 2}, 2, 221),
          probe("two texts of one token, 2 heads of 3 numbers", counted({2, 1, 6}), {2, 2, 1, 3}, 2, 226),
          probe("two texts of five tokens, 3 heads of 4 numbers", drawn("x", {2, 5, 12}, 222, 1, 0.3), {2, 3, 5, 4}, 3, 223),
          probe("three texts of four tokens, 2 heads of 5 numbers", drawn("x", {3, 4, 10}, 224, 1, 0.3), {3, 2, 4, 5}, 2, 225)};
}

std::vector<Probe> probes_of_merge() {
  return {probe("three tokens, 2 heads of 2 numbers", counted({1, 2, 3, 2}), {1, 3, 4}, 0, 231),
          probe("two texts of one token, 2 heads of 3 numbers", counted({2, 2, 1, 3}), {2, 1, 6}, 0, 236),
          probe("two texts of five tokens, 3 heads of 4 numbers", drawn("x", {2, 3, 5, 4}, 232, 1, 0.3), {2, 5, 12}, 0, 233),
          probe("three texts of four tokens, 2 heads of 5 numbers", drawn("x", {3, 2, 4, 5}, 234, 1, 0.3), {3, 4, 10}, 0, 235)};
}

std::vector<Probe> probes_of_share() {
  return {probe("one token of 3 numbers, 2 heads that become 4", counted({1, 2, 1, 3}), {1, 4, 1, 3}, 4, 241),
          probe("three tokens of 2 numbers, 2 heads that become 4", counted({1, 2, 3, 2}), {1, 4, 3, 2}, 4, 248),
          probe("two texts of five tokens, 3 heads that become 6", drawn("x", {2, 3, 5, 4}, 242, 1, 0.3), {2, 6, 5, 4}, 6, 243),
          probe("three texts of four tokens, 2 heads that become 6", drawn("x", {3, 2, 4, 5}, 244, 1, 0.3), {3, 6, 4, 5}, 6, 245),
          probe("two texts of three tokens, one head that becomes 4", drawn("x", {2, 1, 3, 5}, 246, 1, 0.3), {2, 4, 3, 5}, 4, 247)};
}

// The value and the gradient of what the student's function, or the library's, makes of x.
template <typename F> Outputs outputs_of(const Probe& p, const F& f) {
  const Tensor x = tensor_of(p["x"]).set_requires_grad();
  const Tensor y = f(x);
  check_unchanged(p, "x", x);
  const Array value = checked("y", y, p["g"].shape);
  if (!y.requires_grad()) throw GradientCut{"x"};
  const Array dx = checked("x", grad({y}, {x}, {.seeds = {tensor_of(p["g"])}, .allow_unused = true})[0], p["x"].shape);
  return {value, array("dL/dx", dx.shape, dx.numbers)};
}

Outputs right_split(const Probe& p) {
  return outputs_of(p, [&](const Tensor& x) { return stack(chunk(x, p.whole("heads"), 2), 1); });
}

Outputs right_merge(const Probe& p) {
  return outputs_of(p, [](const Tensor& x) {
    Tensors heads;
    for (int64_t h = 0; h < x.size(1); ++h) heads.push_back(select(x, 1, h));
    return cat(heads, 2);
  });
}

Outputs right_share(const Probe& p) {
  return outputs_of(p, [&](const Tensor& x) { return transpose(nn::repeat_heads(transpose(x, 1, 2), p.whole("heads")), 1, 2); });
}

// Is each number of x in y, as often as any other?
std::string each_as_often(const Probe& p, const Outputs& outputs) {
  std::vector<double> in_x = p["x"].numbers, in_y = outputs[0].numbers;
  const std::size_t times = in_y.size() / in_x.size();
  std::sort(in_x.begin(), in_x.end());
  std::sort(in_y.begin(), in_y.end());
  for (std::size_t i = 0; i < in_y.size(); ++i) {
    if (in_y[i] != in_x[i / times]) return "some are missing, and others are there too often";
  }
  return "";
}

std::string gradients_sum(const Probe& p, const Outputs& outputs) {
  double in_g = 0, in_dx = 0;
  for (double one : p["g"].numbers) in_g += one;
  for (double one : outputs[1].numbers) in_dx += one;
  return std::abs(in_g - in_dx) <= 1e-6 * static_cast<double>(p["g"].numbers.size()) ? "" : "they differ";
}

const std::vector<Law> kLaws = {{"each number of x is in y as often as any other", each_as_often, "Which numbers of x does y read twice, and which never?"},
                                {"what only moves numbers moves gradients: those of x sum to those of y", gradients_sum, "By which ops does x become y: does each hand on its whole gradient?"}};

Stage split_stage() {
  return {
      .function = "split_heads",
      .right = right_split,
      .with = split_with,
      .mistakes =
          {
              {without_transpose, "attn/split-without-transpose", "Which columns of x has the first head of the second token?"},
              {interleaved, "attn/heads-interleaved", "Are the numbers of one head neighbours in x?", "head h takes the columns h, h + heads, …"},
              {batch_exchanged, "attn/batch-and-heads-exchanged", "Do both texts keep their own heads?", "[H, B, T, d], read as [B, H, T, d]", "lsdefine#36"},
              {transposed_first, "attn/transposed-before-split", "When you cut the columns into heads, are they still the last axis?", "[B, H · d, T], read as [B, H, T, d]"},
              {first_head, "attn/first-head-repeated", "Which columns are the second head's?", "every head is the first head again"},
          },
      .probes = probes_of_split(),
      .laws = kLaws,
      .hints = {"Two tokens lie in memory as: head 0 of the first, head 1 of the first, head 0 of the second … In which order do you want them?",
                "reshape moves nothing in memory; it only reads it with other sizes. What moves numbers is permute, and transpose.",
                "Cut an axis into two where it stands, the left one first; only then change the order of the axes.",
                "[B, T, H · d] is read as [B, T, H, d], whose second and third axes are then exchanged."},
  };
}

Stage merge_stage() {
  return {
      .function = "merge_heads",
      .right = right_merge,
      .with = merge_with,
      .mistakes =
          {
              {without_transpose, "attn/merge-without-transpose", "Which numbers of x belong to the first token?"},
              {interleaved, "attn/heads-interleaved", "Are the numbers of one head neighbours in y?", "head h takes the columns h, h + heads, …"},
              {batch_exchanged, "attn/batch-and-heads-exchanged", "Do both texts keep their own heads?", "[H, B, T, d], read as [B, H, T, d]", "lsdefine#36"},
              {transposed_first, "attn/merge-of-turned-heads", "Which axis should stand beside the heads when they become columns?", "[B, H, d, T], read as [B, T, H · d]"},
              {first_head, "attn/first-head-repeated", "Which columns are the second head's?", "every head is the first head again"},
              {length_not_second, "attn/length-not-second", "Is the second axis of what you reshape that of the tokens?", "[B, d, T, H], read as [B, T, H · d]"},
          },
      .probes = probes_of_merge(),
      .laws = kLaws,
      .hints = {"Which numbers of x make one row of y, and how far apart are they in memory?",
                "The two steps of split_heads backwards: what came last there comes first here.",
                "Axes may be joined only where they are neighbours and the left one is the outer one. Split, then merged, is x again.",
                "[B, H, T, d] with its second and third axes exchanged is [B, T, H, d], whose last two axes are then read as one."},
  };
}

Stage share_stage() {
  return {
      .function = "share_heads",
      .right = right_share,
      .with = share_with,
      .mistakes =
          {
              {tiled, "attn/kv-heads-tiled", "Which two heads of y are copies of the first head of x?"},
              {over_batch, "attn/repeated-over-batch", "Does the second text still have its own numbers?", "all of x is repeated, text after text"},
              {over_tokens, "attn/repeated-over-tokens", "Does a head have each of its tokens once?", "each token is repeated, not each head"},
              {over_numbers, "attn/repeated-over-numbers", "Does a token have each of its numbers once?", "each number is repeated, not each head"},
              {first_group, "attn/first-group-alone", "Who reads the second head of x?", "every head is the first one of x"},
          },
      .probes = probes_of_share(),
      .laws = kLaws,
      .hints = {"Two heads become four. Which heads of y are copies of the first head of x: 0 and 1, or 0 and 2?",
                "A new axis of size 1 is stretched, and joined with that of the heads: on which side of it must it stand?",
                "Each head of x is in y H / G times, the copies side by side, and its gradient is the sum of theirs.",
                "[B, G, 1, T, d], stretched to [B, G, H / G, T, d], and read as [B, H, T, d]."},
  };
}

}  // namespace
}  // namespace in_heads

Functions heads(Tensor (*split)(const Tensor&, int64_t), Tensor (*merge)(const Tensor&), Tensor (*share)(const Tensor&, int64_t)) {
  return {[=](const Probe& p) { return in_heads::outputs_of(p, [&](const Tensor& x) { return split(x, p.whole("heads")); }); },
          [=](const Probe& p) { return in_heads::outputs_of(p, merge); },
          [=](const Probe& p) { return in_heads::outputs_of(p, [&](const Tensor& x) { return share(x, p.whole("heads")); }); }};
}

Exercise heads_exercise() {
  return {
      .number = 18,
      .id = "heads",
      .title = "Heads apart, heads together, and heads that are shared",
      .section = "ch07.md#attn-multi-head",
      .needs = {"attention"},
      .minutes = 25,
      .done = "Shapes were right in most of the wrong answers: reshape gives the shape you ask for, whatever numbers come to stand in it.",
      .stages = {in_heads::split_stage(), in_heads::merge_stage(), in_heads::share_stage()},
      .also = {"ch07.md#attn-gqa"},
  };
}

}  // namespace gradus::exercises::set
