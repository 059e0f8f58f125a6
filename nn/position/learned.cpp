#include "nn/position/learned.h"

#include "core/options/range.h"
#include "nn/init.h"

namespace gradus::nn {
namespace {

Tensor random_rows(int64_t count, int64_t width, DType dtype) {
  Tensor rows(Shape{count, width}, dtype);
  init_normal(rows, 0.02);
  return rows;
}

}  // namespace

LearnedPosition::LearnedPosition(const PositionOptions& o)
    : PositionEncoding("LearnedPosition", o), weight(random_rows(o.max_length, o.d_model, DType::f32)) {}

// #region pos-learned
Tensor LearnedPosition::on_embedding(const Tensor& x, const Tensor& positions) {
  return x + rows_for(x, positions, weight, "extend() adds untrained rows");
}
// #endregion pos-learned

void LearnedPosition::extend(int64_t rows) {
  check_size("the number of rows that extend adds", rows, "LearnedPosition");
  weight.append(random_rows(rows, weight.size(1), weight.dtype()));
}

std::string LearnedPosition::describe() const { return fmt::format("LearnedPosition({} x {})", weight.size(0), weight.size(1)); }

}  // namespace gradus::nn
