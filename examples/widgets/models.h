// The widgets of the module with models and optimizers.
#pragma once

#include "examples/widgets/widgets.h"

namespace gradus::widgets {

Seen causality(Knobs& knobs);
Seen clocks(Knobs& knobs);
Seen race(Knobs& knobs);
Seen language_model(Knobs& knobs);
Seen depth(Knobs& knobs);

}  // namespace gradus::widgets
