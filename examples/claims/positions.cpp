#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/positions_measures.h"
#include "examples/shared/data/ngrams.h"
#include "examples/shared/study/measured_encoding.h"
#include "nn/position/rope.h"

namespace gradus::examples {
namespace {

using Levels = std::vector<std::string>;

// Those that the notes name, and T5's.
const Levels kNamed{"sinusoidal", "learned", "rnn", "shaw", "xl", "t5", "rope", "alibi"};

// With --full all that there are.
Factor encodings(const Lab& lab) {
  if (!lab.full()) return {"encoding", kNamed};
  Factor all{"encoding", {}};
  for (const auto& row : nn::position_encodings().variants) {
    if (row.name != "none") all.levels.emplace_back(row.name);
  }
  return all;
}

int steps_of_looking_back(const Lab& lab) { return lab.full() ? 800 : 250; }

constexpr double kWrong = 0.1;  // the share of wrong answers at T, above which a model has not learned to look back

// The losses on texts of T and, for each n of `times`, n times as long.
std::vector<double> text_losses(Lab& lab, const Where& where, std::uint64_t seed, const std::vector<int64_t>& times) {
  TrainOptions options = of_steps(lab.model_with("position", level(where, "encoding")), whole_at(where, "steps"));
  options.seed = seed;
  const int64_t trained = options.model.context;
  std::vector<const Corpus*> corpora{&lab.corpus(trained)};
  for (const int64_t n : times) corpora.push_back(&lab.corpus(n * trained));
  options.model.context = times.back() * trained;
  return losses_at_lengths(options, corpora);
}

// What is left of a model's skill on texts n times as long as those it was trained on, for each n of `times`.
Evidence skill_left(Lab& lab, const Levels& encodings, const std::vector<int64_t>& times) {
  const Corpus& corpus = lab.corpus(lab.model().model.context);
  const double chance = 1 - 1.0 / kLookBackTokens, counting = unigram_line(corpus);
  const Baseline pairs = pairs_line(corpus), mostly_right{"a tenth of the answers wrong", kWrong};
  Levels lengths{"T"};
  for (const int64_t n : times) lengths.push_back(fmt::format("{}T", n));
  const auto tasks = [&](int64_t factor) {
    std::vector<Where> places;
    for (const std::string& encoding : encodings) {
      for (const auto& [task, steps] :
           {std::pair<const char*, int64_t>{"looking back", steps_of_looking_back(lab)}, {"text", lab.model().schedule.total}}) {
        places.push_back({{"steps", std::to_string(factor * steps)}, {"encoding", encoding}, {"task", task}});
      }
    }
    return places;
  };
  const std::vector<Where> places = lab.usual_and_long(tasks(1), tasks(4));
  const Evidence losses = lab.each(places, "length", lengths, [&](const Where& where, std::uint64_t seed) {
    return level(where, "task") == "text" ? text_losses(lab, where, seed, times)
                                          : look_back_wrong(level(where, "encoding"), whole_at(where, "steps"), seed, times);
  });
  Evidence evidence;
  for (std::size_t at = 0; at < losses.size(); at += lengths.size()) {
    const bool text = level(losses[at].where, "task") == "text";
    const auto arm = [&](std::size_t length) { return Arm{lengths[length], losses[at + length].values, text ? pairs : mostly_right}; };
    for (std::size_t length = 1; length < lengths.size(); ++length) {
      Condition place{losses[at + length].where, {}, {arm(0), arm(length)}, losses[at].commits};
      for (std::size_t i = 0; i < place.arms[0].losses.size(); ++i) {
        const double nothing = text ? counting : chance;
        place.values.push_back((nothing - place.arms[1].losses[i]) / (nothing - place.arms[0].losses[i]));
      }
      evidence.push_back(place);
    }
  }
  return evidence;
}

const std::vector<int64_t>& widths(const Lab& lab) {
  static const std::vector<int64_t> few{16, 32, 64, 128, 256}, all{16, 24, 32, 48, 64, 96, 128, 192, 256, 512};
  return lab.full() ? all : few;
}

}  // namespace

Experiments position_experiments() {
  return {
      {"claim-position-unique",
       [](Lab& lab) {
         return lab.each(crossed({encodings(lab), {"positions", {"32", "128"}}}), [](const Where& where, std::uint64_t seed) {
           return distinctness(level(where, "encoding"), whole_at(where, "positions"), seed);
         });
       }},

      {"claim-position-extrapolates", [](Lab& lab) { return skill_left(lab, joined(kNamed, {"none"}), {2, 4}); }},

      {"claim-position-relative",
       [](Lab& lab) {
         return lab.each(crossed({encodings(lab)}),
                         [](const Where& where, std::uint64_t seed) { return unexplained_by_distance(level(where, "encoding"), seed); });
       }},

      {"claim-projection-destroys-sinusoidal-distance",
       [](Lab& lab) {
         const std::vector<Where> places = crossed({{"projections",
                                                     {"random, 512 to 64", "one random matrix for both, 512 to 64",
                                                      "a model's as it starts, 32 to 8", "a model's that learned to look back, 32 to 8"}}});
         return lab.each(places, [&](const Where& where, std::uint64_t seed) {
           if (where == places[0] || where == places[1]) return share_after_projection(where == places[1], seed);
           return share_in_model(where == places[2] ? 0 : steps_of_looking_back(lab), seed);
         });
       }},

      {"claim-rope-fast-and-slow-hands",
       [](Lab& lab) {
         const std::vector<int64_t> few{16, 32, 64, 128, 256}, all{8, 16, 24, 32, 48, 64, 80, 96, 128, 256};
         return tabulated({{}}, lab.full() ? all : few, [](const Where&, int64_t width) {
           nn::RoPE rope({.d_model = width, .heads = 1, .head_dim = width, .max_length = 4096});
           return hands_together(rope, width);
         });
       }},

      {"claim-rnn-positions-extrapolate", [](Lab& lab) { return skill_left(lab, {"rnn"}, {2, 4, 16}); }},

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
