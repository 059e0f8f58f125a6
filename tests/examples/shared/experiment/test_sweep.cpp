// The learning-rate sweep, on losses that are known: where it looks, what it finds, where it stops.
#include <cmath>
#include <set>

#include "examples/shared/experiment/sweep.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

TrainOptions at(double rate) {
  TrainOptions cell;
  cell.schedule.max_lr = rate;
  cell.schedule.min_lr = rate / 10;
  return cell;
}

// A valley in log₂ of the rate, and what was asked.
struct Valley {
  double best;
  std::vector<std::pair<double, std::uint64_t>> asked = {};
  std::size_t rounds = 0;
  double diverges_from = HUGE_VAL;

  std::vector<double> operator()(const std::vector<TrainOptions>& runs) {
    ++rounds;
    std::vector<double> losses;
    for (const TrainOptions& run : runs) {
      asked.emplace_back(run.schedule.max_lr, run.seed);
      const double off = std::log2(run.schedule.max_lr / best);
      losses.push_back(run.schedule.max_lr >= diverges_from ? NAN : 2 + off * off);
    }
    return losses;
  }
};

Tuned tuned(double rate, const SweepOptions& options, Valley& valley) {
  return tune({at(rate)}, options, [&](const auto& runs) { return valley(runs); })[0];
}

std::vector<double> rates_of(const Tuned& tuned) {
  std::vector<double> rates;
  for (const auto& [rate, loss] : tuned.tried) rates.push_back(rate);
  return rates;
}

}  // namespace

TEST_CASE("sweep: the given rate, half and twice; it stays where the middle is the best, and the low rate moves along") {
  Valley valley{.best = 1};
  const Tuned found = tuned(1, {}, valley);
  CHECK(rates_of(found) == std::vector<double>{0.5, 1, 2});
  CHECK(found.tried[0].second == 3);
  CHECK(found.tried[1].second == 2);
  CHECK(found.cell.schedule.max_lr == 1);
  CHECK(valley.rounds == 1);
  CHECK_FALSE(found.at_edge);
  CHECK(at_rate(at(1), 4).schedule.min_lr == doctest::Approx(0.4));
}

TEST_CASE(
    "sweep: goes on outward, up and down, one factor of 2 a round, until the best has a worse neighbour on each "
    "side") {
  Valley high{.best = 8}, low{.best = 0.125};
  const Tuned up = tuned(1, {}, high), down = tuned(1, {}, low);
  CHECK(rates_of(up) == std::vector<double>{0.5, 1, 2, 4, 8, 16});
  CHECK(up.cell.schedule.max_lr == 8);
  CHECK(up.cell.schedule.min_lr == doctest::Approx(0.8));
  CHECK_FALSE(up.at_edge);
  CHECK(rates_of(down) == std::vector<double>{0.0625, 0.125, 0.25, 0.5, 1, 2});
  CHECK(down.cell.schedule.max_lr == 0.125);
  CHECK_FALSE(down.at_edge);
}

TEST_CASE("sweep: stops at its limit and says that the best is at the edge") {
  Valley high{.best = 1024}, low{.best = 1.0 / 1024};
  const Tuned up = tuned(1, {.farthest = 3}, high), down = tuned(1, {.farthest = 1}, low);
  CHECK(up.cell.schedule.max_lr == 8);
  CHECK(up.at_edge);
  CHECK(down.cell.schedule.max_lr == 0.5);
  CHECK(down.tried.size() == 3);
  CHECK(down.at_edge);
}

TEST_CASE("sweep: a rate at which a run diverges is never the best; where all diverge it goes down") {
  Valley cliff{.best = 64, .diverges_from = 4};
  const Tuned below = tuned(1, {}, cliff);
  CHECK(below.cell.schedule.max_lr == 2);
  CHECK(std::isnan(below.tried.back().second));
  CHECK_FALSE(below.at_edge);
  Valley all{.best = 1, .diverges_from = 0.3};
  CHECK(tuned(1, {}, all).cell.schedule.max_lr == 0.25);
}

