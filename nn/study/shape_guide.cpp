#include "nn/study/shape_guide.h"

#include "core/tensor/check.h"

namespace gradus::nn {

// #region model-shape
int64_t head_dim(int64_t d_model, int64_t heads) {
  check<ValueError>(d_model > 0 && heads > 0 && d_model % heads == 0, "head_dim: {} heads do not divide d_model {}", heads,
                    d_model);
  return d_model / heads;
}

double aspect_ratio(int64_t d_model, int64_t layers) {
  return static_cast<double>(d_model) / static_cast<double>(layers);
}
// #endregion model-shape

std::vector<std::string> shape_warnings(int64_t d_model, int64_t layers, int64_t heads) {
  std::vector<std::string> warnings;
  const double ratio = aspect_ratio(d_model, layers);
  if (ratio < 100 || ratio > 156) {
    warnings.push_back(fmt::format("d_model / layers is {:.0f}; 100 to 156 is usual: {}", ratio,
                                   ratio < 100 ? "the model is deep and narrow" : "the model is shallow and wide"));
  }
  const int64_t width = head_dim(d_model, heads);
  if (width < 16) warnings.push_back(fmt::format("heads are {} wide; below 16 each sees little", width));
  if (width % 8 != 0) warnings.push_back(fmt::format("heads are {} wide; multiples of 8 run faster", width));
  return warnings;
}

}  // namespace gradus::nn
