#include "examples/exercises/grader/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "examples/exercises/mistakes.h"

namespace gradus::exercises {
namespace {

bool equal(const Array& a, const Array& b) {
  const double scale = largest(b);
  return a.shape == b.shape && a.numbers.size() == b.numbers.size() &&
         std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(),
                    [=](double u, double v) { return close(u, v, scale); });
}

using Many = std::vector<Outputs>;  // of all probes

bool all_equal(const Many& a, const Many& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Outputs& u, const Outputs& v) { return exercises::equal(u, v); });
}

bool same_shapes(const Many& a, const Many& b) {
  const auto of_array = [](const Array& u, const Array& v) { return u.shape == v.shape && u.numbers.size() == v.numbers.size(); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Outputs& u, const Outputs& v) {
    return std::equal(u.begin(), u.end(), v.begin(), v.end(), of_array);
  });
}

template <typename F> Many of_all(const std::vector<Probe>& probes, const F& f) {
  Many many;
  for (const Probe& probe : probes) many.push_back(f(probe));
  return many;
}

// The row and column of a place in an array, all axes but the last as rows.
std::string place(const Array& array, std::size_t at) {
  if (array.shape.empty()) return array.name;
  const auto columns = static_cast<std::size_t>(std::max(columns_of(array), 1));
  if (array.shape.size() == 1) return fmt::format("{}[{}]", array.name, at);
  return fmt::format("{}[{}][{}]", array.name, at / columns, at % columns);
}

// On the first probe that is wrong, as it is the one that is shown.
std::optional<Verdict> with_numbers_missing(const Many& got, const Many& expected) {
  std::size_t p = 0;
  while (p + 1 < got.size() && equal(got[p], expected[p])) ++p;
  for (std::size_t i = 0; i < got[p].size(); ++i) {
    const Array &mine = got[p][i], &right = expected[p][i];
    for (std::size_t at = 0; at < mine.numbers.size(); ++at) {
      if (never_written(mine.numbers[at])) {
        return Verdict{Kind::not_a_number, fmt::format("{} is never written, or added to before it is.", place(mine, at)),
                       "Do your loops reach every number, and does each begin with = and not with +=?", {}};
      }
      if (std::isnan(mine.numbers[at]) && !std::isnan(right.numbers[at])) {
        return Verdict{Kind::not_a_number, fmt::format("{} is NaN, where {:.6g} is right.", place(mine, at), right.numbers[at]),
                       "Which of your operations makes NaN: 0/0, ∞ − ∞, ∞/∞, a root of something negative?", {}};
      }
    }
  }
  return {};
}

// What these mistakes make of probe number `p`: the same each time, so it is kept. (An exercise's stages live as long as the program.)
const Outputs& wrong_outputs(const Stage& stage, Made made, std::size_t p) {
  static std::map<std::tuple<const Stage*, unsigned long, std::size_t>, Outputs> kept;
  const auto [place, is_new] = kept.try_emplace({&stage, made.to_ulong(), p});
  if (is_new) place->second = stage.with(stage.probes[p], made);
  return place->second;
}

