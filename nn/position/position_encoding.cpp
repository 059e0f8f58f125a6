#include "nn/position/position_encoding.h"

namespace gradus::nn {

double PositionEncoding::embedding_scale(int64_t) const { return 1; }
Tensor PositionEncoding::on_embedding(const Tensor& x, const Tensor&) { return x; }
Tensor PositionEncoding::on_next_embedding(const Tensor& x, const Tensor& positions, Tensor&) {
  return on_embedding(x, positions);
}
Tensor PositionEncoding::on_queries(const Tensor& q, const Tensor&) { return q; }
Tensor PositionEncoding::on_keys(const Tensor& k, const Tensor&) { return k; }
Tensor PositionEncoding::on_scores(const Tensor&, const Tensor&, const Positions&, double) { return {}; }
Tensor PositionEncoding::on_values(const Tensor&, const Positions&) { return {}; }

Tensor key_offsets(const Positions& positions) { return unsqueeze(positions.keys, -2) - unsqueeze(positions.queries, -1); }

Tensor bias_of_heads(const Tensor& table, const Tensor& ids, DType dtype) {
  const Tensor by_head = index_select(transpose(table), 1, flatten(ids));               // [H, T·S] or [H, B·T·S]
  const Tensor bias = reshape(by_head, Shape{table.size(1)}.concat(ids.shape()));       // [H, T, S] or [H, B, T, S]
  return cast(bias.rank() == 3 ? bias : transpose(bias, 0, 1), dtype);
}

Tensor rows_at(const char* who, const Tensor& table, const Tensor& positions, DType dtype, const char* remedy) {
  const Shape shape = positions.shape().concat({table.size(1)});
  if (positions.numel() == 0) return Tensor(shape, dtype);
  const auto first = static_cast<int64_t>(min(positions).item()), last = static_cast<int64_t>(max(positions).item());
  check<ValueError>(first >= 0, "{}: positions count from 0, got {}", who, first);
  check<ValueError>(last < table.size(0), "{}: position {} is beyond the table's {}; {}", who, last, table.size(0) - 1,
                    remedy);
  return cast(reshape(index_select(table, 0, flatten(positions)), shape), dtype);
}

}  // namespace gradus::nn
