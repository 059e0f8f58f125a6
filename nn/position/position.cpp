#include "nn/position/position.h"

namespace gradus::nn {

Tensor Position::on_embedding(const Tensor& x, const Tensor&) { return x; }
Tensor Position::on_queries(const Tensor& q, const Tensor&) { return q; }
Tensor Position::on_keys(const Tensor& k, const Tensor&) { return k; }
Tensor Position::on_scores(const Tensor&, const Tensor&, const Places&, double) { return {}; }
Tensor Position::on_values(const Tensor&, const Places&) { return {}; }

}  // namespace gradus::nn
