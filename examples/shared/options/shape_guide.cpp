#include "examples/shared/options/shape_guide.h"

namespace gradus::examples {

// #region model-shape
double aspect_ratio(int64_t d_model, int64_t layers) { return static_cast<double>(d_model) / static_cast<double>(layers); }

std::vector<std::string> shape_warnings(int64_t d_model, int64_t layers, int64_t heads, int64_t head_dim) {
  std::vector<std::string> warnings;
  const double ratio = aspect_ratio(d_model, layers);
  if (ratio < 100 || ratio > 156) {
    warnings.push_back(fmt::format("d_model / layers is {:.0f}; 100 to 156 is usual: {}", ratio,
                                   ratio < 100 ? "the model is narrow for its depth" : "the model is wide for its depth"));
  }
  const int64_t width = nn::head_dim(d_model, heads, head_dim);
  if (width < 16) warnings.push_back(fmt::format("heads are {} wide; below 16 each sees little", width));
  if (width % 8 != 0) warnings.push_back(fmt::format("heads are {} wide; multiples of 8 run faster", width));
  return warnings;
}
// #endregion model-shape

}  // namespace gradus::examples
