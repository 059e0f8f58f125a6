#include "examples/shared/experiment/factors.h"

#include <algorithm>

#include "core/check.h"

namespace gradus::examples {

std::string text_of(const Where& where) {
  std::string text;
  for (const auto& [factor, level] : where) text += (text.empty() ? "" : ", ") + factor + " " + level;
  return text;
}

const std::string& level(const Where& where, std::string_view factor) {
  const auto found = std::find_if(where.begin(), where.end(), [&](const auto& one) { return one.first == factor; });
  check<ValueError>(found != where.end(), "the place '{}' has no factor '{}'", text_of(where), factor);
  return found->second;
}

int whole_at(const Where& where, std::string_view factor) { return std::stoi(level(where, factor)); }
double number_at(const Where& where, std::string_view factor) { return std::stod(level(where, factor)); }

std::vector<Where> crossed(const std::vector<Factor>& factors) {
  std::vector<Where> places{{}};
  for (const auto& [factor, levels] : factors) {
    std::vector<Where> longer;
    for (const Where& where : places) {
      for (const std::string& level : levels) longer.emplace_back(where).emplace_back(factor, level);
    }
    places = std::move(longer);
  }
  return places;
}

}  // namespace gradus::examples
