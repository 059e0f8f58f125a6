#include "tests/bench/peak.h"

#include <chrono>
#include <utility>
#include <xsimd/xsimd.hpp>

#include "core/machine/threads.h"

namespace gradus::bench {
namespace {

using Vector = xsimd::batch<float>;

// y = a y + b, on as many vectors as hide how long one takes. What it returns keeps the compiler from leaving it out.
template <std::size_t... i> float multiply_and_add(std::int64_t rounds, std::index_sequence<i...>) {
  Vector y[] = {Vector(float(i))...};
  const Vector a(0.999F), b(0.001F);
  for (std::int64_t round = 0; round < rounds; ++round) ((y[i] = xsimd::fma(a, y[i], b)), ...);
  Vector sum(0.0F);
  for (const Vector& each : y) sum += each;
  return sum.get(0);
}

}  // namespace

double peak_gflops() {
  constexpr std::size_t vectors = 12;
  constexpr std::int64_t rounds = 100'000, parts = 64;
  volatile float kept = 0;
  const auto begun = std::chrono::steady_clock::now();
  run_on_team(parts, [&](std::int64_t) { kept = multiply_and_add(rounds, std::make_index_sequence<vectors>()); });
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begun;
  return 2.0 * double(parts * rounds * std::int64_t{vectors * Vector::size}) / took.count();
}

}  // namespace gradus::bench
