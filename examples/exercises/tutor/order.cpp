#include "examples/exercises/tutor/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/check.h"
#include "core/options/edit_distance.h"

namespace gradus::exercises {
namespace {

std::vector<const Exercise*> in_order() {
  std::vector<const Exercise*> all;
  for (const OnPath& one : exercises_of_path()) all.push_back(&exercise(one.id));
  for (const Exercise& one : all_exercises()) {
    if (program_before(one).empty()) all.push_back(&one);
  }
  return all;
}

}  // namespace

const std::vector<OnPath>& exercises_of_path() {
  static const std::vector<OnPath> all = {
      {"rule-mul", "tape"},       {"the-walk", "tape"},       {"rule-broadcast", "line"}, {"rule-matmul", "spiral"}, {"softmax", "bytes"},
      {"cross-entropy", "bytes"}, {"attention", "attention"}, {"rms-norm", "block"},      {"adamw", "block"},        {"sampling", "gpt"}};
  return all;
}

std::string program_before(const Exercise& exercise) {
  for (const OnPath& one : exercises_of_path()) {
    if (one.id == exercise.id) return one.program;
  }
  return "";
}

std::string on_the_way(const Exercise& next) {
  const std::string program = program_before(next);
  for (const OnPath& one : exercises_of_path()) {
    if (one.program != program) continue;
    return one.id == next.id ? fmt::format("On the path {}.cpp comes first: ./examples/run {}\n", program, program) : "";
  }
  return "";
}

std::vector<std::string> missing_for(const Exercise& exercise, const State& state) {
  std::vector<std::string> missing;
  for (const std::string& id : exercise.needs) {
    for (const Exercise& one : all_exercises()) {
      if (one.id == id && state.of(one).passed.empty()) missing.push_back(id);
    }
  }
  return missing;
}

const Exercise* next_open(const State& state, const Exercise* after) {
  std::vector<const Exercise*> all = in_order();
  const auto at = std::find(all.begin(), all.end(), after);
  if (at != all.end()) std::rotate(all.begin(), at + 1, all.end());
  const Exercise* not_passed = nullptr;
  for (const Exercise* one : all) {
    if (!state.of(*one).passed.empty()) continue;
    if (missing_for(*one, state).empty()) return one;
    if (not_passed == nullptr) not_passed = one;
  }
  return not_passed;
}

const Exercise& current_of(const State& state) {
  const auto& all = all_exercises();
  const auto was = std::find_if(all.begin(), all.end(), [&](const Exercise& one) { return one.id == state.current(); });
  if (was != all.end() && state.of(*was).passed.empty()) return *was;
  const Exercise* open = next_open(state);
  return open != nullptr ? *open : was != all.end() ? *was : all.back();
}

std::size_t stage_of(const Exercise& exercise, const State& state) {
  const std::string function = state.of(exercise).function;
  const auto& stages = exercise.stages;
  const auto found = std::find_if(stages.begin(), stages.end(), [&](const Stage& stage) { return stage.function == function; });
  return found == stages.end() ? 0 : static_cast<std::size_t>(found - stages.begin());
}

const Exercise& exercise_called(const std::string& word) {
  std::string name = std::filesystem::path(word).filename().string();
  if (name.size() > 4 && name.compare(name.size() - 4, 4, ".cpp") == 0) name.resize(name.size() - 4);
  for (char& c : name) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  const std::string number = name.substr(0, digits), rest = name.substr(std::min(digits + (digits > 0), name.size()));
  std::vector<std::string> ids;
  for (const Exercise& one : all_exercises()) {
    const bool by_number = !number.empty() && number.size() < 4 && std::stoi(number) == one.number && (rest.empty() || rest == one.id);
    if (name == one.id || by_number) return one;
    ids.push_back(one.id);
  }
  const std::string near = nearest(rest.empty() ? name : number.empty() ? name : rest, ids);
  throw ValueError(fmt::format("there is no exercise '{}'; did you mean '{}'? ./examples/run exercises list names them", word, near));
}

}  // namespace gradus::exercises
