#include "examples/shared/report/plot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/check.h"
#include "examples/shared/report/gnuplot_script.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

void cut(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const std::size_t end = text.find(to, at + from.size());
    text.erase(at, end == std::string::npos ? end : end + to.size() - at);
  }
}

// gnuplot's picture with the page's colours, without what a page has once: ids, definitions, fonts.
std::string tidy(const std::string& svg, const Plot& plot, const char* kind, int id) {
  const std::size_t view = svg.find("viewBox=\""), from = svg.find("</defs>"),
                    to = svg.rfind("</g>");  // the canvas, opened before
  check<Error>(view != std::string::npos && from != std::string::npos && to != std::string::npos && from < to, "gnuplot drew nothing: {}",
               plot.title);
  const std::string box = svg.substr(view, svg.find('"', view + 9) + 1 - view);
  std::string body = svg.substr(from + 7, to - from - 7);
  cut(body, "<title>", "</title>");
  cut(body, "<rect x=\"0\" y=\"0\"", "/>");
  cut(body, " id=\"", "\"");
  cut(body, "\tid=\"", "\"");
  cut(body, " font-family=\"", "\"");
  for (std::size_t at = body.find("rgb("); at != std::string::npos; at = body.find("rgb(", at + 1)) {
    const std::size_t end = body.find(')', at);
    std::string colour = body.substr(at, end - at);
    replace_all(colour, " ", "");
    body.replace(at, end - at, colour);
  }
  for (const PlotColour& colour : kColours) replace_all(body, colour.gnuplot, fmt::format("var(--{},{})", colour.name, colour.light));
  replace_all(body, " = '", "='");
  replace_all(body, "<g >", "<g>");
  for (const char* blank : {"\n", "\t", "\r"}) replace_all(body, blank, " ");
  while (body.find("  ") != std::string::npos) replace_all(body, "  ", " ");
  for (std::size_t before = 0; before != body.size();) {
    before = body.size();
    replace_all(body, "<g> </g>", "");
  }
  return fmt::format(
      "<svg class=\"plot {0}\" {1} role=\"img\" aria-labelledby=\"plot-{2}-{0}-t plot-{2}-{0}-d\"><title "
      "id=\"plot-{2}-{0}-t\">{3}</title><desc id=\"plot-{2}-{0}-d\">{4}</desc>{5}</svg>\n",
      kind, box, id, escaped(plot.title), escaped(plot.alt), body);
}

// What a shell command writes.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  check<Error>(pipe != nullptr, "gnuplot cannot be run: {}", std::strerror(errno));
  std::string text;
  std::array<char, 4096> buffer;
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) text.append(buffer.data(), n);
  return text;
}

// By a file without a name, so that none is left behind; and as gnuplot is, whatever the user's ~/.gnuplot says.
std::string by_gnuplot(const std::string& script) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::tmpfile(), std::fclose);
  const bool written = file && std::fwrite(script.data(), 1, script.size(), file.get()) == script.size() && std::fflush(file.get()) == 0;
  check<IoError>(written, "a temporary file for gnuplot could not be written: {}", std::strerror(errno));
  std::rewind(file.get());
  const std::string text = output_of(fmt::format("LC_ALL=C.UTF-8 gnuplot --default-settings /dev/fd/{} 2>&1", ::fileno(file.get())));
  check<Error>(text.find("<svg") != std::string::npos, "gnuplot: {}", text.substr(0, 500));
  return text;
}

std::string as_table(const Plot& plot, const std::string& note) {
  std::string rows;
  for (const Line& line : plot.lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      rows += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"num\">{}</td><td class=\"num\">{}</td></tr>", escaped(line.name),
                          shown(line.x[i]), shown(line.y[i]));
    }
  }
  return fmt::format(
      "<p class=\"note\">{}</p>"
      "<details><summary>{}</summary><table><thead><tr><th scope=\"col\">line</th><th class=\"num\" "
      "scope=\"col\">{}</th>"
      "<th class=\"num\" scope=\"col\">{}</th></tr></thead><tbody>{}</tbody></table></details>",
      escaped(note), escaped(plot.title), escaped(plot.x.name), escaped(plot.y.name), rows);
}

std::string both_pictures(const Plot& plot) {
  static int id = 0;
  const std::string both = by_gnuplot(gnuplot_script(plot));
  const std::size_t second = both.find("<svg", both.find("</svg>"));
  check<Error>(second != std::string::npos, "gnuplot drew one picture of two: {}", plot.title);
  ++id;
  return tidy(both.substr(0, second), plot, "wide", id) + tidy(both.substr(second), plot, "narrow", id);
}

}  // namespace

bool has_gnuplot() {
  static const bool found = !output_of("command -v gnuplot").empty();
  return found;
}

std::string draw(const Plot& plot) {
  try {
    if (has_gnuplot()) return both_pictures(plot);
    return as_table(plot,
                    "gnuplot is not installed, so this plot is shown as a table: install it (apt-get install gnuplot-nox) "
                    "and run this again.");
  } catch (const ValueError&) {
    throw;  // a plot that cannot be drawn by any gnuplot
  } catch (const Error& error) {
    return as_table(plot, fmt::format("This plot is shown as a table, because it could not be drawn: {}", error.what()));
  }
}

std::string svg_file(const Plot& plot) {
  check<ValueError>(has_gnuplot(), "plot '{}': gnuplot is not installed", plot.title);
  std::string svg = by_gnuplot(gnuplot_script(plot));
  svg = svg.substr(0, svg.find("</svg>") + 6) + "\n";
  cut(svg, "<desc>", "</desc>");
  replace_all(svg, "<title>Gnuplot</title>",
              fmt::format("<title>{}</title>\n<desc>{}</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>", escaped(plot.title),
                          escaped(plot.alt)));
  return svg;
}

}  // namespace gradus::examples
