#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "examples/widgets/widgets.h"

namespace gradus::widgets {
namespace {

std::string seen(const std::vector<Widget>& widgets, std::string_view name, std::string_view state, int milliseconds) {
  const auto found = std::find_if(widgets.begin(), widgets.end(), [&](const Widget& one) { return one.name == name; });
  check<ValueError>(found != widgets.end(), "there is no widget '{}'", name);
  Knobs knobs(state, milliseconds);
  Seen seen = found->look(knobs);
  knobs.check_all_known();
  return seen.add_json("knobs", knobs.json()).text();
}

}  // namespace

std::string answer(const std::vector<Widget>& widgets, std::string_view asked, int milliseconds) {
  const std::size_t at = std::min(asked.find('?'), asked.size());
  try {
    return seen(widgets, asked.substr(0, at), asked.substr(std::min(at + 1, asked.size())), milliseconds);
  } catch (const std::exception& error) {
    return Seen().add("error", error.what()).text();
  }
}

}  // namespace gradus::widgets
