#include "examples/shared/report/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

double greatest(const std::vector<std::vector<double>>& rows) {
  double most = 0;
  for (const auto& row : rows) {
    for (const double x : row) most = std::isfinite(x) ? std::max(most, std::abs(x)) : most;
  }
  return most;
}

// The name of a token: g1 … g6 for magnitude, m3 … m1, z0, p1 … p3 for sign.
std::string colour_of(double x, const HeatMap& map, double limit) {
  const double part = limit > 0 ? std::abs(x) / limit : 0;
  if (map.scale == HeatMap::Scale::magnitude) {
    const int level = 1 + static_cast<int>((std::log10(part) + map.decades) / map.decades * 6);
    return fmt::format("g{}", std::clamp(level, 1, 6));
  }
  if (map.quiet > 0 && std::abs(x) <= map.quiet) return "hidden";
  if (part < 1e-12) return "z0";
  const double first = map.quiet > 0 ? 2 * map.quiet : 0.1 * limit, second = map.quiet > 0 ? 5 * map.quiet : 0.5 * limit;
  return fmt::format("{}{}", x > 0 ? 'p' : 'm', std::abs(x) < first ? 1 : std::abs(x) < second ? 2 : 3);
}

std::string label(double x, double y, const std::string& anchor, const std::string& text, const std::string& colour = "soft") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"12\" fill=\"var(--{})\">{}</text>", x, y, anchor,
                     colour, escaped(text));
}

double width_of(const std::vector<std::string>& names) {  // of the longest, about
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  return 7.0 * static_cast<double>(longest);
}

class Map {
 public:
  explicit Map(const HeatMap& map) : map_(map), limit_(map.limit > 0 ? map.limit : greatest(map.rows)), size_(map.cell) {}

  std::string svg() {
    const double rows = size_ * static_cast<double>(map_.rows.size());
    const double columns = size_ * static_cast<double>(map_.rows.empty() ? 0 : map_.rows[0].size());
    const double left = map_.row_names.empty() ? 2 : 8 + width_of(map_.row_names), wide = width_of(map_.column_names);
    const bool upright = !map_.column_groups.empty() && wide > size_;
    const double names = map_.column_names.empty() ? 2 : upright ? wide + 4 : 20;
    const double top = names + (map_.column_groups.empty() ? 0 : 18);
    if (size_ < 5) runs();
    for (std::size_t i = 0; i < map_.rows.size() && size_ >= 5; ++i) {
      for (std::size_t j = 0; j < map_.rows[i].size(); ++j) cell(i, j);
    }
    for (std::size_t i = 0; i < map_.row_names.size(); ++i) {
      out_ += label(-8, (static_cast<double>(i) + 0.5) * size_ + 4, "end", map_.row_names[i]);
    }
    for (std::size_t j = 0; j < map_.column_names.size(); ++j) {
      const double middle = (static_cast<double>(j) + 0.5) * size_;
      const std::string& name = map_.column_names[j];
      out_ += upright ? fmt::format("<g transform=\"translate({:.1f} -6) rotate(-90)\">{}</g>", middle + 4, label(0, 0, "start", name))
                      : label(middle, -7, "middle", name);
    }
    for (std::size_t j = 0; j < map_.column_groups.size(); ++j) {
      const double width = columns / static_cast<double>(map_.column_groups.size());
      out_ += label((static_cast<double>(j) + 0.5) * width, -names - 5, "middle", map_.column_groups[j], "ink");
    }
    if (map_.framed_row >= 0) frame();
    return fmt::format("<svg viewBox=\"{:.1f} {:.1f} {:.1f} {:.1f}\" style=\"max-width:{:.0f}px\" {}>{}</svg>", -left, -top,
                       columns + left + 2, rows + top + 2, columns + left + 2,
                       map_.alt.empty() ? "aria-hidden=\"true\"" : "role=\"img\" aria-label=\"" + escaped(map_.alt) + "\"", out_);
  }

