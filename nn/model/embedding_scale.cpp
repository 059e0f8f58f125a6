#include "nn/model/embedding_scale.h"

#include <cmath>

namespace gradus::nn {

double usual_embedding_scale(const std::string& position, std::int64_t d_model) {
  return position == "sinusoidal" ? std::sqrt(static_cast<double>(d_model)) : 1;
}

}  // namespace gradus::nn
