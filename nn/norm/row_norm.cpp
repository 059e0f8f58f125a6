#include "nn/norm/row_norm.h"

#include "core/options/range.h"

namespace gradus::nn {

void check_row(const Tensor& x, const Tensor& gain, const Tensor& bias, int64_t least, OpName op) {
  check_defined({{"x", x}}, op);
  check<ShapeError>(x.rank() > 0 && x.size(-1) >= least, "{}: needs at least {} along the last axis, got shape {}", op,
                    least == 1 ? "one value" : "two values", x.shape());
  check_affine(x, {x.size(-1)}, gain, bias, op);
}

RowNorm::RowNorm(const char* type, int64_t width, RowNormOptions options)
    : type_(type), width_(check_size("the width", width, type)), eps_(check_eps(options.eps, type)) {
  make_affine({width}, options.gain, options.bias);
}

Tensor RowNorm::forward(const Tensor& x) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) == width_, "expected [..., {}], got {}", width_, x.shape());
  return apply(x);
}

std::string RowNorm::describe() const { return fmt::format("{}({}, eps {})", type_, width_, eps_); }

}  // namespace gradus::nn
