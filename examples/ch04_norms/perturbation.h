// Which outputs of a norm move when one input is nudged, and by how much: a column of its Jacobian.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

using Norm = std::function<Tensor(const Tensor& x)>;  // x [N, C, T]: samples, channels (a token's features), tokens

struct NamedNorm {
  std::string id, name, sentence;
  Norm apply;
};
std::vector<NamedNorm> norms_of_a_cube(int64_t channels, int64_t tokens);

// dy/dx[index], in the shape of x. The tape walks from outputs to inputs and so gives rows, vᵀJ; that is linear in v, and
// the gradient of ⟨vᵀJ, e⟩ by v is the column J e: a walk over the walk.
Tensor jacobian_column(const Norm& norm, const Tensor& x, const std::vector<int64_t>& index);

}  // namespace gradus::examples
