// ffn-width: the hidden width with which three matrices have as many numbers as two, and its rounding.
#include <cmath>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::docs;

namespace {

double up(double width, double multiple) { return std::ceil(width / multiple) * multiple; }
double of_library(double d, bool gated, int64_t multiple) {
  return static_cast<double>(nn::feed_forward_width(static_cast<int64_t>(d), gated, multiple));
}

}  // namespace

int main() {
  Derivation d("ffn-width");
  const double d_model = d.given("d", 4096)(0), old = 4 * d_model, modern = std::floor(8 * d_model / 3);
  d.law("h1", "4 d", old, of_library(d_model, false, 1));
  d.law("h2", "⌊8 d / 3⌋", modern, of_library(d_model, true, 1));
  d.law("h3", "up to a multiple of 64", up(modern, 64), of_library(d_model, true, 64));
  d.law("h4", "up to a multiple of 256", up(modern, 256), of_library(d_model, true, 256));
  d.step("h5", "parameters of the three matrices, by those of the two", each(3, [&](int64_t i) {
    const double width = i == 0 ? modern : up(modern, i == 1 ? 64 : 256);
    return (3 * d_model * width) / (2 * d_model * old);
  }));
  const Numbers widths = d.given("other d", {48, 64, 512, 768, 3200, 8192});
  const auto of = [&](int64_t multiple) {
    return each(6, [&](int64_t i) { return up(std::floor(8 * widths(i) / 3), static_cast<double>(multiple)); });
  };
  const auto library = [&](int64_t multiple) { return each(6, [&](int64_t i) { return of_library(widths(i), true, multiple); }); };
  d.law("h6", "⌊8 d / 3⌋", of(1), library(1));
  d.law("h7", "up to a multiple of 64", of(64), library(64));
  d.law("h8", "up to a multiple of 256", of(256), library(256));
  d.step("h9", "more parameters than 2 · d · 4 d, at 256, in %",
         each(6, [&](int64_t i) { return 100 * (3 * of(256)(i) / (8 * widths(i)) - 1); }));
  const auto differ = [](double multiple) {  // for how many d it matters that 8d/3 is floored first, and not raised
    return sum(8192, [&](int64_t i) {
      const double exact = 8 * (static_cast<double>(i) + 1) / 3;
      return up(std::floor(exact), multiple) != up(std::ceil(exact), multiple) ? 1 : 0;
    });
  };
  d.step("h10", "floor or ceiling: how many d up to 8192 differ at multiples of 1, 2, 4",
         each(3, [&](int64_t i) { return differ(std::pow(2, i)); }));
  d.law("h11", "and at multiples of 8, 64, 256", {differ(8), differ(64), differ(256)}, {0, 0, 0});
  return verdict();
}
