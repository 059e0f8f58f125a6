#include "examples/shared/report/page.h"

#include <fmt/format.h>

#include "examples/shared/report/words.h"

namespace gradus::examples {

extern const char* const report_page;  // made of docs/kit when this is built

namespace {

// Inside <script> nothing may look like its end; in JSON, < stands in strings alone.
std::string script(const char* id, const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  replace_all(text, "<", "\\u003c");
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id, text);
}

}  // namespace

std::string page_of(const nlohmann::ordered_json& data, const inspect::Trace* tape) {
  std::string page = report_page;
  replace_all(page, "<!--data-->", script("data", data) + (tape == nullptr ? "" : script("viewer", inspect::html({*tape}))));
  return page;
}

}  // namespace gradus::examples
