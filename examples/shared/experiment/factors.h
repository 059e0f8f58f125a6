// Factors: what an experiment varies; and the places where it is made, each with one level of every factor.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gradus::examples {

struct Factor {
  std::string name;                 // "init"; of a model the option of a family: "norm", "feed_forward"
  std::vector<std::string> levels;  // where there is a baseline, its own first
};

// Factor by factor: {{"init", "gpt2"}, {"blocks", "48"}}. Empty: in one place alone.
using Where = std::vector<std::pair<std::string, std::string>>;
std::string text_of(const Where& where);  // "init gpt2, blocks 48"

// The level of a factor, as it stands or as a number. ValueError for a factor that the place has not.
const std::string& level(const Where& where, std::string_view factor);
int whole_at(const Where& where, std::string_view factor);
double number_at(const Where& where, std::string_view factor);

// Every combination of the factors' levels, the last factor fastest: {{"init", {"gpt2", "lecun"}}, {"blocks", {"4", "48"}}}.
std::vector<Where> crossed(const std::vector<Factor>& factors);
// Two lists as one: of places, of factors, of a place's levels.
template <typename T> std::vector<T> joined(std::vector<T> list, const std::type_identity_t<std::vector<T>>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace gradus::examples