 private:
  // Many small cells: one path a colour, of the runs of equal cells down the columns.
  void runs() {
    std::map<std::string, std::string> paths;
    const std::size_t height = map_.rows.size(), width = height == 0 ? 0 : map_.rows[0].size();
    for (std::size_t j = 0; j < width; ++j) {
      for (std::size_t i = 0, end = 0; i < height; i = end) {
        const std::string colour = dense_colour(i, j);
        for (end = i + 1; end < height && dense_colour(end, j) == colour;) ++end;
        if (!colour.empty()) paths[colour] += fmt::format("M{} {}v{}", j, i, end - i);
      }
    }
    out_ += fmt::format("<g transform=\"scale({}) translate(.5 0)\" fill=\"none\" shape-rendering=\"crispEdges\">", size_);
    for (const auto& [colour, path] : paths) out_ += fmt::format("<path stroke=\"var(--{})\" d=\"{}\"/>", colour, path);
    out_ += "</g>";
  }

  std::string dense_colour(std::size_t i, std::size_t j) const {
    const double value = map_.rows[i][j];
    if (map_.hidden && map_.hidden(static_cast<int>(i), static_cast<int>(j))) return "hidden";
    if (std::isnan(value)) return "wrong";
    return value == 0 && map_.scale == HeatMap::Scale::magnitude ? "" : colour_of(value, map_, limit_);
  }

  void cell(std::size_t i, std::size_t j) {
    const double value = map_.rows[i][j], x = static_cast<double>(j) * size_, y = static_cast<double>(i) * size_;
    const double gap = size_ >= 8 ? 1 : 0;
    const auto box = [&](const std::string& look) {
      out_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>", x + gap / 2, y + gap / 2, size_ - gap,
                          size_ - gap, look);
    };
    if (map_.hidden && map_.hidden(static_cast<int>(i), static_cast<int>(j))) {
      return box(map_.quiet > 0 ? "fill=\"none\" stroke=\"var(--line)\"" : "fill=\"var(--hidden)\"");
    }
    if (std::isnan(value)) {
      box("fill=\"none\" stroke=\"var(--wrong)\"");
      out_ += label(x + size_ / 2, y + size_ / 2 + 4, "middle", "×", "wrong");
      return;
    }
    if (value == 0 && map_.scale == HeatMap::Scale::magnitude) return box("fill=\"none\" stroke=\"var(--line)\"");
    const std::string colour = colour_of(value, map_, limit_);
    box("fill=\"var(--" + colour + ")\"");
    if (size_ >= 40) {
      const bool strong = colour == "p3" || colour == "m3" || colour == "g5" || colour == "g6";
      const std::string number = map_.decimals < 0 ? shown(value) : fixed(value, map_.decimals);
      out_ += label(x + size_ / 2, y + size_ / 2 + 4, "middle", number, strong ? "paper" : "ink");
    }
  }

  void frame() {
    const double x = map_.framed_column * size_, y = map_.framed_row * size_;
    for (const auto& [colour, width] : {std::pair{"paper", 5.0}, {"ink", 2.2}}) {
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"var(--{})\" "
          "stroke-width=\"{}\"/>",
          x - 1, y - 1, size_ + 2, size_ + 2, colour, width);
    }
  }

  const HeatMap& map_;
  const double limit_, size_;
  std::string out_;
};

}  // namespace

std::string draw(const HeatMap& map) { return Map(map).svg(); }

