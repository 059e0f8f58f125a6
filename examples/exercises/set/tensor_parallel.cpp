#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/tensor_parallel.h"

namespace gradus::exercises::set {
namespace in_tensor_parallel {
namespace {

// What each rank has: an input's first axis.
Tensors of_ranks(const Array& array) {
  Tensors ranks;
  for (int r = 0; r < array.shape[0]; ++r) ranks.push_back(tensor_of(array)[r].detached_copy());
  return ranks;
}

Array joined(const std::string& name, const Tensors& ranks, const Array& like) {
  if (ranks.size() != static_cast<std::size_t>(like.shape[0]))
    throw WrongShape{name, fmt::format("of {} ranks", ranks.size()), fmt::format("that of {}", like.shape[0])};
  const std::vector<int> shape(like.shape.begin() + 1, like.shape.end());
  for (const Tensor& one : ranks) checked(name, one, shape);
  return array_of(name, stack(ranks));
}

// --- the two ops ---------------------------------------------------------------------------------------------------------------

Outputs op_outputs(const Probe& p, OverRanks* op) {
  const Tensors x = of_ranks(p["x"]), g = of_ranks(p["g"]);
  const auto [y, dx] = op(x, g);
  check_unchanged(p, "x", stack(x));
  check_unchanged(p, "g", stack(g));
  return {joined("y", y, p["x"]), joined("dL/dx", dx, p["x"])};
}

Tensor sum_of(const Array& array) { return expand(sum(tensor_of(array), {0}, true), tensor_of(array).shape()); }

Outputs copied(const Probe& p) { return {array_of("y", tensor_of(p["x"])), array_of("dL/dx", sum_of(p["g"]))}; }
Outputs summed(const Probe& p) { return {array_of("y", sum_of(p["x"])), array_of("dL/dx", tensor_of(p["g"]))}; }

Array same_on_all(const std::string& name, int ranks, const std::vector<int>& shape, std::uint64_t seed) {
  const Array one = drawn(name, shape, seed, 1, 0.3);
  Array all{name, shape, {}};
  all.shape.insert(all.shape.begin(), ranks);
  for (int r = 0; r < ranks; ++r) all.numbers.insert(all.numbers.end(), one.numbers.begin(), one.numbers.end());
  return all;
}

Array other_on_each(const std::string& name, int ranks, std::vector<int> shape, std::uint64_t seed) {
  shape.insert(shape.begin(), ranks);
  return drawn(name, shape, seed, 1, 0.3);
}

// `x` and `g` on 2, 3 and 4 ranks.
template <typename X, typename G> std::vector<Probe> op_probes(const X& x, const G& g, std::uint64_t seed) {
  std::vector<Probe> probes;
  const auto add = [&](const std::string& name, int ranks, const std::vector<int>& shape) {
    probes.push_back({name, {x("x", ranks, shape, seed), g("g", ranks, shape, seed + 1)}});
    seed += 2;
  };
  add("two ranks, one row of 3", 2, {1, 3});
  add("three ranks, two rows of 4", 3, {2, 4});
  add("four ranks, three rows of 2", 4, {3, 2});
  return probes;
}

// Is each rank's output number `at` that of input `of`, or is it the sum of all, on each rank?
std::string is_own(const Probe& p, const Outputs& outputs, std::size_t at, const char* of) {
  return equal(outputs[at], array(outputs[at].name, p[of].shape, p[of].numbers))
             ? ""
             : fmt::format("{} of some rank is not its {}", outputs[at].name, of);
}
std::string is_sum(const Probe& p, const Outputs& outputs, std::size_t at, const char* of) {
  return equal(outputs[at], array_of(outputs[at].name, sum_of(p[of])))
             ? ""
             : fmt::format("{} of some rank is not the sum of all {}", outputs[at].name, of);
}

Stage copy_stage() {
  return {
      .right = copied,
      .probes = op_probes(same_on_all, other_on_each, 301),
      .laws = {{"every rank has x", [](const Probe& p, const Outputs& o) { return is_own(p, o, 0, "x"); },
                "What does the layer of a rank read, if there are twice as many ranks?"},
               {"dL/dx is the sum of all ranks' gradients, on every rank",
                [](const Probe& p, const Outputs& o) { return is_sum(p, o, 1, "g"); },
                "One number of x grows by 0.1. Which ranks' y move, and what does each of them add to L?"}},
  };
}

Stage sum_stage() {
  return {
      .right = summed,
      .probes = op_probes(other_on_each, same_on_all, 311),
      .laws = {{"y is the sum of all x, on every rank", [](const Probe& p, const Outputs& o) { return is_sum(p, o, 0, "x"); },
                "Which products does each rank have, and who needs their sum?"},
               {"dL/dx is dL/dy, on every rank", [](const Probe& p, const Outputs& o) { return is_own(p, o, 1, "g"); },
                "One number of x[r] grows by 0.1: how far does y move? And how many losses are there?"}},
  };
}

// --- a layer -------------------------------------------------------------------------------------------------------------------

// Its parts, their sum, and the gradients of that.
template <typename F> Outputs layer_outputs(const Probe& p, const F& part_of_layer) {
  const char* const names[] = {"x", "u", "a", "v", "b"};
  Tensors in;
  for (const char* name : names) in.push_back(tensor_of(p[name]).set_requires_grad());
  const int ranks = p.whole("ranks");
  Array parts{"parts", p["x"].shape, {}};
  parts.shape.insert(parts.shape.begin(), ranks);
  Tensor y;
  for (int rank = 0; rank < ranks; ++rank) {
    const Tensor part = part_of_layer(in, rank, ranks);
    const Array values = checked(fmt::format("the part of rank {}", rank), part, p["x"].shape);
    parts.numbers.insert(parts.numbers.end(), values.numbers.begin(), values.numbers.end());
    y = rank == 0 ? part : y + part;
  }
  for (std::size_t i = 0; i < in.size(); ++i) check_unchanged(p, names[i], in[i]);
  if (!y.requires_grad()) throw GradientCut{"x"};
  const Tensors gradients = grad({y}, in, {.seeds = {tensor_of(p["g"])}, .allow_unused = true});
  Outputs outputs = {parts, array_of("y", y)};
  for (std::size_t i = 0; i < in.size(); ++i) {
    const Tensor gradient = gradients[i].defined() ? gradients[i] : zeros_like(in[i]);
    outputs.push_back(array_of(std::string("dL/d") + names[i], gradient));
  }
  return outputs;
}

Outputs layer_right(const Probe& p) {
  return layer_outputs(p, [](const Tensors& in, int rank, int ranks) {
    const Tensors hidden = chunk(relu(matmul(in[0], in[1]) + in[2]), ranks, 1), rows = chunk(in[3], ranks, 0);
    const auto r = static_cast<std::size_t>(rank);
    const Tensor part = matmul(hidden[r], rows[r]);
    return rank == 0 ? part + in[4] : part;
  });
}

// F is the last of three.
Probe layer_probe(const std::string& name, int ranks, int rows, int width, int units, std::uint64_t seed) {
  return {name,
          {drawn("x", {rows, width}, seed, 1, 0.2), drawn("u", {width, units}, seed + 1, 0.8), drawn("a", {units}, seed + 2, 0.5, 0.4),
           drawn("v", {units, width}, seed + 3, 0.8), drawn("b", {width}, seed + 4, 1, 0.3), number("ranks", ranks),
           drawn("g", {rows, width}, seed + 5, 1, 0.3)}};
}

std::string parts_sum_to_layer(const Probe& p, const Outputs& outputs) {
  const auto of = [&](const char* name) { return tensor_of(p[name]); };
  const Array whole = array_of("y", matmul(relu(matmul(of("x"), of("u")) + of("a")), of("v")) + of("b"));
  for (std::size_t i = 0; i < whole.numbers.size(); ++i) {
    const double is = outputs[1].numbers[i], right = whole.numbers[i];
    if (!close(is, right, largest(whole)))
      return fmt::format("{} of their sum is {}, and {} of the layer", place(whole, i), beside(is, right), beside(right, is));
  }
  return "";
}

Stage layer_stage() {
  return {
      .right = layer_right,
      .probes = {layer_probe("two ranks with two units each, one row of 2", 2, 1, 2, 4, 321),
                 layer_probe("one rank alone, with three units", 1, 2, 4, 3, 331),
                 layer_probe("three ranks with two units each, two rows of 3", 3, 2, 3, 6, 341),
                 layer_probe("four ranks with three units each, three rows of 5", 4, 3, 5, 12, 351)},
      .laws = {{"the parts of all ranks sum to the layer", parts_sum_to_layer,
                "Which hidden units, and which b, are in no part, or in several?"}},
  };
}

// --- a length ------------------------------------------------------------------------------------------------------------------

double length_of(const std::vector<double>& numbers) {
  double squares = 0;
  for (double one : numbers) squares += one * one;
  return std::sqrt(squares);
}

// What rank r has of an array.
std::vector<double> of_rank(const Array& array, int r) {
  const auto each = array.numbers.size() / static_cast<std::size_t>(array.shape[0]);
  const auto begin = array.numbers.begin() + static_cast<std::ptrdiff_t>(each) * r;
  return {begin, begin + static_cast<std::ptrdiff_t>(each)};
}

Outputs length_right(const Probe& p) {
  std::vector<double> all = p["split"].numbers, gain = of_rank(p["whole"], 0);
  all.insert(all.end(), gain.begin(), gain.end());
  return {number("length", length_of(all))};
}

Probe length_probe(const std::string& name, int ranks, const std::vector<int>& split, int gain, std::uint64_t seed) {
  return {name, {other_on_each("split", ranks, split, seed), same_on_all("whole", ranks, {gain}, seed + 1)}};
}

std::string at_least_each(const Probe& p, const Outputs& outputs) {
  const double length = outputs[0].numbers[0];
  for (int r = 0; r < p["split"].shape[0]; ++r) {
    const double part = length_of(of_rank(p["split"], r));
    if (!(length >= part * (1 - 1e-9)))
      return fmt::format("it is {}, and the part of rank {} alone {}", beside(length, part), r, beside(part, length));
  }
  return "";
}

std::string at_most_together(const Probe& p, const Outputs& outputs) {
  const double length = outputs[0].numbers[0];
  double together = length_of(of_rank(p["whole"], 0));
  for (int r = 0; r < p["split"].shape[0]; ++r) together += length_of(of_rank(p["split"], r));
  return length <= together * (1 + 1e-9)
             ? ""
             : fmt::format("it is {}, and all parts end to end are {}", beside(length, together), beside(together, length));
}

Stage length_stage() {
  return {
      .right = length_right,
      .probes = {length_probe("two ranks with 1 × 2 each, and a gain of 2", 2, {1, 2}, 2, 361),
                 length_probe("one rank alone", 1, {3, 2}, 4, 365),
                 length_probe("three ranks with 2 × 4 each, and a gain of 3", 3, {2, 4}, 3, 371),
                 length_probe("four ranks with 5 × 3 each, and a gain of 7", 4, {5, 3}, 7, 381)},
      .laws = {{"the whole is at least as long as each part", at_least_each,
                "Which numbers are in the gradient of rank 1, and in none of rank 0's?"},
               {"the whole is at most as long as its parts end to end", at_most_together,
                "Which numbers does one rank have, and which all? How often does each count?"}},
  };
}

}  // namespace
}  // namespace in_tensor_parallel

Functions tensor_parallel(OverRanks* copy_to_ranks, OverRanks* sum_over_ranks, PartOfLayer* part_of_layer,
                          double (*gradient_length)(const Tensors& split, const Tensors& whole)) {
  using namespace in_tensor_parallel;
  return {[=](const Probe& p) { return op_outputs(p, copy_to_ranks); }, [=](const Probe& p) { return op_outputs(p, sum_over_ranks); },
          [=](const Probe& p) {
            return layer_outputs(
                p, [&](const Tensors& in, int rank, int ranks) { return part_of_layer(in[0], in[1], in[2], in[3], in[4], rank, ranks); });
          },
          [=](const Probe& p) {
            const Tensors split = of_ranks(p["split"]), whole = of_ranks(p["whole"]);
            const double length = gradient_length(split, whole);
            check_unchanged(p, "split", stack(split));
            check_unchanged(p, "whole", stack(whole));
            return Outputs{number("length", length)};
          }};
}

Exercise tensor_parallel_exercise() {
  using namespace in_tensor_parallel;
  return made_tensor_parallel::exercise({copy_stage(), sum_stage(), layer_stage(), length_stage()});
}

}  // namespace gradus::exercises::set
