#include "examples/shared/study/sinusoidal_heatmap.h"

namespace gradus::examples {

// #region pos-heatmap
Tensor sinusoidal_heatmap(nn::SineLayout layout, double base) { return nn::formula::sinusoidal(arange(100), 512, layout, base); }
// #endregion pos-heatmap

}  // namespace gradus::examples
