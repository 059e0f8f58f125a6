#include "examples/exercises/set/ring_all_reduce.h"

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

Probe ring_probe(const std::string& name, int ranks, int columns, std::uint64_t seed) { return {name, {drawn("x", {ranks, columns}, seed, 1, 0.4)}}; }

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
    if (!close(y[part][j], sum, size)) return fmt::format("x[{}][{}] is {}, and the sum is {}", part, j, beside(y[part][j], sum), beside(sum, y[part][j]));
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
      if (!close(y[r][j], y[0][j], largest(outputs[0]))) return fmt::format("column {} is {} on rank {}, {} on rank 0", j, beside(y[r][j], y[0][j]), r, beside(y[0][j], y[r][j]));
    }
  }
  return "";
}

std::string is_short_enough(const Probe& p, const Outputs& outputs) {
  const In g = in(outputs[0]);
  const double most = p.number("most");
  for (int r = 0; r < g.rows; ++r) {
    const double length = length_of(g[r], g.columns);
    if (!(length <= most * (1 + 1e-9))) return fmt::format("that of rank {} is {} long, and `most` is {}", r, beside(length, most), beside(most, length));
  }
  return "";
}

// Those of the answer, in which mistakes can be switched on.
Functions ring_all_reduce_written() {
  return exercises::set::ring_all_reduce(made_ring_all_reduce::reduce_scatter, made_ring_all_reduce::all_gather, made_ring_all_reduce::average);
}

Stage scatter_stage() {
  return {
      .function = "reduce_scatter",
      .right = scattered,
      .with = with_mistakes({&made_ring_all_reduce::reduce_scatter_made}, ring_all_reduce_written()[0]),
      .mistakes = made_ring_all_reduce::reduce_scatter_mistakes(),
      .probes = ring_probes(271),
      .laws = {{"part r of rank r is the sum of all ranks' part r", own_part_is_summed, "Which ranks does part r go through on its way to rank r, and what does each of them do with it?"},
               {"a rank never gets the part that it sends first", sent_first_is_kept, "Part r − 1 goes from rank r around the ring. How many steps is it to rank r − 1, and how many to rank r?"}},
      .hints = {"Three ranks, and a part each. Rank 1 sends part 0 first. To whom does it come, and who sends it on?",
                "What a rank adds to in one step is what it sends in the next. Which part was that, counted from its own?",
                "In each step all ranks send different parts, and every part moves one rank to the right: after n − 1 steps part r is at rank r.",
                "In step s, from 1 on, rank r sends part r − s, counted around: + n before % n, as −1 % n is −1 in C++."},
  };
}

Stage gather_stage() {
  return {
      .function = "all_gather",
      .right = gathered,
      .with = with_mistakes({&made_ring_all_reduce::all_gather_made}, ring_all_reduce_written()[1]),
      .mistakes = made_ring_all_reduce::all_gather_mistakes(),
      .probes = ring_probes(281),
      .laws = {{"all ranks have the same in the end", all_have_the_same, "How many ranks lack part 0 at first, and how many get it in a step?"}},
      .hints = {"Rank r has one part that is right. Which one can it send in the first step, and which one in the second?",
                "It is the loop of reduce_scatter, but for the part that comes first and for what the right does with it.",
                "What comes is a whole sum already. A rank sends on in a step what came to it in the one before.",
                "In step s, from 0 on, rank r sends part r − s, counted around, and the right puts it in place of its own."},
  };
}

Stage average_stage() {
  return {
      .function = "average",
      .right = averaged,
      .with = with_mistakes({&made_ring_all_reduce::average_made}, ring_all_reduce_written()[2]),
      .mistakes = made_ring_all_reduce::average_mistakes(),
      .probes = {average_probe("two ranks with 1 and 3 tokens, short enough", 3, {1, 3}, 100, 291),
                 average_probe("three ranks with 4, 2 and 2 tokens, clipped", 5, {4, 2, 2}, 0.5, 292),
                 average_probe("four ranks with 5 tokens each, short enough", 6, {5, 5, 5, 5}, 50, 293),
                 average_probe("four ranks, one without a token, clipped", 7, {3, 0, 1, 6}, 0.25, 294),
                 average_probe("five ranks of two numbers, a little too long", 2, {1, 2, 3, 4, 5}, 0.6, 295)},
      .laws = {{"all ranks have the same gradient in the end", all_have_the_same, "What does a rank know of the others' gradients, and after which call?"},
               {"what is clipped is at most `most` long", is_short_enough, "Of which numbers do you take the length, and which do you shorten?"}},
      .hints = {"One rank has 1 token, another one 9. The mean over all ten: which weights have the two ranks' means in it?",
                "Sums go through the ring, means do not: first a factor for each row, then the two functions, then the length.",
                "After the ring all rows are the same, so each rank finds the same length by itself, and nothing more has to be sent.",
                "A row's weight is its tokens over those of all ranks. Once summed, its factor is most / ‖g‖ where ‖g‖ is larger than most, else 1."},
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
  return {
      .number = 27,
      .id = "ring-all-reduce",
      .title = "A ring that sums: reduce-scatter, all-gather, and the mean of gradients",
      .section = "inside.md",
      .needs = {"clip-and-schedule"},
      .minutes = 40,
      .done = "A rank has sent 2 (n − 1) parts of n: less than twice its numbers, however many ranks there are.",
      .stages = {in_ring_all_reduce::scatter_stage(), in_ring_all_reduce::gather_stage(), in_ring_all_reduce::average_stage()},
      .choices = {{{"reduce_scatter", "all_gather"}, {{"", "takes part r for rank r's"}, {"ring/next-part", "takes part r + 1 for rank r's"}}}},
  };
}

}  // namespace gradus::exercises::set

