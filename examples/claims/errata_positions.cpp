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

std::vector<Claim> position_errata() {
  return {
      {.id = "erratum-4",
       .sources = {{4, 248}, {4, 247}, {4, 245}},
       .quote = "2i 和 2i+1 则是指示了 token 是奇数位置还是偶数位置",
       .says = "2i and 2i+1 say whether the token stands at an even or an odd position, and it is encoded by its position "
               "relative to others.",
       .meant = "2i and 2i+1 are even and odd dimensions: each token's row has sines and cosines. The row is that of an "
                "absolute position; that the distance of two can be read from it is another matter.",
       .predicted = Verdict::refuted,
       .because = "Vaswani et al. (2017), 3.5: “pos is the position and i is the dimension”.",
       .rule = {.statistic = "distance of the layer's rows from those of the sentence, relative to their size",
                .side = Side::below,
                .bound = 1e-6,
                .sample = "widths",
                .values = Values::listed},
       .measure =
           [](Lab& lab) {
             const std::vector<Where> places{{{"sentence", "sines at even positions, cosines at odd ones"}},
                                             {{"sentence", "by relative position"}}};
             return tabulated(places, widths(lab), [&](const Where& where, int64_t width) {
               const RowsAt rows = sinusoidal_layer(width);
               return where == places[0] ? apart_from_parity(rows, width) : apart_after_shift(rows);
             });
           }},
      {.id = "erratum-9",
       .sources = {{1, 68}, {1, 64}},
       .quote = "d为embedding后的维度",
       .says = "RoPE's d is the width of the embedding, and its angles mθ are degrees.",
       .meant = "d is the width of a head, as note 0 says in line 168, and the angles are radians.",
       .predicted = Verdict::refuted,
       .because = "Su et al. (2021): θ_i = 10000^(−2(i−1)/d), d the width of the query that is turned; cos mθ is of radians.",
       .rule = {.statistic = "mean distance of the angles that the layer turns by from those of the sentence",
                .unit = "radians",
                .side = Side::below,
                .bound = 1e-6,
                .sample = "positions"},
       .measure =
           [](Lab& lab) {
             const std::vector<Where> places{{{"sentence", "d is the model's width"}}, {{"sentence", "degrees"}}};
             return lab.each(places, [&](const Where& where, std::uint64_t seed) {
               constexpr int64_t d_model = 64, heads = 4, head_dim = d_model / heads;
               nn::RoPE rope({.d_model = d_model, .heads = heads, .head_dim = head_dim, .max_length = 1024});
               return where == places[0] ? apart_from_angles(rope, head_dim, d_model, 1, seed)
                                         : apart_from_angles(rope, head_dim, head_dim, kDegree, seed);
             });
           }},
      {.id = "erratum-12",
       .sources = {{2, 360}},
       .quote = "越往后的位置，频率越小，波长越长",
       .says = "In the picture of the sinusoidal table later positions vary more slowly, which makes its right half yellow.",
       .meant = "Later dimensions vary more slowly, where sines and cosines alternate. A right half that is nearly all yellow "
                "is that of the other layout: the cosines, of which the slow ones stay near 1.",
       .predicted = Verdict::depends,
       .because = "The frequency, 10000^(−2i/d), is a function of the dimension alone (Vaswani et al., 2017).",
       .rule = {.statistic = "change from a position to the next: in the later half, relative to that in the earlier half",
                .side = Side::below,
                .bound = 0.5,
                .sample = "widths",
                .values = Values::listed},
       .measure =
           [](Lab& lab) {
             std::vector<Where> places;
             for (const char* halves : {"positions", "dimensions"}) {
               for (const char* layout : {"alternating", "sines, then cosines"}) {
                 places.push_back({{"halves of", halves}, {"layout", layout}});
               }
             }
             return tabulated(places, widths(lab), [](const Where& where, int64_t width) {
               const auto layout = level(where, "layout") == "alternating" ? nn::SineLayout::interleaved : nn::SineLayout::concatenated;
               return change_in_later_half(nn::formula::sinusoidal(arange(100), width, layout),
                                           level(where, "halves of") == "positions" ? 0 : 1);
             });
           }},
  };
}

}  // namespace gradus::examples
