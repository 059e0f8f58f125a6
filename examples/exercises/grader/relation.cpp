#include "examples/exercises/grader/relation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gradus::exercises {
namespace {

// --- one output, as a whole --------------------------------------------------------------------------------------------------

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

std::optional<Relation> as_factor(const Many& got, const Many& expected, std::size_t i) {
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
    if (fits)
      return Relation{fmt::format("{} is right but for a factor: {}.", name, factor.words),
                      "Which of your lines brings that factor, or forgets it?"};
  }
  if (std::all_of(c.begin(), c.end(), [&](double one) { return close(one, c[0], std::abs(c[0])); })) {
    return Relation{fmt::format("{} is {:.6g} times what is right, everywhere.", name, c[0]),
                    "Which of your lines brings that factor, or forgets it?"};
  }
  if (got[0][i].numbers.size() < 2) return {};  // of one number, any other is a multiple
  return Relation{fmt::format("{} is right but for a factor, which is {:.4g} on one probe and {:.4g} on another.", name,
                              *std::min_element(c.begin(), c.end()), *std::max_element(c.begin(), c.end())),
                  "Which of n, the number of rows, √d is this factor on two probes?"};
}

std::optional<Relation> as_offset(const Many& got, const Many& expected, std::size_t i) {
  std::optional<double> c;
  for (std::size_t p = 0; p < got.size(); ++p) {
    const auto one = offset(got[p][i], expected[p][i]);
    if (!one || (c && !close(*one, *c, std::abs(*c)))) return {};
    c = one;
  }
  if (!c) return {};
  return Relation{fmt::format("{} is right but for {:+.6g}, everywhere.", got[0][i].name, *c),
                  "Which of your lines adds that, or forgets to?"};
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
std::optional<Relation> at_an_end(const Many& got, const Many& expected, std::size_t i) {
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
  const char* where = first_row      ? "the first row"
                      : last_row     ? "the last row"
                      : first_column ? "the first column"
                      : last_column  ? "the last column"
                                     : nullptr;
  if (where == nullptr) return {};
  return Relation{fmt::format("Only {} of {} is wrong.", where, got[0][i].name),
                  first_row || first_column ? "What does your code know later that it does not know there?"
                                            : "Do your loops come that far, and what is read there?"};
}

// "y is right as far as y[0][4]", if at least one number is on every probe, and what follows is not.
std::optional<Relation> right_at_first(const Many& got, const Many& expected, std::size_t i) {
  if (expected[0][i].name.back() == '?') return {};  // verdicts, which no loop goes through
  std::string where;                                 // on the first probe that is wrong, as it is the one that is shown
  bool whole_rows = true;
  for (std::size_t p = 0; p < got.size(); ++p) {
    const Array &a = got[p][i], &b = expected[p][i];
    std::size_t at = 0;
    while (at < b.numbers.size() && close(a.numbers[at], b.numbers[at], largest(b))) ++at;
    if (at == b.numbers.size()) continue;
    for (std::size_t later = at; later < b.numbers.size(); ++later) {
      if (close(a.numbers[later], b.numbers[later], largest(b))) return {};
    }
    if (at == 0) return {};
    whole_rows = whole_rows && at % static_cast<std::size_t>(columns_of(b)) == 0;
    if (where.empty()) where = place(b, at - 1);
  }
  if (where.empty()) return {};
  return Relation{fmt::format("{} is right as far as {}, and wrong from there on.", got[0][i].name, where),
                  whole_rows ? "What is left over from a row when your loop begins the next one?"
                             : "What does your loop keep from one number to the next?"};
}

// What one output is, seen by itself: "dx is right, but transposed."
std::optional<Relation> of_output(const Many& got, const Many& expected, std::size_t i) {
  if (auto found = as_factor(got, expected, i)) return found;
  if (auto found = as_offset(got, expected, i)) return found;
  const auto on_all = [&](const auto& holds) {
    for (std::size_t p = 0; p < got.size(); ++p) {
      if (!holds(p)) return false;
    }
    return true;
  };
  const std::string& name = got[0][i].name;
  if (on_all([&](std::size_t p) { return transposed(got[p][i], expected[p][i]); })) {
    return Relation{fmt::format("{} is right, but transposed.", name), "Which of its indices counts rows, and which columns?"};
  }
  for (std::size_t j = 0; j < expected[0].size(); ++j) {
    const bool exchanged = j != i && on_all([&](std::size_t p) { return equal(got[p][i], expected[p][j]); });
    if (exchanged)
      return Relation{fmt::format("{} is what {} should be.", name, expected[0][j].name), "Which of the two do you write where?"};
  }
  return {};
}

// Where one output is wrong, if not everywhere.
std::optional<Relation> place_in_output(const Many& got, const Many& expected, std::size_t i) {
  if (auto found = at_an_end(got, expected, i)) return found;
  return right_at_first(got, expected, i);
}

// What f says of each wrong output, if it says something of all; the question is the first one's.
template <typename F> std::optional<Relation> of_outputs(const Many& got, const Many& expected, const F& f) {
  std::optional<Relation> all;
  for (std::size_t i = 0; i < expected[0].size(); ++i) {
    bool right = true;
    for (std::size_t p = 0; p < got.size(); ++p) right = right && equal(got[p][i], expected[p][i]);
    if (right) continue;
    const std::optional<Relation> one = f(got, expected, i);
    if (!one) return {};
    if (all) all->sentence += " " + one->sentence;
    else all = one;
  }
  return all;
}

// --- all outputs, and the inputs -----------------------------------------------------------------------------------------------

std::optional<Relation> with_another_input(const Stage& stage, const Many& got) {
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
        return Relation{fmt::format("This is right for {} = {:g}, whatever {} is asked for.", input, value, input),
                        fmt::format("Where do you use {}, and does it come from the caller?", input)};
      }
    }
  }
  return {};
}

