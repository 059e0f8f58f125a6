#include "nn/embedding.h"

#include <algorithm>

#include "core/kernels/check_operands.h"
#include "core/options/range.h"
#include "nn/init.h"

namespace gradus::nn {
namespace {

void check_padding(std::optional<int64_t> padding_id, int64_t count, OpName op = {}) {
  check<ValueError>(!padding_id || (*padding_id >= 0 && *padding_id < count), "{}: padding_id {} is out of range; expected 0 … {}", op,
                    padding_id.value_or(0), count - 1);
}

void check_ids(const Tensor& ids, const Tensor& weight) {
  check_defined({{"ids", ids}, {"weight", weight}}, "embedding");
  check<DTypeError>(ids.dtype() == DType::i64, "embedding: ids must be i64, got {}; use cast(ids, DType::i64)", ids.dtype());
  check<ShapeError>(weight.rank() == 2, "embedding: expected a weight [count, width], got {}", weight.shape());
  check_indices(ids, weight.size(0), "embedding");
}

}  // namespace

Tensor embedding(const Tensor& ids, const Tensor& weight, std::optional<int64_t> padding_id) {
  check_ids(ids, weight);
  check_padding(padding_id, weight.size(0));
  // #region model-embedding
  // y[…] = weight[ids[…]]
  const Tensor each = flatten(ids);
  Tensor rows = index_select(weight, 0, each);
  if (padding_id) rows = where(unsqueeze(each, 1) == *padding_id, rows.detach(), rows);
  return reshape(rows, ids.shape().concat({weight.size(1)}));
  // #endregion model-embedding
}

Embedding::Embedding(int64_t count, int64_t width, const EmbeddingOptions& o) : padding_id_(o.padding_id) {
  check<ValueError>(count > 0 && width > 0, "Embedding: both sizes must be positive, got {} rows of {}", count, width);
  check_size("count", count);
  check_size("width", width);
  check_range("std", o.std, range::not_negative);
  check_padding(padding_id_, count);
  weight = Tensor(Shape{count, width}, DType::f32);
  init_normal(weight, o.std);
  if (padding_id_) std::fill_n(weight.mutable_data<float>() + *padding_id_ * width, width, 0.f);
}

Tensor Embedding::forward(const Tensor& ids) { return embedding(ids, weight, padding_id_); }

void Embedding::members(Members& m) { m.parameter("weight", weight, Role::table); }

std::string Embedding::describe() const {
  return fmt::format("Embedding({} x {}{})", weight.size(0), weight.size(1), padding_id_ ? fmt::format(", padding {}", *padding_id_) : "");
}

}  // namespace gradus::nn
