// The widgets of the module with models and optimizers.
#pragma once

#include "examples/widgets/widgets.h"

namespace gradus::widgets {

Seen causality(Knobs& knobs);
Seen clocks(Knobs& knobs);
Seen race(Knobs& knobs);

}  // namespace gradus::widgets