// A change of an input, and what is said if the answer is right for inputs that are so changed.
struct Change {
  const char* words;
  void (*make)(Array& input);
};

double& at(Array& input, int row, int column) { return input.numbers[static_cast<std::size_t>(row * columns_of(input) + column)]; }

template <typename F> void change_each(Array& input, const F& f) {
  for (int i = 0; i < rows_of(input); ++i) {
    for (int j = 0; j < columns_of(input); ++j) at(input, i, j) = f(i, j, at(input, i, j));
  }
}

const Change kChanges[] = {
    {"all of {} were 0", [](Array& x) { change_each(x, [](int, int, double) { return 0.0; }); }},
    {"all of {} were 1", [](Array& x) { change_each(x, [](int, int, double) { return 1.0; }); }},
    {"{} had the other sign", [](Array& x) { change_each(x, [](int, int, double v) { return -v; }); }},
    {"{} were twice as large", [](Array& x) { change_each(x, [](int, int, double v) { return 2 * v; }); }},
    {"{} were squared", [](Array& x) { change_each(x, [](int, int, double v) { return v * v; }); }},
    {"each number of {} were one over itself", [](Array& x) { change_each(x, [](int, int, double v) { return 1 / v; }); }},
    {"the first column of {} were 0", [](Array& x) { change_each(x, [](int, int j, double v) { return j == 0 ? 0 : v; }); }},
    {"the last column of {} were 0",
     [](Array& x) { change_each(x, [&](int, int j, double v) { return j + 1 == columns_of(x) ? 0 : v; }); }},
    {"the first row of {} were 0", [](Array& x) { change_each(x, [](int i, int, double v) { return i == 0 ? 0 : v; }); }},
    {"the last row of {} were 0", [](Array& x) { change_each(x, [&](int i, int, double v) { return i + 1 == rows_of(x) ? 0 : v; }); }},
    {"each row of {} were its first", [](Array& x) { change_each(x, [&](int, int j, double) { return at(x, 0, j); }); }},
    {"each column of {} were its first", [](Array& x) { change_each(x, [&](int i, int, double) { return at(x, i, 0); }); }},
};

// Numbers to compute with; places and counts are whole, and a change makes them something else.
bool is_computed_with(const Array& input) {
  return !input.shape.empty() && std::any_of(input.numbers.begin(), input.numbers.end(), [](double v) { return v != std::round(v); });
}

bool right_if(const Stage& stage, const Many& got, const std::function<void(Probe&)>& change) {
  for (std::size_t p = 0; p < got.size(); ++p) {
    Probe changed = stage.probes[p];
    change(changed);
    const auto right = attempt(stage.right, changed).outputs;
    if (!right || !equal(got[p], *right)) return false;
  }
  return true;
}