std::optional<Verdict> known(const Stage& stage, const Many& got) {
  const auto& mistakes = stage.mistakes;
  const auto matches = [&](Made made) {
    for (std::size_t p = 0; p < got.size(); ++p) {
      if (!equal(got[p], wrong_outputs(stage, made, p))) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    if (!matches(Made{}.set(i))) continue;
    const Published& published = published_as(mistakes[i].id);
    if (mistakes[i].convention) {
      return Verdict{Kind::convention, fmt::format("Right, by another convention: {}.", published.line), "", {published.id}};
    }
    const char* known = published.source.empty() ? "This mistake is known" : "This mistake has been published";
    return Verdict{Kind::mistake, fmt::format("{}: {}.", known, published.line), mistakes[i].question, {published.id}};
  }
  for (std::size_t i = 0; i < mistakes.size(); ++i) {
    for (std::size_t j = i + 1; j < mistakes.size(); ++j) {
      if (!matches(Made{}.set(i).set(j))) continue;
      const std::vector<std::string> ids = {mistakes[i].id, mistakes[j].id};
      if (mistakes[i].convention || mistakes[j].convention) {
        const Mistake &wrong = mistakes[mistakes[i].convention ? j : i], &other = mistakes[mistakes[i].convention ? i : j];
        return Verdict{Kind::mistake, fmt::format("This mistake is known: {} (and your convention, {}, is fine).",
                                                  published_as(wrong.id).line, published_as(other.id).line),
                       wrong.question, {wrong.id, other.id}};
      }
      return Verdict{Kind::two_mistakes,
                     fmt::format("Two mistakes at once: {}; and {}.", published_as(ids[0]).line, published_as(ids[1]).line),
                     mistakes[i].question, ids};
    }
  }
  return {};
}

// A size of a probe's output that a factor may be made of.
struct Factor {
  const char* words;
  double (*of)(double columns, double rows);
};
const Factor kFactors[] = {
    {"−1, the other sign", [](double, double) { return -1.0; }},
    {"2", [](double, double) { return 2.0; }},
    {"½", [](double, double) { return 0.5; }},
    {"n, the length of a row", [](double n, double) { return n; }},
    {"1/n, with n the length of a row", [](double n, double) { return 1 / n; }},
    {"√n, with n the length of a row", [](double n, double) { return std::sqrt(n); }},
    {"1/√n, with n the length of a row", [](double n, double) { return 1 / std::sqrt(n); }},
    {"n/(n − 1), with n the length of a row", [](double n, double) { return n / (n - 1); }},
    {"(n − 1)/n, with n the length of a row", [](double n, double) { return (n - 1) / n; }},
    {"√(n/(n − 1)), with n the length of a row", [](double n, double) { return std::sqrt(n / (n - 1)); }},
    {"√((n − 1)/n), with n the length of a row", [](double n, double) { return std::sqrt((n - 1) / n); }},
    {"the number of rows", [](double, double m) { return m; }},
    {"one over the number of rows", [](double, double m) { return 1 / m; }},
};

// The c with which a = c b, if there is one.
std::optional<double> ratio(const Array& a, const Array& b) {
  double c = std::numeric_limits<double>::quiet_NaN();
  const double scale = largest(b);
  for (std::size_t i = 0; i < b.numbers.size(); ++i) {
    if (std::abs(b.numbers[i]) > 0.1 * scale) c = a.numbers[i] / b.numbers[i];
  }
  if (!std::isfinite(c) || c == 0) return {};
  for (std::size_t i = 0; i < b.numbers.size(); ++i) {
    if (!close(a.numbers[i], c * b.numbers[i], std::abs(c) * scale)) return {};
  }
  return c;
}

std::optional<double> offset(const Array& a, const Array& b) {
  if (b.numbers.size() < 3) return {};
  const double c = a.numbers[0] - b.numbers[0];
  for (std::size_t i = 0; i < b.numbers.size(); ++i) {
    if (!close(a.numbers[i] - c, b.numbers[i], largest(b) + std::abs(c))) return {};
  }
  return std::isfinite(c) && c != 0 ? std::optional(c) : std::nullopt;
}

std::optional<std::string> as_factor(const Many& got, const Many& expected, std::size_t i) {
  std::vector<double> c;
  for (std::size_t p = 0; p < got.size(); ++p) {
    if (largest(expected[p][i]) == 0) continue;
    const auto one = ratio(got[p][i], expected[p][i]);
    if (!one) return {};
    c.push_back(*one);
  }
  if (c.empty()) return {};
  const std::string name = got[0][i].name;
  for (const Factor& factor : kFactors) {
    bool fits = true;
    for (std::size_t p = 0, at = 0; p < got.size(); ++p) {
      if (largest(expected[p][i]) == 0) continue;
      const double wanted = factor.of(columns_of(expected[p][i]), rows_of(expected[p][i]));
      fits = fits && close(c[at++], wanted, std::abs(wanted));
    }
    if (fits) return fmt::format("{} is right but for a factor: {}.", name, factor.words);
  }
  if (std::all_of(c.begin(), c.end(), [&](double one) { return close(one, c[0], std::abs(c[0])); })) {
    return fmt::format("{} is {:.6g} times what is right, everywhere.", name, c[0]);
  }
  if (got[0][i].numbers.size() < 2) return {};  // of one number, any other is a multiple
  return fmt::format("{} is right but for a factor, which differs from probe to probe; in the first it is {:.4g}.", name, c[0]);
}

std::optional<std::string> as_offset(const Many& got, const Many& expected, std::size_t i) {
  std::optional<double> c;
  for (std::size_t p = 0; p < got.size(); ++p) {
    const auto one = offset(got[p][i], expected[p][i]);
    if (!one || (c && !close(*one, *c, std::abs(*c)))) return {};
    c = one;
  }
  return c ? std::optional(fmt::format("{} is right but for {:+.6g}, everywhere.", got[0][i].name, *c)) : std::nullopt;
}

bool transposed(const Array& a, const Array& b) {
  const auto n = static_cast<std::size_t>(columns_of(b)), m = static_cast<std::size_t>(rows_of(b));
  if (n < 2 || m < 2 || a.numbers.size() != b.numbers.size()) return false;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!close(a.numbers[j * m + i], b.numbers[i * n + j], largest(b))) return false;
    }
  }
  return true;
}

