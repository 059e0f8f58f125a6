#include "examples/exercises/grader/agree.h"

#include <fmt/format.h>

#include <algorithm>

namespace gradus::exercises {
namespace {

const Choice::Way& way_of(const Choice& choice, const Verdict& verdict) {
  for (const Choice::Way& way : choice.ways) {
    if (std::count(verdict.ids.begin(), verdict.ids.end(), way.convention) > 0) return way;
  }
  return choice.ways[0];
}

Verdict differ(const std::string& function, const Choice::Way& one, const std::string& later, const Choice::Way& other) {
  Verdict verdict{.kind = Kind::disagreement};
  verdict.sentence =
      fmt::format("{} {}, {} {}: each is right by itself, but they do not belong together.", function, one.words, later, other.words);
  verdict.question = "Which of the two do you want, for both?";
  for (const std::string& id : {one.convention, other.convention}) {
    if (!id.empty()) verdict.ids.push_back(id);
  }
  return verdict;
}

std::optional<Verdict> disagreement(const Exercise& exercise, const Choice& choice, const std::vector<Verdict>& verdicts) {
  const std::string* first = nullptr;
  const Choice::Way* chosen = nullptr;
  for (std::size_t s = 0; s < verdicts.size(); ++s) {
    const std::string& function = exercise.stages[s].function;
    if (std::count(choice.functions.begin(), choice.functions.end(), function) == 0) continue;
    const Choice::Way& way = way_of(choice, verdicts[s]);
    if (chosen != nullptr && chosen != &way) return differ(*first, *chosen, function, way);
    first = &function;
    chosen = &way;
  }
  return {};
}

}  // namespace

std::optional<Verdict> disagreement(const Exercise& exercise, const std::vector<Verdict>& verdicts) {
  for (const Choice& choice : exercise.choices) {
    if (auto found = disagreement(exercise, choice, verdicts)) return found;
  }
  return {};
}

}  // namespace gradus::exercises
