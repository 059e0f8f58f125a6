#include "examples/shared/report/gnuplot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace gradus::examples {
namespace {

const char* light(const std::string& name) {
  for (const PlotColour& colour : kColours) {
    if (name == colour.name) return colour.light;
  }
  throw ValueError(fmt::format("plot: no colour is named '{}'", name));
}

struct Range {
  double from = HUGE_VAL, to = -HUGE_VAL;
  void include(double x, bool logarithmic) {
    if (!std::isfinite(x) || (logarithmic && x <= 0)) return;
    from = std::min(from, x);
    to = std::max(to, x);
  }
};

Range range_of(const Axis& axis, const Plot& plot, std::vector<double> Line::* values) {
  Range range;
  for (const Line& line : plot.lines) {
    for (const double x : line.*values) range.include(x, axis.logarithmic);
    if (values != &Line::y) continue;
    for (const auto* band : {&line.low, &line.high}) {
      for (const double x : *band) range.include(x, axis.logarithmic);
    }
  }
  const double margin = axis.logarithmic ? 0 : 0.04 * (range.to - range.from);
  if (values == &Line::y) range = {range.from - margin, range.to + margin};
  if (!std::isnan(axis.from)) range.from = axis.from;
  if (!std::isnan(axis.to)) range.to = axis.to;
  if (!(range.from < range.to)) range = {range.from - 1, range.from + 1};
  return range;
}

// Where a value lies between the ends of its axis, from 0 to 1.
double part(double x, const Range& range, bool logarithmic) {
  return logarithmic ? std::log(x / range.from) / std::log(range.to / range.from) : (x - range.from) / (range.to - range.from);
}

// 1, 2 or 5 times a power of ten: the least that goes at most `count` times into the range.
double round_step(const Range& range, int count) {
  const double least = (range.to - range.from) / count, power = std::pow(10, std::floor(std::log10(least)));
  for (const double step : {power, 2 * power, 5 * power}) {
    if (step >= least * (1 - 1e-9)) return step;
  }
  return 10 * power;
}

// The longest number at an axis with this step, in letters.
std::size_t longest_number(const Range& range, double step) {
  std::size_t longest = 0;
  for (double k = std::ceil(range.from / step); k * step <= range.to; ++k) {
    longest = std::max(longest, fmt::format("{:.6g}", k * step).size());
  }
  return longest;
}

// The least step at which the numbers below `pixels` of an axis do not crowd each other.
double step_that_fits(const Range& range, double pixels) {
  for (int count = 8; count > 1; --count) {
    const double step = round_step(range, count), number = 18 + 8 * static_cast<double>(longest_number(range, step));
    if (number * (range.to - range.from) / step <= pixels) return step;
  }
  return range.to - range.from;
}

// The ticks of a logarithmic axis of two decades or less: 0.5, 1, 2, 5, …
std::string ones_twos_fives(const Range& range) {
  std::string ticks;
  for (double power = std::pow(10, std::floor(std::log10(range.from))); power <= range.to; power *= 10) {
    for (const double tick : {power, 2 * power, 5 * power}) {
      if (tick >= range.from && tick <= range.to) ticks += fmt::format("{}{:.6g}", ticks.empty() ? "" : ",", tick);
    }
  }
  return ticks;
}

std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return '"' + result + '"';
}

class Script {
 public:
  explicit Script(const Plot& plot) : plot_(plot), x_(range_of(plot.x, plot, &Line::x)), y_(range_of(plot.y, plot, &Line::y)) {}

