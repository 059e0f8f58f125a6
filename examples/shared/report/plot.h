// Line plots, drawn by gnuplot: twice, wide and for a phone, as a picture that is scaled has unreadable text. Labels stand at
// the lines, there is no legend; colours follow light and dark.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace gradus::examples {

struct Axis {
  std::string name;  // with its unit in brackets
  bool logarithmic = false;
  double from = std::numeric_limits<double>::quiet_NaN(), to = std::numeric_limits<double>::quiet_NaN();  // NaN: of the data
};

struct Line {
  std::string name;           // written at its right end; empty: not at all
  std::vector<double> x, y;   // a NaN interrupts it
  std::string colour = "f1";  // f1 … f4, ink, none (the baseline: grey, dashed), value, gradient, wrong
  bool dashed = false;
  std::vector<double> low = {}, high = {};  // a band about it: least and greatest over seeds
};

struct Remark {
  std::string text;
  double x = 0, y = 0;  // in the units of the axes
  std::string colour = "ink";
  enum class Side { right, left, centre } side = Side::right;  // of (x, y) on which it stands
  bool on_phone = true;
};

struct Plot {
  std::string title;  // for those who do not see it
  std::string alt;    // kind, axes with ranges, each line's shape with its number, what to see
  Axis x, y;
  std::vector<Line> lines;
  std::vector<Remark> remarks = {};
  std::vector<std::pair<double, double>> dots = {};  // points to mark
};

bool has_gnuplot();
// Two pictures, of which the page shows one. Without gnuplot: a note, and the numbers as a table.
std::string draw(const Plot& plot);
// The wide one as a file of its own, light; ValueError without gnuplot.
std::string svg_file(const Plot& plot);

}  // namespace gradus::examples
