#include "examples/claims/all_claims.h"
#include "examples/claims/errata_positions_measures.h"
#include "examples/claims/lab.h"
#include "nn/position/rope.h"

namespace gradus::examples {
namespace {

const std::vector<int64_t>& widths(const Lab& lab) {
  static const std::vector<int64_t> few{16, 32, 64, 128, 256}, all{16, 24, 32, 48, 64, 96, 128, 192, 256, 512};
  return lab.full() ? all : few;
}

}  // namespace

Experiments position_errata() {
  return {
      {"erratum-4",
       [](Lab& lab) {
         const std::vector<Where> places =
             crossed({{"sentence", {"sines at even positions, cosines at odd ones", "by relative position"}}});
         return tabulated(places, widths(lab), [&](const Where& where, int64_t width) {
           const RowsAt rows = sinusoidal_layer(width);
           return where == places[0] ? apart_from_parity(rows, width) : apart_after_shift(rows);
         });
       }},

      {"erratum-9", each({{"sentence", {"d is the model's width", "degrees"}}},
                         [](const Where& where, std::uint64_t seed) {
                           constexpr int64_t d_model = 64, heads = 4, head_dim = d_model / heads;
                           nn::RoPE rope({.d_model = d_model, .heads = heads, .head_dim = head_dim, .max_length = 1024});
                           return level(where, "sentence") == "degrees" ? apart_from_angles(rope, head_dim, head_dim, kDegree, seed)
                                                                        : apart_from_angles(rope, head_dim, d_model, 1, seed);
                         })},

      {"erratum-12",
       [](Lab& lab) {
         const std::vector<Where> places =
             crossed({{"halves of", {"positions", "dimensions"}}, {"layout", {"alternating", "sines, then cosines"}}});
         return tabulated(places, widths(lab), [](const Where& where, int64_t width) {
           const auto layout = level(where, "layout") == "alternating" ? nn::SineLayout::interleaved : nn::SineLayout::concatenated;
           return change_in_later_half(nn::formula::sinusoidal(arange(100), width, layout),
                                       level(where, "halves of") == "positions" ? 0 : 1);
         });
       }},
  };
}

}  // namespace gradus::examples
