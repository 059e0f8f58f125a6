#include "nn/embedding.h"

#include "nn/init.h"

namespace gradus::nn {

Embedding::Embedding(int64_t count, int64_t width, double std) {
  check<ValueError>(count > 0 && width > 0, "Embedding: both sizes must be positive, got {} rows of {}", count, width);
  weight = Tensor(Shape{count, width}, DType::f32);
  init_normal(weight, std);
}

// #region model-embedding
// y[…] = weight[ids[…]]
Tensor Embedding::forward(const Tensor& ids) {
  const Tensor rows = index_select(weight, 0, flatten(ids));
  return reshape(rows, ids.shape().concat({weight.size(1)}));
}
// #endregion model-embedding

void Embedding::members(Members& m) { m.parameter("weight", weight, Role::table); }

std::string Embedding::describe() const { return fmt::format("Embedding({} x {})", weight.size(0), weight.size(1)); }

}  // namespace gradus::nn
