#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "examples/widgets/widgets.h"

namespace gradus::widgets {
namespace {

const Widget& widget(const std::vector<Widget>& widgets, std::string_view name) {
  const auto found = std::find_if(widgets.begin(), widgets.end(), [&](const Widget& one) { return one.name == name; });
  check<ValueError>(found != widgets.end(), "there is no widget '{}'", name);
  return *found;
}

// What is seen, or the error, which leaves the page those knobs that were asked for before it.
Seen seen(const Widget& widget, Knobs& knobs) {
  try {
    Seen seen = widget.look(knobs);
    knobs.check_all_known();
    return seen;
  } catch (const std::exception& error) {
    return Seen().add("error", error.what());
  }
}

}  // namespace

std::string answer(const std::vector<Widget>& widgets, std::string_view asked, int milliseconds) {
  const std::size_t at = std::min(asked.find('?'), asked.size());
  try {
    const Widget& one = widget(widgets, asked.substr(0, at));
    Knobs knobs(asked.substr(std::min(at + 1, asked.size())), milliseconds);
    return seen(one, knobs).add_json("knobs", knobs.json()).text();
  } catch (const std::exception& error) {
    return Seen().add("error", error.what()).text();
  }
}

}  // namespace gradus::widgets
