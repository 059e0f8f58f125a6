// The widgets of the small module.
#pragma once

#include "examples/widgets/widgets.h"

namespace gradus::widgets {

Seen softmax(Knobs& knobs);
Seen norm(Knobs& knobs);
Seen tape(Knobs& knobs);

}  // namespace gradus::widgets
