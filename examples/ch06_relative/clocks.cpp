#include "examples/ch06_relative/clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/shared/mistakes/rotations.h"
#include "examples/shared/report/values.h"
#include "nn/nn.h"

namespace gradus::examples {
namespace {

constexpr int64_t kPairs = kHead / 2;

struct Clock { double query, key; };  // radians, counterclockwise from the right

// The hands of every pair: what RoPE makes of (1, 0) at a query's and at a key's position.
std::vector<Clock> hands(int64_t query, int64_t key) {
  const Rotation rope = right_rotation(kHead);
  const Tensor start = reshape(expand(tensor({1, 0}, DType::f64), {kPairs, 2}), {1, 1, 1, kHead});
  const auto angles = [&](int64_t position) {
    const Tensor turned = reshape(rope.turn(start, arange(position, position + 1)), {kPairs, 2});
    std::vector<double> result;
    for (int64_t k = 0; k < kPairs; ++k) result.push_back(std::atan2(turned.at({k, 1}), turned.at({k, 0})));
    return result;
  };
  const std::vector<double> q = angles(query), k = angles(key);
  std::vector<Clock> clocks;
  for (std::size_t i = 0; i < q.size(); ++i) clocks.push_back({q[i], k[i]});
  return clocks;
}

double angle_between(const Clock& clock) { return std::remainder(clock.query - clock.key, 2 * M_PI); }

}  // namespace

void clock_hands(Chapter& chapter, int64_t shift) {
  constexpr int64_t query = 9, key = 4;
  const std::vector<Clock> before = hands(query, key), after = hands(query + shift, key + shift);
  const Tensor wavelengths = 2 * M_PI / nn::rope_frequencies(kHead, {}, 0);
  double change = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    change = std::max(change, std::abs(std::remainder(angle_between(after[i]) - angle_between(before[i]), 2 * M_PI)));
  }
  // How far each hand of the query goes on from one position to the next: the law, read from the layer's own output.
  const std::vector<Clock> here = hands(query, key), next = hands(query + 1, key);
  double off = 0;  // relative
  for (std::size_t i = 0; i < here.size(); ++i) {
    const double turn = std::remainder(next[i].query - here[i].query, 2 * M_PI);
    off = std::max(off, std::abs(turn * wavelengths.at({static_cast<int64_t>(i)}) / (2 * M_PI) - 1));
  }
  const double slowest_to_fastest = wavelengths.at({kPairs - 1}) / wavelengths.at({0});
  chapter.number("clocks.turns_off_by", off);
  chapter.number("clocks.shift", static_cast<double>(shift));
  chapter.number("clocks.change_of_angles", change);
  chapter.number("clocks.wavelengths", values_of(wavelengths));
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < before.size(); ++i) all.push_back({before[i].query, before[i].key, after[i].query, after[i].key});
  chapter.series("clocks.hands", all);
  chapter.claim("rope-fast-and-slow-hands", "RoPE's pairs are clock hands, fast ones and slow ones.",
                off < 1e-9 && slowest_to_fastest > 100 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("Wavelengths {} to {} tokens, each {:.2f} times the one before. Rule: in the layer's output each hand turns "
                            "by 2π/wavelength a token, to within 10⁻⁹ (it is {}), and the slowest is 100 times as slow as the fastest.",
                            shown(wavelengths.at({0})), with_commas(std::llround(wavelengths.at({kPairs - 1}))),
                            wavelengths.at({1}) / wavelengths.at({0}), shown(off, 2)));
  chapter.tell(
      fmt::format("{} pairs a head, from {:.1f} to {:.0f} tokens a turn.\nBoth tokens move on by {}: angles between hands "
                  "change by {:.1e}.",
                  kPairs, wavelengths.at({0}), wavelengths.at({kPairs - 1}), shift, change));
}

}  // namespace gradus::examples
