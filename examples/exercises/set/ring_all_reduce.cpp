#include <fmt/format.h>

#include <cmath>

#include "examples/exercises/set/set.h"
#include "made/ring_all_reduce.h"

namespace gradus::exercises::set {
namespace in_ring_all_reduce {
namespace {

// The part to which a column belongs, and how many steps it is to the right from one rank to another.
int part_of(int column, int columns, int ranks) {
  int part = 0;
  while (column >= (part + 1) * columns / ranks) ++part;
  return part;
}
int steps_between(int from, int to, int ranks) { return (to + ranks - from) % ranks; }

// f(rank, part, column) for each number of x.
template <typename F> Outputs each(const Probe& p, const F& f) {
  const In x = p.in("x");
  Array all = p["x"];
  for (int r = 0; r < x.rows; ++r) {
    for (int j = 0; j < x.columns; ++j) all.numbers[static_cast<std::size_t>(r * x.columns + j)] = f(r, part_of(j, x.columns, x.rows), j);
  }
  return {all};
}

// Part p begins on rank p + 1, and has gathered the numbers of all ranks from there on when it comes to rank r.
Outputs scattered(const Probe& p) {
  const In x = p.in("x");
  return each(p, [&](int r, int part, int j) {
    double sum = 0;
    for (int back = steps_between(part + 1, r, x.rows); back >= 0; --back) sum += x[(r + x.rows - back) % x.rows][j];
    return sum;
  });
}

Outputs gathered(const Probe& p) {
  const In x = p.in("x");
  return each(p, [&](int, int part, int j) { return x[part][j]; });
}

Outputs averaged(const Probe& p) {
  const In g = p.in("g"), tokens = p.in("tokens");
  Array mean = array("g", p["g"].shape, std::vector<double>(p["g"].numbers.size()));
  double all = 0, squares = 0;
  for (int r = 0; r < g.rows; ++r) all += tokens[0][r];
  for (int j = 0; j < g.columns; ++j) {
    double sum = 0;
    for (int r = 0; r < g.rows; ++r) sum += tokens[0][r] * g[r][j] / all;
    squares += sum * sum;
    for (int r = 0; r < g.rows; ++r) mean.numbers[static_cast<std::size_t>(r * g.columns + j)] = sum;
  }
  const double factor = squares > p.number("most") * p.number("most") ? p.number("most") / std::sqrt(squares) : 1;
  for (double& one : mean.numbers) one *= factor;
  return {mean};
}

Probe ring_probe(const std::string& name, int ranks, int columns, std::uint64_t seed) {
  return {name, {drawn("x", {ranks, columns}, seed, 1, 0.4)}};
}

// Rank r begins with 10^r, so that one sees who has added to a number.
std::vector<Probe> ring_probes(std::uint64_t seed) {
  std::vector<double> powers;
  for (double power : {1, 10, 100}) powers.insert(powers.end(), 3, power);
  return {{"three ranks of three numbers", {array("x", {3, 3}, powers)}},
          ring_probe("two ranks of five numbers", 2, 5, seed),
          ring_probe("four ranks of seven numbers", 4, 7, seed + 1),
          ring_probe("five ranks of three numbers, so that two parts are empty", 5, 3, seed + 2),
          ring_probe("six ranks of twelve numbers", 6, 12, seed + 3)};
}

Probe average_probe(const std::string& name, int columns, const std::vector<double>& tokens, double most, std::uint64_t seed) {
  const int ranks = static_cast<int>(tokens.size());
  return {name, {drawn("g", {ranks, columns}, seed, 1, 0.4), array("tokens", {1, ranks}, tokens), number("most", most)}};
}

double length_of(const double* row, int columns) {
  double squares = 0;
  for (int j = 0; j < columns; ++j) squares += row[j] * row[j];
  return std::sqrt(squares);
}

std::string own_part_is_summed(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = in(outputs[0]);
  for (int j = 0; j < x.columns; ++j) {
    const int part = part_of(j, x.columns, x.rows);
    double sum = 0, size = 0;
    for (int r = 0; r < x.rows; ++r) sum += x[r][j], size += std::abs(x[r][j]);
    if (!close(y[part][j], sum, size))
      return fmt::format("x[{}][{}] is {}, and the sum is {}", part, j, beside(y[part][j], sum), beside(sum, y[part][j]));
  }
  return "";
}

std::string sent_first_is_kept(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = in(outputs[0]);
  for (int j = 0; j < x.columns; ++j) {
    const int r = (part_of(j, x.columns, x.rows) + 1) % x.rows;
    if (y[r][j] != x[r][j]) return fmt::format("x[{}][{}] was {:.4g}, and is {}", r, j, x[r][j], beside(y[r][j], x[r][j]));
  }
  return "";
}

std::string all_have_the_same(const Probe&, const Outputs& outputs) {
  const In y = in(outputs[0]);
  for (int r = 1; r < y.rows; ++r) {
    for (int j = 0; j < y.columns; ++j) {
      if (!close(y[r][j], y[0][j], largest(outputs[0])))
        return fmt::format("column {} is {} on rank {}, {} on rank 0", j, beside(y[r][j], y[0][j]), r, beside(y[0][j], y[r][j]));
    }
  }
  return "";
}

std::string is_short_enough(const Probe& p, const Outputs& outputs) {
  const In g = in(outputs[0]);
  const double most = p.number("most");
  for (int r = 0; r < g.rows; ++r) {
    const double length = length_of(g[r], g.columns);
    if (!(length <= most * (1 + 1e-9)))
      return fmt::format("that of rank {} is {} long, and `most` is {}", r, beside(length, most), beside(most, length));
  }
  return "";
}

Stage scatter_stage() {
  return {
      .right = scattered,
      .probes = ring_probes(271),
      .laws = {{"part r of rank r is the sum of all ranks' part r", own_part_is_summed,
                "Which ranks does part r go through on its way to rank r, and what does each of them do with it?"},
               {"a rank never gets the part that it sends first", sent_first_is_kept,
                "Part r − 1 goes from rank r around the ring. How many steps is it to rank r − 1, and how many to rank r?"}},
  };
}

Stage gather_stage() {
  return {
      .right = gathered,
      .probes = ring_probes(281),
      .laws = {{"all ranks have the same in the end", all_have_the_same,
                "How many ranks lack part 0 at first, and how many get it in a step?"}},
  };
}

Stage average_stage() {
  return {
      .right = averaged,
      .probes = {average_probe("two ranks with 1 and 3 tokens, short enough", 3, {1, 3}, 100, 291),
                 average_probe("three ranks with 4, 2 and 2 tokens, clipped", 5, {4, 2, 2}, 0.5, 292),
                 average_probe("four ranks with 5 tokens each, short enough", 6, {5, 5, 5, 5}, 50, 293),
                 average_probe("four ranks, one without a token, clipped", 7, {3, 0, 1, 6}, 0.25, 294),
                 average_probe("five ranks of two numbers, a little too long", 2, {1, 2, 3, 4, 5}, 0.6, 295)},
      .laws = {{"all ranks have the same gradient in the end", all_have_the_same,
                "What does a rank know of the others' gradients, and after which call?"},
               {"what is clipped is at most `most` long", is_short_enough,
                "Of which numbers do you take the length, and which do you shorten?"}},
  };
}

}  // namespace
}  // namespace in_ring_all_reduce

Functions ring_all_reduce(void (*reduce_scatter)(Out), void (*all_gather)(Out), void (*average)(Out, In, double)) {
  const auto in_place = [](void (*f)(Out)) {
    return [=](const Probe& p) {
      Sheet x(p["x"]);
      f(x.out());
      return Outputs{x.array()};
    };
  };
  return {in_place(reduce_scatter), in_place(all_gather), [=](const Probe& p) {
            Sheet g(p["g"]);
            average(g.out(), p.in("tokens"), p.number("most"));
            return Outputs{g.array()};
          }};
}

Exercise ring_all_reduce_exercise() {
  using namespace in_ring_all_reduce;
  return made_ring_all_reduce::exercise(
      {scatter_stage(), gather_stage(), average_stage()},
      {{{"reduce_scatter", "all_gather"}, {{"", "takes part r for rank r's"}, {"ring/next-part", "takes part r + 1 for rank r's"}}}});
}

}  // namespace gradus::exercises::set
