#include "examples/exercises/tutor/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/check.h"
#include "core/options/edit_distance.h"

namespace gradus::exercises {

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
  const auto& all = all_exercises();
  const std::size_t from = after == nullptr ? 0 : static_cast<std::size_t>(after - all.data()) + 1;
  const Exercise* not_passed = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Exercise& one = all[(from + i) % all.size()];
    if (!state.of(one).passed.empty()) continue;
    if (missing_for(one, state).empty()) return &one;
    if (not_passed == nullptr) not_passed = &one;
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
