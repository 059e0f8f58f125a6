#include "optim/plateau.h"

#include <algorithm>
#include <cmath>

#include "core/options/range.h"

namespace gradus::optim {
namespace {

void check_count(const char* name, int64_t count) {
  check<ValueError>(count >= 0, "ReduceOnPlateau: {} must not be negative, got {}", name, count);
}

void check_rate(double lr, double min_lr) {
  check_range("lr", lr, range::not_negative, "ReduceOnPlateau");
  check<ValueError>(min_lr <= lr, "ReduceOnPlateau: min_lr {} is above lr {}", min_lr, lr);
}

}  // namespace

ReduceOnPlateau::ReduceOnPlateau(const PlateauOptions& options) : options_(options) {
  check_range("min_lr", options.min_lr, range::not_negative, "ReduceOnPlateau");
  check_rate(options.lr, options.min_lr);
  check_range("factor", options.factor, {0, 1, false, false}, "ReduceOnPlateau");
  check_range("threshold", options.threshold, range::below_one, "ReduceOnPlateau");
  check_count("patience", options.patience);
  check_count("cooldown", options.cooldown);
  state_.lr = options.lr;
}

double ReduceOnPlateau::next(double loss) {
  auto& [lr, best, bad, rest] = state_;
  const double needed = best * (best > 0 ? 1 - options_.threshold : 1 + options_.threshold);  // best - threshold |best|
  if (loss < needed) {
    best = loss;
    bad = 0;
  } else {
    ++bad;
  }
  if (rest > 0) {
    --rest;
    bad = 0;
  }
  if (bad > options_.patience) {
    lr = std::max(options_.factor * lr, options_.min_lr);
    bad = 0;
    rest = options_.cooldown;
  }
  return lr;
}

void ReduceOnPlateau::load_state(const PlateauState& state) {
  check_rate(state.lr, options_.min_lr);
  check<ValueError>(!std::isnan(state.best), "ReduceOnPlateau: the best loss must be a number, got nan");
  check_count("bad", state.bad);
  check_count("rest", state.rest);
  state_ = state;
}

}  // namespace gradus::optim