// Right with an input of other numbers: so it is used in another way.
std::optional<Relation> with_changed_input(const Stage& stage, const Many& got) {
  const std::vector<Array>& inputs = stage.probes[0].inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!is_computed_with(inputs[i])) continue;
    for (const Change& change : kChanges) {
      if (!right_if(stage, got, [&](Probe& probe) { change.make(probe.inputs[i]); })) continue;
      return Relation{fmt::format("This would be right if {}.", fmt::format(fmt::runtime(change.words), inputs[i].name)),
                      fmt::format("Where do you use {}, and how?", inputs[i].name)};
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!right_if(stage, got, [&](Probe& probe) { std::swap(probe.inputs[i].numbers, probe.inputs[j].numbers); })) continue;
      return Relation{fmt::format("This would be right if {} and {} were exchanged.", inputs[j].name, inputs[i].name),
                      fmt::format("Which of the two is {}?", inputs[j].name)};
    }
  }
  return {};
}

// Are all numbers what they should be, as far as a float goes?
bool right_as_floats(const Many& got, const Many& expected) {
  constexpr double kFloat = 0x1p-20;  // a few roundings
  for (std::size_t p = 0; p < got.size(); ++p) {
    for (std::size_t i = 0; i < got[p].size(); ++i) {
      const Array &mine = got[p][i], &right = expected[p][i];
      for (std::size_t at = 0; at < right.numbers.size(); ++at) {
        if (!close(mine.numbers[at], right.numbers[at], largest(right) * (kFloat / 1e-9))) return false;
      }
    }
  }
  return true;
}

std::optional<Relation> wrong_first(const Stage& stage, const Many& got, const Many& expected) {
  for (std::size_t p = 0; stage.wrong_first && p < got.size(); ++p) {
    const std::string sentence = stage.wrong_first(stage.probes[p], got[p], expected[p]);
    if (!sentence.empty()) return Relation{sentence, stage.wrong_first_question};
  }
  return {};
}

std::optional<Relation> but_for_a_part(const Stage& stage, const Many& got) {
  for (const Piece& part : stage.pieces) {
    bool alone = true;
    for (std::size_t p = 0; alone && p < got.size(); ++p) alone = part.alone_may_be_wrong(stage.probes[p], got[p]);
    if (alone) return Relation{fmt::format("All is right but for {}.", part.name), part.question};
  }
  return {};
}

}  // namespace

std::optional<Relation> relation(const Stage& stage, const Many& got, const Many& expected) {
  if (right_as_floats(got, expected)) {
    return Relation{"All numbers are right to six digits, and differ after that.",
                    "Is there a float where a double is meant, a constant of few digits, or an ε that nobody asked for?"};
  }
  if (auto found = with_another_input(stage, got)) return found;
  if (auto found = of_outputs(got, expected, of_output)) return found;
  if (auto found = but_for_a_part(stage, got)) return found;
  return with_changed_input(stage, got);
}

std::optional<Relation> wrong_part(const Stage& stage, const Many& got, const Many& expected) {
  if (auto found = wrong_first(stage, got, expected)) return found;
  return of_outputs(got, expected, [](const Many& a, const Many& b, std::size_t i) {
    const auto whole = of_output(a, b, i);
    return whole ? whole : place_in_output(a, b, i);
  });
}

std::optional<Relation> some_outputs(const Many& got, const Many& expected) {
  std::vector<std::string> right, wrong;
  for (std::size_t i = 0; i < expected[0].size(); ++i) {
    bool is_right = true;
    for (std::size_t p = 0; p < got.size(); ++p) is_right = is_right && equal(got[p][i], expected[p][i]);
    (is_right ? right : wrong).push_back(expected[0][i].name);
  }
  if (right.empty()) return {};
  const std::string all_right = fmt::format("{} {}", fmt::join(right, " and "), right.size() > 1 ? "are" : "is"),
                    left = fmt::format("{}", fmt::join(wrong, " and "));
  return Relation{fmt::format("{} right, {} {} not.", all_right, left, wrong.size() > 1 ? "are" : "is"),
                  fmt::format("Only the lines that write {} are left. What do they give for one number, by hand?", left)};
}

}  // namespace gradus::exercises
