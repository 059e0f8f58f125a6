// The widgets of the book: what each shows, for every state of its knobs. The same functions answer in the page, as
// WebAssembly, and here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "examples/shared/widgets/seen.h"
#include "examples/widgets/knobs.h"

namespace gradus::widgets {

struct Widget {
  std::string_view name;
  Seen (*look)(Knobs&);
};

// Those of the small module, which has no layers, and those of the one with models.
const std::vector<Widget>& lab();
const std::vector<Widget>& models();

// What is seen for "softmax?c=88": JSON, with the knobs; for a bad state, or one that the library refuses, {"error": "…"}. What
// needs more than `milliseconds` is seen on its way, with "goes_on": true, and goes on if the same is asked again; 0: it
// takes the time that it needs.
std::string answer(const std::vector<Widget>& widgets, std::string_view asked, int milliseconds = 0);

}  // namespace gradus::widgets