// Where all the wrong numbers are, if they are at one end.
std::optional<std::string> at_an_end(const Many& got, const Many& expected, std::size_t i) {
  bool first_row = true, last_row = true, first_column = true, last_column = true, any = false, several = true;
  for (std::size_t p = 0; p < got.size(); ++p) {
    const Array &a = got[p][i], &b = expected[p][i];
    const auto n = static_cast<std::size_t>(columns_of(b)), m = static_cast<std::size_t>(rows_of(b));
    several = several && n > 1 && m > 1;
    for (std::size_t at = 0; at < b.numbers.size(); ++at) {
      if (close(a.numbers[at], b.numbers[at], largest(b))) continue;
      any = true;
      first_row = first_row && at / n == 0;
      last_row = last_row && at / n == m - 1;
      first_column = first_column && at % n == 0;
      last_column = last_column && at % n == n - 1;
    }
  }
  if (!any || !several) return {};
  const char* where = first_row ? "the first row" : last_row ? "the last row" : first_column ? "the first column" : last_column ? "the last column" : nullptr;
  if (where == nullptr) return {};
  return fmt::format("Only {} of {} is wrong.", where, got[0][i].name);
}

std::optional<std::string> with_another_input(const Stage& stage, const Many& got) {
  for (const char* input : {"eps", "scale", "p", "temperature"}) {
    const auto has = [&](const Probe& probe) {
      return std::any_of(probe.inputs.begin(), probe.inputs.end(),
                         [&](const Array& one) { return one.name == input && one.shape.empty(); });
    };
    if (!std::all_of(stage.probes.begin(), stage.probes.end(), has)) continue;
    for (double value : {0.0, 1e-12, 1e-8, 1e-6, 1e-5, 0.1, 0.5, 1.0}) {
      const auto changed = [&](Probe probe) {
        for (Array& one : probe.inputs) {
          if (one.name == input) one.numbers = {value};
        }
        return stage.right(probe);
      };
      if (all_equal(got, of_all(stage.probes, changed))) {
        return fmt::format("This is right for {} = {:g}, whatever {} is asked for.", input, value, input);
      }
    }
  }
  return {};
}

// "Only dgain is wrong", if other outputs are right on every probe.
std::optional<std::string> some_outputs(const Many& got, const Many& expected) {
  std::vector<std::string> right, wrong;
  for (std::size_t i = 0; i < expected[0].size(); ++i) {
    bool is_right = true;
    for (std::size_t p = 0; p < got.size(); ++p) is_right = is_right && equal(got[p][i], expected[p][i]);
    (is_right ? right : wrong).push_back(expected[0][i].name);
  }
  if (right.empty()) return {};
  return fmt::format("{} {} right, {} {} not.", fmt::join(right, " and "), right.size() > 1 ? "are" : "is", fmt::join(wrong, " and "),
                     wrong.size() > 1 ? "are" : "is");
}

// "The first 3 numbers of losses are right", if at least one is on every probe, and what follows is not.
std::optional<std::string> right_at_first(const Many& got, const Many& expected, std::size_t i) {
  std::string where;  // on the first probe that is wrong, as it is the one that is shown
  for (std::size_t p = 0; p < got.size(); ++p) {
    const Array &a = got[p][i], &b = expected[p][i];
    std::size_t at = 0;
    while (at < b.numbers.size() && close(a.numbers[at], b.numbers[at], largest(b))) ++at;
    if (at == b.numbers.size()) continue;
    for (std::size_t later = at; later < b.numbers.size(); ++later) {
      if (close(a.numbers[later], b.numbers[later], largest(b))) return {};
    }
    if (at == 0) return {};
    if (where.empty()) where = place(b, at - 1);
  }
  return where.empty() ? std::nullopt : std::optional(fmt::format("{} is right as far as {}, and wrong from there on.", got[0][i].name, where));
}

std::optional<std::string> relation(const Stage& stage, const Many& got, const Many& expected) {
  if (auto found = with_another_input(stage, got)) return found;
  std::vector<std::string> found;
  for (std::size_t i = 0; i < expected[0].size(); ++i) {
    bool right = true, turned = true;
    for (std::size_t p = 0; p < got.size(); ++p) {
      right = right && equal(got[p][i], expected[p][i]);
      turned = turned && transposed(got[p][i], expected[p][i]);
    }
    if (right) continue;
    auto one = as_factor(got, expected, i);
    if (!one) one = as_offset(got, expected, i);
    if (!one && turned) one = fmt::format("{} is right, but transposed.", got[0][i].name);
    for (std::size_t j = 0; !one && j < expected[0].size(); ++j) {
      bool swapped = j != i;
      for (std::size_t p = 0; swapped && p < got.size(); ++p) swapped = equal(got[p][i], Array(expected[p][j]));
      if (swapped) one = fmt::format("{} is what {} should be.", got[0][i].name, expected[0][j].name);
    }
    if (!one) one = at_an_end(got, expected, i);
    if (!one) one = right_at_first(got, expected, i);
    if (!one) return {};
    found.push_back(*one);
  }
  return found.empty() ? std::nullopt : std::optional(fmt::format("{}", fmt::join(found, " ")));
}

