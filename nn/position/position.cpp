#include "nn/position/position.h"

namespace gradus::nn {

Tensor Position::on_embedding(const Tensor& x, const Tensor&) { return x; }
Tensor Position::on_next_embedding(const Tensor& x, const Tensor& places, Tensor&) { return on_embedding(x, places); }
Tensor Position::on_queries(const Tensor& q, const Tensor&) { return q; }
Tensor Position::on_keys(const Tensor& k, const Tensor&) { return k; }
Tensor Position::on_scores(const Tensor&, const Tensor&, const Places&, double) { return {}; }
Tensor Position::on_values(const Tensor&, const Places&) { return {}; }

Tensor key_offsets(const Places& places) { return unsqueeze(places.keys, -2) - unsqueeze(places.queries, -1); }

Tensor rows_at(const char* who, const Tensor& table, const Tensor& places, DType dtype, const char* remedy) {
  const Shape shape = places.shape().concat({table.size(1)});
  if (places.numel() == 0) return Tensor(shape, dtype);
  const auto first = static_cast<int64_t>(min(places).item()), last = static_cast<int64_t>(max(places).item());
  check<ValueError>(first >= 0, "{}: positions count from 0, got {}", who, first);
  check<ValueError>(last < table.size(0), "{}: position {} is beyond the table's {}; {}", who, last, table.size(0) - 1,
                    remedy);
  return cast(reshape(index_select(table, 0, flatten(places)), shape), dtype);
}

}  // namespace gradus::nn
