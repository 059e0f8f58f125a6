#include "nn/embedding.h"

#include "core/options/range.h"
#include "nn/init.h"

namespace gradus::nn {

Embedding::Embedding(int64_t count, int64_t width, double std) {
  check<ValueError>(count > 0 && width > 0, "Embedding: both sizes must be positive, got {} rows of {}", count, width);
  check_size("count", count);
  check_size("width", width);
  check_range("std", std, range::not_negative);
  weight = Tensor(Shape{count, width}, DType::f32);
  init_normal(weight, std);
}

void Embedding::check_ids(const Tensor& ids) const {
  check_defined({{"ids", ids}, {"weight", weight}}, "Embedding");
  check<DTypeError>(ids.dtype() == DType::i64, "Embedding: ids must be i64, got {}; use cast(ids, DType::i64)", ids.dtype());
  check<ShapeError>(weight.rank() == 2, "Embedding: expected a weight [count, width], got {}", weight.shape());
  const int64_t* id = ids.data<int64_t>();
  for (int64_t i = 0; i < ids.numel(); ++i) {
    check<ValueError>(id[i] >= 0 && id[i] < weight.size(0), "Embedding: id {} is out of range; expected 0 … {}", id[i],
                      weight.size(0) - 1);
  }
}

// #region model-embedding
// y[…] = weight[ids[…]]
Tensor Embedding::forward(const Tensor& ids) {
  check_ids(ids);
  const Tensor rows = index_select(weight, 0, flatten(ids));
  return reshape(rows, ids.shape().concat({weight.size(1)}));
}
// #endregion model-embedding

void Embedding::members(Members& m) { m.parameter("weight", weight, Role::table); }

std::string Embedding::describe() const { return fmt::format("Embedding({} x {})", weight.size(0), weight.size(1)); }

}  // namespace gradus::nn
