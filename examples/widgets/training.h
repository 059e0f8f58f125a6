// A training that is seen while it goes on.
#pragma once

#include <optional>

#include "examples/widgets/knobs.h"

namespace gradus::widgets {

// That of these options, at this step, or as far on its way there as it has come when an answer is due. The one that was asked for
// last goes on from where it is; any other starts anew.
template <typename Training, typename Options>
Training& training_of(const Options& options, std::int64_t step, const Knobs& knobs) {
  static std::optional<Training> kept;
  if (!kept || kept->options() != options || kept->step() > step) {
    kept.reset();
    kept.emplace(options);
  }
  while (kept->step() < step) {
    kept->take_step();
    if (knobs.answer_is_due()) break;
  }
  return *kept;
}

}  // namespace gradus::widgets