  std::string text() {
    add("set encoding utf8; set minussign; set key off; set style fill transparent solid 0.16 noborder\n"
        "set border 3 lc rgb '#636e7c' lw 1; set tics out nomirror scale 0.6,0.3 textcolor rgb '#57606a'; set mxtics "
        "1; set mytics 1\n"
        "set grid ytics lt 1 lc rgb '#dfe3e8' lw 1; set xlabel {} offset 0,0.35 textcolor rgb '#1b1f24'\n"
        "set xrange [{}:{}]; set yrange [{}:{}]\n",
        quoted(plot_.x.name), x_.from, x_.to, y_.from, y_.to);
    for (const auto& [letter, axis, range] : {std::tuple{'x', &plot_.x, &x_}, {'y', &plot_.y, &y_}}) {
      if (axis->logarithmic) add("set logscale {} 10\n", letter);
    }
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) data(i);
    page(true);
    page(false);
    return text_;
  }

 private:
  template <typename... T> void add(fmt::format_string<T...> format, T&&... values) {
    text_ += fmt::format(format, std::forward<T>(values)...);
  }

  void data(std::size_t i) {
    const Line& line = plot_.lines[i];
    check<ValueError>(line.x.size() == line.y.size(), "plot: line '{}' has {} x and {} y", line.name, line.x.size(), line.y.size());
    add("$line{} << END\n", i);
    for (std::size_t k = 0; k < line.x.size(); ++k) {
      if (!std::isfinite(line.y[k])) add("\n");  // an interruption
      else if (line.low.empty()) add("{} {}\n", line.x[k], line.y[k]);
      else add("{} {} {} {}\n", line.x[k], line.y[k], line.low.at(k), line.high.at(k));
    }
    add("END\n");
  }

  void page(bool wide) {
    add("unset label; unset object\nset term svg size {} dynamic enhanced font 'system-ui,13'\n", wide ? "720,360" : "358,340");
    std::size_t longest = 0;
    for (const Line& line : plot_.lines) longest = std::max(longest, line.name.size());
    const double margin = longest == 0 ? 2 : 2 + 1.05 * static_cast<double>(longest);
    const double step = round_step(y_, 6);
    const auto left = std::max<std::size_t>(wide ? 8 : 6, plot_.y.logarithmic ? 0 : 1 + longest_number(y_, step));
    const double pixels = (wide ? 720 : 358) - 9.1 * (margin + static_cast<double>(left));  // a letter of a margin: 9.1 px
    add("set lmargin {}; set rmargin {:.1f}; set bmargin 3.4; set tmargin 2.2\n", left, margin);
    ticks('x', plot_.x, x_, step_that_fits(x_, pixels), wide ? 6 : 3);
    ticks('y', plot_.y, y_, step, 6);
    add("set label {} at screen 0,0.968 left tc rgb '#1b1f24'\n", quoted(plot_.y.name));
    for (const Remark& remark : plot_.remarks) {
      if (!wide && !remark.on_phone) continue;
      const char* side = remark.side == Remark::Side::right ? "left" : remark.side == Remark::Side::left ? "right" : "center";
      add("set label {} at {},{} {} tc rgb '{}' font ',14' front\n", quoted(remark.text), remark.x, remark.y, side, light(remark.colour));
    }
    for (const auto& [x, y] : plot_.dots) {
      add("set object circle at {},{} size screen {} fc rgb '#1b1f24' fs solid noborder front\n", x, y, wide ? 0.006 : 0.011);
    }
    names_at_ends();
    std::string what;
    for (std::size_t i = 0; i < plot_.lines.size(); ++i) {
      const Line& line = plot_.lines[i];
      const std::string colour = light(line.colour);
      if (!line.low.empty())
        what += fmt::format("{}$line{} using 1:3:4 with filledcurves lc rgb '{}'", what.empty() ? "" : ", ", i, colour);
      what += fmt::format("{}$line{} using 1:2 with lines lc rgb '{}' lw 2.2{}", what.empty() ? "" : ", ", i, colour,
                          line.dashed || line.colour == "none" ? " dt (8,4)" : "");
    }
    add("plot {}\n", what);
  }

  // By this step, or at most about `count` of them on a logarithmic axis of several decades.
  void ticks(char letter, const Axis& axis, const Range& range, double step, int count) {
    if (!axis.logarithmic) return add("set {}tics {}\n", letter, step);
    const double decades = std::log10(range.to / range.from);
    if (decades <= 2) return add("set {}tics ({})\n", letter, ones_twos_fives(range));
    std::string powers;  // each by itself: by how much "first,step" goes on differs between versions of gnuplot
    const int step_in_decades = static_cast<int>(std::ceil(decades / count));
    for (int power = static_cast<int>(std::ceil(std::log10(range.from) - 1e-9)); power <= std::log10(range.to) + 1e-9;
         power += step_in_decades) {
      powers += fmt::format("{}{:g}", powers.empty() ? "" : ", ", std::pow(10, power));
    }
    add("set format {0} '10^{{%T}}'; set {0}tics ({1})\n", letter, powers);
  }

  // At the right ends, moved apart where they would overlap.
  void names_at_ends() {
    struct Name {
      const Line* line;
      double height;
    };
    std::vector<Name> names;
    for (const Line& line : plot_.lines) {
      if (line.name.empty()) continue;
      std::size_t last = line.y.size();
      while (last-- > 0 && !std::isfinite(line.y[last])) {
      }
      if (last < line.y.size()) names.push_back({&line, std::clamp(part(line.y[last], y_, plot_.y.logarithmic), 0.0, 1.0)});
    }
    std::sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.height < b.height; });
    constexpr double gap = 0.06;
    for (std::size_t i = 1; i < names.size(); ++i) names[i].height = std::max(names[i].height, names[i - 1].height + gap);
    if (!names.empty() && names.back().height > 1) {
      names.back().height = 1;
      for (std::size_t i = names.size() - 1; i-- > 0;) names[i].height = std::min(names[i].height, names[i + 1].height - gap);
    }
    for (const auto& [line, height] : names) {
      add("set label {} at graph 1.012,{:.4f} left tc rgb '{}' front\n", quoted(line->name), height, light(line->colour));
    }
  }

  const Plot& plot_;
  const Range x_, y_;
  std::string text_;
};

}  // namespace

std::string gnuplot_script(const Plot& plot) { return Script(plot).text(); }

}  // namespace gradus::examples
