#include "examples/ch07_attention/pictures.h"

#include <fmt/format.h>

#include "examples/shared/report/values.h"
#include "examples/shared/report/words.h"
#include "examples/shared/training/causality.h"

namespace gradus::examples {

std::string causal_picture(const Numbers& map, const std::string& name, double cell) {
  HeatMap picture{.rows = map, .decades = 4, .cell = cell, .alt = {}};
  if (!name.empty()) {
    for (std::size_t s = 1; s <= map.at(0).size(); ++s) picture.column_names.push_back(std::to_string(s));
    for (std::size_t t = 1; t <= map.size(); ++t) picture.row_names.push_back(std::to_string(t));
    const double future = greatest_of_future(map);
    picture.alt = fmt::format(
        "Heat map of {}: rows are outputs t, columns inputs s, {} by {}. Below the diagonal all cells are filled; above "
        "it {}.",
        name, map.size(), map.at(0).size(), future > 0 ? "there are values up to " + shown(future) : "all are exactly 0");
  }
  return draw(picture);
}

HeatMap weights_map(const Tensor& probabilities) {
  return {.rows = rows_of(probabilities), .limit = 1, .decades = 3, .cell = 14, .alt = {}};
}

std::string weights_picture(const Tensor& probabilities, const std::string& alt, double cell) {
  HeatMap picture = weights_map(probabilities);
  picture.alt = alt;
  picture.cell = cell;
  return draw(picture);
}

}  // namespace gradus::examples
