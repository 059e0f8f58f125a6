// An independent oracle: the same op said in xtensor, on shapes large enough for whole vectors, partial ones and more
// than one thread.
#pragma once

#if defined(__GNUC__) && !defined(__clang__)  // false alarms: the undefined lanes inside GCC's own AVX-512 headers
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif

#include <string>
#include <vector>

#include "core/composites/composites.h"
#include "core/tensor/xtensor.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"
#include "tests/support/xtensor_headers.h"

namespace gradus::test {

using Array = xt::xarray<double>;

struct Oracle {
  std::string name;
  Tensor (*op)(const Tensor& a, const Tensor& b);
  Array (*said_in_xtensor)(const Array& a, const Array& b);
};

inline Array array_of(const Tensor& x) { return x.array<double>(); }

inline void compare(const std::vector<Oracle>& oracles, const Tensor& a, const Tensor& b, double tolerance = 1e-15) {
  const Array x = array_of(a), y = array_of(b);
  for (const auto& [name, op, said_in_xtensor] : oracles) {
    CAPTURE(name);
    CHECK(difference(cast(op(a, b), DType::f64), Tensor(said_in_xtensor(x, y)), tolerance) == "");
  }
}

#define GRADUS_SAME(name, ours, theirs)                                                                      \
  Oracle {                                                                                                   \
    name, []([[maybe_unused]] const Tensor& a, [[maybe_unused]] const Tensor& b) -> Tensor { return ours; }, \
        []([[maybe_unused]] const Array& a, [[maybe_unused]] const Array& b) -> Array { return theirs; }     \
  }

}  // namespace gradus::test
