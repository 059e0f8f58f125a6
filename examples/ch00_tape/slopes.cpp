#include "examples/ch00_tape/slopes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "core/core.h"

namespace gradus::examples {
namespace {

// The U: d sin x/dx at 1 by differences of width h. For large h the curve is not straight, for small h the digits are gone.
struct Measured {
  std::vector<double> error;
  double least = std::numeric_limits<double>::infinity(), best_h = 0;
};

const double kSlope = static_cast<double>(std::cos(1.0L));

Measured errors(const std::vector<double>& widths, DType dtype, bool central) {
  const Tensor x = ones({}, dtype), h = tensor(widths, dtype);
  const Tensor slope = central ? (sin(x + h) - sin(x - h)) / (2 * h) : (sin(x + h) - sin(x)) / h;
  Measured measured;
  measured.error = to_vector(abs(cast(slope, DType::f64) - kSlope) / kSlope);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (measured.error[i] >= measured.least) continue;
    measured.least = measured.error[i];
    measured.best_h = widths[i];
  }
  return measured;
}

double error_of_tape(DType dtype) {
  const Tensor x = ones({}, dtype).set_requires_grad();
  sin(x).backward();
  return static_cast<double>(std::abs(static_cast<long double>(x.grad().item()) - std::cos(1.0L)) / std::cos(1.0L));
}

}  // namespace

void finite_differences(Chapter& chapter) {
  std::vector<double> widths;
  for (double power = -16; power <= -1; power += 0.25) widths.push_back(std::pow(10, power));
  chapter.series("u.h", widths);
  for (const auto& [name, dtype, central] : {std::tuple{"forward", DType::f32, false},
                                             {"central", DType::f32, true},
                                             {"forward", DType::f64, false},
                                             {"central", DType::f64, true}}) {
    const Measured measured = errors(widths, dtype, central);
    const std::string path = fmt::format("u.{}_{}", name, dtype);
    chapter.series(path, measured.error);
    chapter.number(path + ".least", measured.least);
    chapter.number(path + ".h", measured.best_h);
    chapter.tell(fmt::format("  {}, {}  least error {:.1e} at h = {:.1e}", name, dtype, measured.least, measured.best_h));
  }
  chapter.number("u.tape_f64", error_of_tape(DType::f64));
  chapter.number("u.tape_f32", error_of_tape(DType::f32));
  chapter.tell(fmt::format("  the tape      {:.1e}, and it has no h to choose\n", error_of_tape(DType::f64)));
}

}  // namespace gradus::examples
