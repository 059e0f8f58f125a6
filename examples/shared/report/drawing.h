// Drawings that gnuplot cannot make well: heat maps, small multiples, strips of dots. SVG with the page's own colours, so that
// it follows light and dark; text at its full size on any screen.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace gradus::examples {

// Rows of numbers as coloured squares. A NaN is a cross; an empty cell is outlined.
struct HeatMap {
  enum class Scale {
    magnitude,  // |x| on a logarithmic scale: `decades` of them below the greatest; exactly 0 is an empty cell
    sign,       // below zero blue, above orange, limits symmetric
  };
  std::vector<std::vector<double>> rows;
  Scale scale = Scale::magnitude;
  double limit = 0;  // the greatest |x|; 0: that of the numbers
  double quiet = 0;  // if > 0, of sign: |x| up to this is grey, the colours part at 2 and 5 times it, a masked cell is empty
  double decades = 3;
  double cell = 14;   // px; numbers are written in cells of 40 and more, and cells below 5 touch each other
  int decimals = -1;  // of these numbers; -1: three digits
  std::string alt;    // what is to be seen, in words
  std::vector<std::string> row_names = {}, column_names = {};
  std::vector<std::string> column_groups = {};     // above the columns' names, which stand upright where they would touch
  int framed_row = -1, framed_column = -1;         // a cell to point out
  std::function<bool(int, int)> hidden = nullptr;  // masked cells
};
std::string draw(const HeatMap& map);

// A key to the colours: "10⁻³ ▒▒▒▒ 1".
std::string key_of(const HeatMap& map, const std::string& quantity);

// Panels beside each other, as many in a row as there is room for. A panel's own drawing is hidden from screen readers: its
// title and sentence carry the numbers.
struct Panel { std::string title, sentence, drawing; };
std::string panels(const std::vector<Panel>& all, double width_rem = 10);

// Values along one axis, one dot a seed; the grey bar is the baseline's spread.
struct DotStrip {
  std::vector<double> values;
  double from = 0, to = 1, baseline_from = 0, baseline_to = 0;
  double mark = std::numeric_limits<double>::quiet_NaN();  // an upright line there, if it is a number
  bool logarithmic = false;
  std::string colour = "f1", alt;
};
std::string draw(const DotStrip& strip);

}  // namespace gradus::examples
