#include "examples/exercises/grader/recognise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace gradus::exercises {
namespace {

// What these mistakes make of probe number `p`: the same each time, so it is kept. (An exercise's stages live as long as the
// program.)
const Attempt& made_on(const Stage& stage, Made made, std::size_t p) {
  static std::map<std::tuple<const Stage*, unsigned long long, std::size_t>, Attempt> kept;
  const auto [place, is_new] = kept.try_emplace({&stage, made.to_ullong(), p});
  if (is_new) place->second = attempt([&](const Probe& probe) { return stage.with(probe, made); }, stage.probes[p]);
  return place->second;
}

// Where a mistake makes all 0, an answer may have what rounding leaves: to be measured by the size of what is right.
bool equal_but_for_rounding(const Array& got, const Array& wrong, const Array& right) {
  const auto all = [](const Array& array, auto holds) { return std::all_of(array.numbers.begin(), array.numbers.end(), holds); };
  if (!all(wrong, [](double one) { return one == 0; })) return equal(got, wrong);
  const double rounding = 1e-12 * largest(right);
  return got.shape == wrong.shape && all(got, [=](double one) { return std::abs(one) <= rounding; });
}

// Does code that gives `made` on probe number `p`, or throws there, throw this?
bool throws_so(const Stage& stage, const Attempt& made, std::size_t p, const std::string& thrown) {
  if (!made.outputs) return made.thrown == thrown;
  return stage.throws && stage.throws(stage.probes[p], *made.outputs, thrown);
}

bool gives_all(const Stage& stage, Made made, const Attempts& got) {
  bool telling = false;  // an exception of other words is no evidence by itself
  for (std::size_t p = 0; p < got.size(); ++p) {
    const Attempt& wrong = made_on(stage, made, p);
    if (!got[p].outputs) {
      const bool same = throws_so(stage, wrong, p, got[p].thrown);
      if (!same && wrong.outputs) return false;
      telling = telling || same;
      continue;
    }
    if (!wrong.outputs || wrong.outputs->size() != got[p].outputs->size()) return false;
    const Outputs& right = *made_on(stage, {}, p).outputs;
    for (std::size_t i = 0; i < right.size(); ++i) {
      if (!equal_but_for_rounding((*got[p].outputs)[i], (*wrong.outputs)[i], right[i])) return false;
    }
    telling = telling || !equal(*wrong.outputs, right);
  }
  return telling;
}

// --- nearly ------------------------------------------------------------------------------------------------------------------

bool like(double a, double b, double scale) {
  return std::isfinite(a) && std::isfinite(b) ? close(a, b, scale) : std::isfinite(a) == std::isfinite(b);
}

bool like(const Array& a, const Array& b) {
  const double scale = largest(b);
  return a.shape == b.shape && std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end(),
                                          [=](double u, double v) { return like(u, v, scale); });
}

// Has it a wrong number that two would hardly share by chance? 0 and 1 are often somewhere.
bool tells(const Array& got, const Array& right) {
  for (std::size_t at = 0; at < std::min(got.numbers.size(), right.numbers.size()); ++at) {
    const double one = got.numbers[at];
    if (std::isfinite(one) && one != 0 && std::abs(one) != 1 && !close(one, right.numbers[at], largest(right))) return true;
  }
  return false;
}

// An answer beside what is right, and which of its outputs are wrong on any probe: all, where it only throws.
class Wrong {
 public:
  Wrong(const Stage& stage, const Attempts& got, const Many& expected) : stage_(stage), got_(got), expected_(expected) {
    for (std::size_t i = 0; i < expected[0].size(); ++i) {
      const auto differs = [&](std::size_t p) { return got[p].outputs && !equal((*got[p].outputs)[i], expected[p][i]); };
      for (std::size_t p = 0; p < got.size(); ++p) {
        if (!differs(p)) continue;
        outputs_.push_back(i);
        break;
      }
    }
    if (outputs_.empty()) {
      for (std::size_t i = 0; i < expected[0].size(); ++i) outputs_.push_back(i);
    }
  }

  bool is_wrong(const Attempt& one, std::size_t p) const {
    return !one.outputs || std::any_of(outputs_.begin(), outputs_.end(), [&](std::size_t i) {
      return i >= one.outputs->size() || !equal((*one.outputs)[i], expected_[p][i]);
    });
  }

  // How far a mistake gives the same; nothing if that is not far enough.
  std::optional<Recognised> like_made(const Mistake& mistake) const {
    Recognised found{{&mistake}};
    std::size_t either = 0;
    bool telling = false;
    for (std::size_t p = 0; p < got_.size(); ++p) {
      const Attempt& made = made_on(stage_, alone(mistake), p);
      const bool wrong = is_wrong(got_[p], p);
      either += wrong || is_wrong(made, p);
      if (!wrong) continue;
      ++found.wrong;
      if (is_like(made, p)) {
        ++found.alike;
        telling = telling || is_telling(p);
      } else if (found.wrong == 1) {
        return {};
      }
    }
    const bool enough = telling ? 2 * found.alike > either : found.alike == either && !only_0_and_1();
    if (!enough) return {};
    if (outputs_.size() < expected_[0].size()) {
      for (const std::size_t i : outputs_) found.outputs.push_back(expected_[0][i].name);
    }
    return found;
  }

 private:
  bool is_like(const Attempt& made, std::size_t p) const {
    if (!got_[p].outputs) return throws_so(stage_, made, p, got_[p].thrown);
    return made.outputs && std::all_of(outputs_.begin(), outputs_.end(), [&](std::size_t i) {
             return i < made.outputs->size() && like((*got_[p].outputs)[i], (*made.outputs)[i]);
           });
  }
  bool is_telling(std::size_t p) const {
    return !got_[p].outputs ||
           std::any_of(outputs_.begin(), outputs_.end(), [&](std::size_t i) { return tells((*got_[p].outputs)[i], expected_[p][i]); });
  }
  bool only_0_and_1() const {
    return std::all_of(got_.begin(), got_.end(), [&](const Attempt& one) {
      return !one.outputs || std::all_of(outputs_.begin(), outputs_.end(), [&](std::size_t i) {
        const auto& numbers = (*one.outputs)[i].numbers;
        return std::all_of(numbers.begin(), numbers.end(), [](double v) { return v == 0 || std::abs(v) == 1; });
      });
    });
  }

  const Stage& stage_;
  const Attempts& got_;
  const Many& expected_;
  std::vector<std::size_t> outputs_;
};

}  // namespace

std::optional<Recognised> exactly(const Stage& stage, const Attempts& got) {
  for (const Mistake& one : stage.mistakes) {
    if (gives_all(stage, alone(one), got)) return Recognised{{&one}};
  }
  for (auto one = stage.mistakes.begin(); one != stage.mistakes.end(); ++one) {
    for (auto other = one + 1; other != stage.mistakes.end(); ++other) {
      if (gives_all(stage, alone(*one) | alone(*other), got)) return Recognised{{&*one, &*other}};
    }
  }
  return {};
}

std::optional<Recognised> nearly(const Stage& stage, const Attempts& got, const Many& expected) {
  const Wrong wrong(stage, got, expected);
  std::optional<Recognised> best;
  for (const Mistake& mistake : stage.mistakes) {
    if (mistake.convention) continue;
    const auto found = wrong.like_made(mistake);
    if (found && (!best || found->alike > best->alike)) best = found;
  }
  return best;
}

}  // namespace gradus::exercises