namespace {

// The borders of the colours stand between them: −10 ■ −4 ■ −2 ■ 2 ■ 4 ■ 10.
std::string key_of_quiet(const HeatMap& map, const std::string& quantity) {
  const std::string colours[] = {"m3", "m2", "m1", "hidden", "p1", "p2", "p3"};
  const double borders[] = {-5 * map.quiet, -2 * map.quiet, -map.quiet, map.quiet, 2 * map.quiet, 5 * map.quiet};
  std::string boxes;
  for (std::size_t i = 0; i < 7; ++i) {
    boxes += fmt::format("<rect x=\"{}\" width=\"25\" height=\"14\" fill=\"var(--{})\"/>", 26 * i, colours[i]);
    if (i > 0) boxes += label(static_cast<double>(26 * i), 28, "middle", shown(borders[i - 1]));
  }
  return fmt::format(R"(<p class="key"><span>{}: &nbsp;<svg viewBox="0 0 181 32" style="height:2rem" aria-hidden="true">{}</svg>)"
                     "</span></p>",
                     quantity, boxes);
}

}  // namespace

std::string key_of(const HeatMap& map, const std::string& quantity) {
  if (map.quiet > 0) return key_of_quiet(map, quantity);
  const double limit = map.limit > 0 ? map.limit : greatest(map.rows);
  const bool sign = map.scale == HeatMap::Scale::sign;
  const std::vector<std::string> colours = sign ? std::vector<std::string>{"m3", "m2", "m1", "z0", "p1", "p2", "p3"}
                                                : std::vector<std::string>{"g1", "g2", "g3", "g4", "g5", "g6"};
  std::string boxes;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    boxes += fmt::format("<rect x=\"{}\" width=\"14\" height=\"14\" fill=\"var(--{})\"/>", 14 * i, colours[i]);
  }
  const std::string from = shown(sign ? -limit : limit * std::pow(10, -map.decades), 2), to = shown(limit, 2);
  std::string empty;
  if (!sign) {
    empty =
        " <span><svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><rect x=\".5\" y=\".5\" width=\"13\" height=\"13\" "
        "fill=\"none\" "
        "stroke=\"var(--line)\"/></svg> exactly 0</span>";
  }
  return fmt::format(
      "<p class=\"key\"><span>{}{}: &nbsp;{} <svg viewBox=\"0 0 {} 14\" aria-hidden=\"true\">{}</svg> "
      "{}</span>{}</p>",
      quantity, sign ? "" : ", log", from, 14 * colours.size(), boxes, to, empty);
}

std::string panels(const std::vector<Panel>& all, double width_rem) {
  std::string text;
  for (const auto& [title, sentence, drawing] : all) {
    text += fmt::format("<div class=\"panel\"><h3>{}</h3><p>{}</p>{}</div>", title, sentence, drawing);
  }
  return fmt::format("<div class=\"grid\" style=\"--w:{}rem\">{}</div>", width_rem, text);
}

std::string draw(const DotStrip& strip) {
  constexpr double width = 150;
  const auto at = [&](double x) {
    const double part =
        strip.logarithmic ? std::log(x / strip.from) / std::log(strip.to / strip.from) : (x - strip.from) / (strip.to - strip.from);
    return 4 + (width - 8) * part;
  };
  std::string text;
  if (strip.baseline_to > strip.baseline_from) {
    text += fmt::format("<rect x=\"{:.1f}\" width=\"{:.1f}\" height=\"16\" fill=\"var(--hidden)\" opacity=\".7\"/>",
                        at(strip.baseline_from), at(strip.baseline_to) - at(strip.baseline_from));
  }
  text += fmt::format("<line x1=\"0\" x2=\"{}\" y1=\"8\" y2=\"8\" stroke=\"var(--line)\"/>", width);
  if (!std::isnan(strip.mark)) {
    text +=
        fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"16\" stroke=\"var(--ink)\" stroke-width=\"1.5\"/>", at(strip.mark));
  }
  for (const double x : strip.values) {
    text += fmt::format("<circle cx=\"{:.1f}\" cy=\"8\" r=\"3\" fill=\"var(--{})\" fill-opacity=\".75\"/>", at(x), strip.colour);
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {0} 16\" style=\"width:{0}px;max-width:100%;min-width:6rem\" role=\"img\" aria-label=\"{1}\">{2}</svg>", width,
      escaped(strip.alt), text);
}

}  // namespace gradus::examples
