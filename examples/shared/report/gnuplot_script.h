// What gnuplot is told: a plot as its commands and data, for a wide picture and then a narrow one.
#pragma once

#include <array>
#include <string>

#include "examples/shared/report/plot.h"

namespace gradus::examples {

struct PlotColour {
  const char *name, *light, *gnuplot;  // gnuplot writes what it is given as "rgb(  0, 112, 140)", of text without spaces
};
inline constexpr std::array<PlotColour, 11> kColours{{{"f1", "#00708c", "rgb(0,112,140)"},
                                                      {"f2", "#8f6400", "rgb(143,100,0)"},
                                                      {"f3", "#6a3fd0", "rgb(106,63,208)"},
                                                      {"f4", "#8e0b52", "rgb(142,11,82)"},
                                                      {"none", "#636e7c", "rgb(99,110,124)"},
                                                      {"ink", "#1b1f24", "rgb(27,31,36)"},
                                                      {"soft", "#57606a", "rgb(87,96,106)"},
                                                      {"line", "#dfe3e8", "rgb(223,227,232)"},
                                                      {"value", "#046ede", "rgb(4,110,222)"},
                                                      {"gradient", "#b25803", "rgb(178,88,3)"},
                                                      {"wrong", "#992130", "rgb(153,33,48)"}}};

// ValueError for a colour that has no name here, or a line with more x than y.
std::string gnuplot_script(const Plot& plot);

}  // namespace gradus::examples