TEST_CASE("sweep: while nothing learns the best rate is chance, and it goes on down; what learns there is found") {
  std::vector<double> rates;
  const auto dead_above = [&](double trains_up_to) {  // a valley below that rate, and above it the line, with noise
    return [&rates, trains_up_to](const std::vector<TrainOptions>& runs) {
      std::vector<double> losses;
      for (const TrainOptions& run : runs) {
        const double rate = run.schedule.max_lr;
        rates.push_back(rate);
        losses.push_back(rate <= trains_up_to ? 2 + std::abs(std::log2(rate * 16)) / 10 : rate == 1 ? 3.43 : 3.44);
      }
      return losses;
    };
  };
  const Tuned found = tune({at(1)}, {.farthest = 2, .untaught = {3.4}}, dead_above(0.07))[0];
  CHECK(rates == std::vector<double>{0.5, 1, 2, 0.25, 0.125, 0.0625, 0.03125});
  CHECK(found.cell.schedule.max_lr == 0.0625);
  CHECK(found.begun);
  CHECK_FALSE(found.at_edge);
  rates.clear();
  const Tuned dead = tune({at(1)}, {.farthest = 2, .untaught = {3.4}}, dead_above(0))[0];
  CHECK_FALSE(dead.begun);
  CHECK(rates == std::vector<double>{0.5, 1, 2, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 4});
  CHECK(tune({at(1)}, {.farthest = 2}, dead_above(0))[0].tried.size() == 3);  // without a line the noise is a minimum
}

TEST_CASE("sweep: a rate at which a run died is not the best, whatever the mean") {
  const auto losses = [](const std::vector<TrainOptions>& runs) {
    std::vector<double> all;
    for (const TrainOptions& run : runs) all.push_back(run.schedule.max_lr > 1 ? (run.seed == 0 ? 1.0 : 3.39) : 2.8);
    return all;
  };
  CHECK(tune({at(1)}, {.seeds = 2, .farthest = 1, .untaught = {3.4}}, losses)[0].cell.schedule.max_lr <= 1);
  CHECK(tune({at(1)}, {.seeds = 2, .farthest = 1}, losses)[0].cell.schedule.max_lr == 2);
}

TEST_CASE("sweep: the mean over its own seeds decides; all cells of a round are asked for together, each run once") {
  std::set<std::pair<double, std::uint64_t>> asked;
  std::vector<std::size_t> sizes;
  const auto losses_of = [&](const std::vector<TrainOptions>& runs) {
    std::vector<double> losses;
    for (const TrainOptions& run : runs) {
      CHECK(asked.emplace(run.schedule.max_lr, run.seed).second);
      // Seed 70 alone likes 0.5 best; the mean of 70 and 71 is lowest at 1.
      const double rate = run.schedule.max_lr;
      losses.push_back(rate > 100 ? std::abs(rate - 200) : run.seed == 70 ? std::abs(rate - 0.5) : 4 * std::abs(rate - 1));
    }
    sizes.push_back(runs.size());
    return losses;
  };
  const std::vector<Tuned> both = tune({at(1), at(400)}, {.first_seed = 70, .seeds = 2}, losses_of);
  CHECK(sizes == std::vector<std::size_t>{12, 2});  // 3 rates of 2 cells by 2 seeds; then 100 for the second alone
  CHECK(both[0].cell.schedule.max_lr == 1);
  CHECK(both[0].tried[0].second == doctest::Approx(1));  // (0 + 2) / 2
  CHECK(both[1].cell.schedule.max_lr == 200);
}

TEST_CASE("sweep: no seed, or no neighbour, is an error") {
  Valley valley{.best = 1};
  CHECK_THROWS_AS(tuned(1, {.seeds = 0}, valley), ValueError);
  CHECK_THROWS_AS(tuned(1, {.farthest = 0}, valley), ValueError);
}
