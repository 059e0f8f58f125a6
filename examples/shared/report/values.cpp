#include "examples/shared/report/values.h"

#include "core/check.h"
#include "core/composites/composites.h"

namespace gradus::examples {

std::vector<double> values_of(const Tensor& x) {
  const Tensor wide = cast(x.detach(), DType::f64);
  return {wide.data<double>(), wide.data<double>() + wide.numel()};
}

std::vector<std::vector<double>> rows_of(const Tensor& x) {
  check<ShapeError>(x.rank() == 2, "rows_of: needs a matrix, got {}", x.shape());
  std::vector<std::vector<double>> rows;
  for (const Tensor& row : x.detach()) rows.push_back(values_of(row));
  return rows;
}

}  // namespace gradus::examples
