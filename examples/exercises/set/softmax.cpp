#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/softmax.h"
#include "nn/activation/softmax.h"

namespace gradus::exercises::set {
namespace in_softmax {  // names that other exercises have as well
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Array scores(int rows, int n, std::uint64_t seed, double around = 0) { return drawn("x", {rows, n}, seed, 2, around / 2 + 0.4); }

Array one_after_the_other(const std::vector<Array>& arrays) {
  Array all{arrays[0].name, {0, arrays[0].shape[1]}, {}};
  for (const Array& one : arrays) {
    all.shape[0] += one.shape[0];
    all.numbers.insert(all.numbers.end(), one.numbers.begin(), one.numbers.end());
  }
  return all;
}

std::vector<Probe> probes() {
  return {{"a row of 3, whose e^x are 1, 4 and 5", {array("x", {1, 3}, {0, std::log(4), std::log(5)})}},
          {"two rows of 5", {scores(2, 5, 61)}},
          {"four rows of 7", {scores(4, 7, 62)}},
          {"three rows of 4, of scores around −1000", {scores(3, 4, 63, -1000)}},
          {"two rows of 6, of scores around 800", {scores(2, 6, 64, 800)}},
          {"a row of scores around −800, one around 800, another around −800",
           {one_after_the_other({scores(1, 4, 65, -800), scores(1, 4, 66, 800), scores(1, 4, 67, -800)})}},
          {"a row of 4, one of them −∞", {array("x", {1, 4}, {0.5, -kInfinity, 2, -1})}},
          {"a row of 5 between −400 and 400", {array("x", {1, 5}, {-400, 398, 20, 400, 400})}},
          {"three rows of 3 between −1000 and 1000", {array("x", {3, 3}, {1000, -998, -1000, -1000, -998, 1000, -998, 1000, -1000})}}};
}

Probe gradient_probe(const std::string& name, const Array& x, std::uint64_t seed) {
  Array y = array_of("y", nn::softmax(tensor_of(x)));
  return {name, {drawn("g", x.shape, seed, 1, 0.3), y}};
}

std::vector<Probe> gradient_probes() {
  return {{"a row of 3", {array("g", {1, 3}, {2, -1, 1}), array("y", {1, 3}, {0.1, 0.4, 0.5})}},
          gradient_probe("two rows of 5", scores(2, 5, 71), 72),
          gradient_probe("four rows of 7", scores(4, 7, 73), 74),
          gradient_probe("a row of 4, one of its probabilities 0", array("x", {1, 4}, {0.5, -kInfinity, 2, -1}), 75),
          gradient_probe("three rows of 6, nearly sure", drawn("x", {3, 6}, 76, 12), 77)};
}

Outputs right_value(const Probe& p) { return {array_of("y", nn::softmax(tensor_of(p["x"])))}; }

Outputs right_gradient(const Probe& p) {
  const Tensor x = log(tensor_of(p["y"])).set_requires_grad();  // softmax of it is y again
  return {array_of("dx", grad({nn::softmax(x)}, {x}, {.seeds = {tensor_of(p["g"])}})[0])};
}

std::string sums_to_1(const Probe&, const Outputs& outputs) {
  const In y = in(outputs[0]);
  for (int i = 0; i < y.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < y.columns; ++j) sum += y[i][j];
    if (!(std::abs(sum - 1) < 1e-9)) return fmt::format("row {} sums to {:.9g}", i, sum);
  }
  return "";
}

std::string ratios_of_exponentials(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = in(outputs[0]);
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 1; j < y.columns; ++j) {
      const auto [less, more] = std::minmax(y[i][0], y[i][j]);
      if (!(std::abs(less - std::exp(-std::abs(x[i][j] - x[i][0])) * more) <= 1e-9 * more)) {
        return fmt::format("the scores {:.4g} and {:.4g} have the probabilities {:.4g} and {:.4g}", x[i][0], x[i][j], y[i][0], y[i][j]);
      }
    }
  }
  return "";
}

std::string sums_to_0(const Probe&, const Outputs& outputs) {
  const In dx = in(outputs[0]);
  for (int i = 0; i < dx.rows; ++i) {
    double sum = 0;
    for (int j = 0; j < dx.columns; ++j) sum += dx[i][j];
    if (!(std::abs(sum) < 1e-9)) return fmt::format("row {} sums to {:.9g}", i, sum);
  }
  return "";
}

std::string nothing_without_probability(const Probe& p, const Outputs& outputs) {
  const In y = p.in("y"), dx = in(outputs[0]);
  for (int i = 0; i < y.rows; ++i) {
    for (int j = 0; j < y.columns; ++j) {
      if (y[i][j] == 0 && dx[i][j] != 0) return fmt::format("dx[{}][{}] is {:.4g}", i, j, dx[i][j]);
    }
  }
  return "";
}

}  // namespace
}  // namespace in_softmax

Functions softmax(void (*value)(In, Out), void (*gradient)(In, In, Out)) {
  return {by_names(value, {"x", "y = x"}), by_names(gradient, {"g", "y", "dx = y"})};
}

Exercise softmax_exercise() {
  using namespace in_softmax;
  return made_softmax::exercise({
      {
          .right = right_value,
          .probes = probes(),
          .laws = {{"each row of y sums to 1", sums_to_1, "By which sum do you divide, and over which axis is it?"},
                   {"of two scores, the one that is greater by d has e^d times the probability", ratios_of_exponentials,
                    "Which function of a score is divided by the sum?"}},
      },
      {
          .right = right_gradient,
          .probes = gradient_probes(),
          .laws = {{"each row of dx sums to 0, as the same number added to all scores changes nothing", sums_to_0,
                    "What is subtracted from g before y multiplies it?"},
                   {"what has the probability 0 gets no gradient", nothing_without_probability,
                    "Which factor should make the whole of dx 0 where y is 0?"}},
      },
  });
}

}  // namespace gradus::exercises::set
