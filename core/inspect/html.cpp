// The viewer: a page of HTML, CSS and JavaScript made from docs/viewer, with traces put into it.
#include <string>
#include <string_view>

#include "core/check.h"
#include "core/inspect/trace.h"
#include "core/io/file.h"

namespace gradus::inspect {

extern const char* const viewer_page;  // made when the library is built: docs/kit/page.cmake

namespace {

// Inside <script> nothing may look like the end of it, or like a comment; in JSON, < stands in strings alone.
std::string without_tags(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string html(const std::vector<Trace>& traces) {
  check<ValueError>(!traces.empty(), "html: no trace to show");
  const std::string_view page = viewer_page, mark = "<!--traces-->";
  const std::size_t at = page.find(mark);
  std::string result(page.substr(0, at));
  for (const Trace& trace : traces) {
    result += "<script type=\"application/json\" class=\"trace\">" + without_tags(json(trace)) + "</script>\n";
  }
  return result += page.substr(at + mark.size());
}

void write_html(const std::string& path, const Trace& trace) { io::write_file(path, html({trace})); }

}  // namespace gradus::inspect