std::optional<Verdict> broken_law(const Stage& stage, const Many& got) {
  for (const Law& law : stage.laws) {
    for (std::size_t p = 0; p < got.size(); ++p) {
      const std::string how = law.broken(stage.probes[p], got[p]);
      if (!how.empty()) {
        return Verdict{Kind::law, fmt::format("A law is broken: {}; here {}.", law.sentence, how),
                       "Which of your lines should make it so?", {}, &stage.probes[p]};
      }
    }
  }
  return {};
}

}  // namespace

bool equal(const Outputs& a, const Outputs& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Array& u, const Array& v) { return equal(u, v); });
}

Verdict diagnose(const Stage& stage, const std::vector<Outputs>& outputs) {
  const Many expected = of_all(stage.probes, stage.right);
  if (all_equal(outputs, expected)) return {};
  if (!same_shapes(outputs, expected)) return {Kind::failed, "Its outputs are not those that were asked for.", "", {}};
  Verdict verdict;
  if (auto found = known(stage, outputs)) verdict = *found;
  else if (auto missing = with_numbers_missing(outputs, expected)) verdict = *missing;
  else if (auto related = relation(stage, outputs, expected)) verdict = {Kind::relation, *related, "Which of your lines could do that?", {}};
  else if (auto broken = broken_law(stage, outputs)) verdict = *broken;
  else if (auto some = some_outputs(outputs, expected)) verdict = {Kind::relation, *some, "What do they share, and what not?", {}};
  else verdict = {Kind::unknown, fmt::format("This is none of the {} mistakes that are known here.", stage.mistakes.size()),
                  "What is the first number that differs, by hand?", {}};
  for (std::size_t p = 0; p < outputs.size(); ++p) {
    if (equal(outputs[p], expected[p]) || (verdict.probe != nullptr && verdict.probe != &stage.probes[p])) continue;
    verdict.probe = &stage.probes[p];
    verdict.got = outputs[p];
    verdict.expected = expected[p];
    break;
  }
  return verdict;
}

Verdict verdict(const Stage& stage, const Run& run) {
  const auto failed = [&](const std::string& sentence, const std::string& question = {}) {
    Verdict verdict{Kind::failed, sentence, question, {}};
    if (run.outputs.size() < stage.probes.size()) verdict.probe = &stage.probes[run.outputs.size()];
    return verdict;
  };
  switch (run.end) {
    case Run::End::finished: return diagnose(stage, run.outputs);
    case Run::End::not_written: return {Kind::not_written, fmt::format("{} is not written yet.", stage.function), "", {}};
    case Run::End::threw: return failed(fmt::format("It threw: {}", run.detail));
    case Run::End::crashed: return failed(fmt::format("It crashed: {}.", run.detail), "Which index may be too large, or negative?");
    case Run::End::out_of_memory: return failed("It asked for more memory than the 4 GB that it may have.", "Which size, or which loop, has no end?");
    case Run::End::endless_recursion: return failed("It called itself until the stack was full.", "Where does the recursion end?");
    case Run::End::not_repeated:
      return failed(fmt::format("Called once more with the same inputs, it gives another {}.", run.detail),
                    "What is kept from call to call, read before it is written, or read from outside of an array?");
    case Run::End::hung: return failed("It did not come to an end in 10 seconds.", "Which loop's condition never becomes false?");
    case Run::End::exited: return failed("It ended the whole program, by exit() or the like; a function returns.");
    case Run::End::forked: return failed("It started another process. None is needed here.");
    case Run::End::wrote_outside:
      return failed(fmt::format("It wrote outside of {}.", run.detail), "Which index is below 0, or as large as the number of rows or columns?");
    case Run::End::changed_input: return failed(fmt::format("It changed its input {}.", run.detail));
    case Run::End::wrong_shape: return failed(fmt::format("{}.", run.detail));
    case Run::End::gradient_cut:
      return failed(fmt::format("No gradient reaches {}.", run.detail), "Which step takes numbers out of the tape?");
    case Run::End::not_loaded: return {Kind::failed, fmt::format("It uses something that is defined nowhere: {}", run.detail), "", {}};
  }
  return {};
}

}  // namespace gradus::exercises
