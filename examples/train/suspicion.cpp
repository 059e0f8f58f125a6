#include "examples/train/suspicion.h"

#include <fmt/format.h>

namespace gradus::examples {
namespace {

std::string found(const FutureSeen& seen) {
  return fmt::format(
      "the output at position {} depends on the input at position {}, which comes later (derivative {:.2g}): the "
      "model sees what it is to predict, and its loss says nothing",
      seen.output, seen.input, seen.derivative);
}

}  // namespace

bool too_good(std::int64_t steps, double validation_loss, double lowest_line) {
  return steps <= kEarlySteps && validation_loss < lowest_line;
}

std::string said_of_future(const FutureSeen& seen) { return seen.derivative == 0 ? "" : "causality check: " + found(seen); }

std::string said_of_loss(std::int64_t steps, double validation_loss, double lowest_line, const FutureSeen& seen) {
  return fmt::format(
      "looks too good: a validation loss of {:.2f} after {} steps is below what counting bytes reaches, {:.2f}. Does a "
      "position see its target? Causality check: {}",
      validation_loss, steps, lowest_line,
      seen.derivative == 0 ? "it found nothing, every derivative of an output by a later input is exactly 0. A text "
                             "that repeats itself is learned as fast; if this one does not, look at the targets"
                           : found(seen));
}

}  // namespace gradus::examples
