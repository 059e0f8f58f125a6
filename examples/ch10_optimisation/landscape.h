// A landscape seen from above: level curves, a path through them, its start and the place it looks for.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gradus::examples {

using Path = std::vector<std::pair<double, double>>;

struct Landscape {
  double x_from = 0, x_to = 1, y_from = 0, y_to = 1;  // what leaves the frame is cut there
  std::vector<Path> levels;
  Path path;  // of which the first point is marked
  std::pair<double, double> goal = {};
  std::string colour = "f1";
};

// To stand in a panel: hidden from screen readers, whose sentence carries the numbers.
std::string draw(const Landscape& landscape);

}  // namespace gradus::examples
