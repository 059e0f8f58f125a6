// The table of the sinusoidal encoding, as it is drawn in most texts.
#pragma once

#include "nn/position/sinusoidal.h"

namespace gradus::examples {

// 100 positions down, 512 dimensions across: f64 [100, 512].
Tensor sinusoidal_heatmap(nn::SineLayout layout = nn::SineLayout::interleaved, double base = 10000);

}  // namespace gradus::examples
