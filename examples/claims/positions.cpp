#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/positions_measures.h"
#include "examples/shared/data/ngrams.h"
#include "examples/shared/study/measured_encoding.h"
#include "nn/position/rope.h"

namespace gradus::examples {
namespace {

// Those that the notes name, and T5's.
std::vector<Where> named_encodings() {
  return crossed({{"encoding", {"sinusoidal", "learned", "rnn", "shaw", "xl", "t5", "rope", "alibi"}}});
}

// With --full all that there are.
std::vector<Where> encodings(const Lab& lab) {
  if (!lab.full()) return named_encodings();
  std::vector<Where> places;
  for (const auto& row : nn::position_encodings().variants) {
    if (row.name != "none") places.push_back({{"encoding", std::string(row.name)}});
  }
  return places;
}

using Levels = std::vector<std::string>;
std::vector<Where> with(const std::vector<Where>& places, const std::string& factor, const Levels& levels) {
  std::vector<Where> longer;
  for (const Where& where : places) {
    for (const std::string& level : levels) {
      longer.push_back(where);
      longer.back().emplace_back(factor, level);
    }
  }
  return longer;
}

int steps_of_looking_back(const Lab& lab) { return lab.full() ? 800 : 250; }

constexpr double kWrong = 0.1;  // the share of wrong answers at T, above which a model has not learned to look back

// The losses on texts of T and, for each n of `times`, n times as long.
std::vector<double> text_losses(Lab& lab, const Where& where, std::uint64_t seed, const std::vector<int64_t>& times) {
  TrainOptions options = of_steps(lab.model_with("position", level(where, "encoding")), std::stoll(level(where, "steps")));
  options.seed = seed;
  const int64_t trained = options.model.context;
  std::vector<const Corpus*> corpora{&lab.corpus(trained)};
  for (const int64_t n : times) corpora.push_back(&lab.corpus(n * trained));
  options.model.context = times.back() * trained;
  return losses_at_lengths(options, corpora);
}

// What is left of a model's skill on texts n times as long as those it was trained on, for each n of `times`.
Evidence skill_left(Lab& lab, const std::vector<Where>& encodings, const std::vector<int64_t>& times) {
  const Corpus& corpus = lab.corpus(lab.model().model.context);
  const double chance = 1 - 1.0 / kLookBackTokens, counting = unigram_line(corpus);
  const Baseline pairs = pairs_line(corpus), mostly_right{"a tenth of the answers wrong", kWrong};
  Levels lengths{"T"};
  for (const int64_t n : times) lengths.push_back(fmt::format("{}T", n));
  std::vector<Where> places;
  for (const bool longer : {false, true}) {
    if (longer ? !lab.longer_too() : !lab.usual_too()) continue;
    const int64_t factor = longer ? 4 : 1;
    for (const Where& encoding : encodings) {
      const auto add = [&](const char* task, int64_t steps) {
        Where where{{"steps", std::to_string(factor * steps)}};
        where.insert(where.end(), encoding.begin(), encoding.end());
        where.emplace_back("task", task);
        places.push_back(where);
      };
      add("looking back", steps_of_looking_back(lab));
      add("text", lab.model().schedule.total);
    }
  }
  const Evidence losses = lab.each(places, "length", lengths, [&](const Where& where, std::uint64_t seed) {
    return level(where, "task") == "text" ? text_losses(lab, where, seed, times)
                                          : look_back_wrong(level(where, "encoding"), std::stoi(level(where, "steps")), seed, times);
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

}  // namespace

std::vector<Claim> position_claims() {
  return {
      {.id = "claim-position-unique",
       .sources = {{2, 328}},
       .quote = "每个位置输出一个唯一的编码",
       .says = "A good position encoding gives each position a code of its own. Which do?",
       .predicted = Verdict::depends,
       .because = "T5 (Raffel et al., 2020) puts far distances together, Shaw et al. (2018) cut them off; waves and lines "
                  "do not.",
       .rule = {.statistic = "log₁₀ of the least difference of a query's scores on two positions, relative to the greatest",
                .side = Side::above,
                .bound = -6},
       .beyond = "Tokens are equal and projections as they start: content can tell apart what positions do not, and a "
                 "trained model may read more or less than these scores.",
       .measure =
           [](Lab& lab) {
             return lab.each(with(encodings(lab), "positions", {"32", "128"}), [](const Where& where, std::uint64_t seed) {
               return distinctness(level(where, "encoding"), std::stoll(level(where, "positions")), seed);
             });
           }},
      {.id = "claim-position-extrapolates",
       .sources = {{2, 329}, {2, 338}, {2, 372}},
       .quote = "具备良好的外推性",
       .says = "A good position encoding works on texts longer than those the model was trained on. Which do?",
       .predicted = Verdict::depends,
       .because = "Press, Smith and Lewis (2022): T5's and ALiBi's biases do, sinusoidal and rotary positions do not.",
       .rule = {.statistic = "skill at the greater length, relative to that at T",
                .side = Side::above,
                .bound = 0.9,
                .must_train = MustTrain::one},
       .beyond = "Lengths beyond 4T, large models, and ways to train on that repair it, as YaRN for RoPE. The encoding none is the "
                 "control: what a model keeps without any positions is no merit of an encoding.",
       .measure =
           [](Lab& lab) {
             std::vector<Where> encodings = named_encodings();
             encodings.push_back({{"encoding", "none"}});
             return skill_left(lab, encodings, {2, 4});
           }},
      {.id = "claim-position-relative",
       .sources = {{2, 330}},
       .quote = "任何位置之间的相对距离在不同长度的句子中应该是一致的",
       .says = "With a good position encoding, positions that are equally far apart are related alike, wherever they stand. "
               "Which are so?",
       .predicted = Verdict::depends,
       .because = "What acts on the scores by j − i is so by its formula (Shaw et al., 2018; Su et al., 2021); what is "
                  "added to the embedding passes through the projections (Yan et al., 2019).",
       .rule = {.statistic = "share of the scores' variance that distance does not explain", .side = Side::below, .bound = 0.01},
       .beyond = "Tokens are equal and projections as they start; training can give a head of an absolute encoding what "
                 "it needs.",
       .measure =
           [](Lab& lab) {
             return lab.each(encodings(lab), [](const Where& where, std::uint64_t seed) {
               return unexplained_by_distance(level(where, "encoding"), seed);
             });
           }},
      {.id = "claim-projection-destroys-sinusoidal-distance",
       .sources = {{2, 364}, {2, 366}},
       .quote = "正弦位置编码的相对位置表达能力被投影矩阵破坏掉了",
       .says = "The projections of attention destroy what sinusoidal positions know of distance.",
       .predicted = Verdict::depends,
       .because = "Yan et al. (2019) show it for random matrices; but a shift is a rotation (Vaswani et al., 2017), which "
                  "W_qᵀW_k can learn to be.",
       .rule = {.statistic = "share of the scores' variance that distance explains; without projections 1",
                .side = Side::below,
                .bound = 0.5},
       .beyond = "What heads of large models learn, and scores in which content and position are mixed.",
       .measure =
           [](Lab& lab) {
             const std::vector<Where> places{{{"projections", "random, 512 to 64"}},
                                             {{"projections", "one random matrix for both, 512 to 64"}},
                                             {{"projections", "a model's as it starts, 32 to 8"}},
                                             {{"projections", "a model's that learned to look back, 32 to 8"}}};
             return lab.each(places, [&](const Where& where, std::uint64_t seed) {
               if (where == places[0] || where == places[1]) return share_after_projection(where == places[1], seed);
               return share_in_model(where == places[2] ? 0 : steps_of_looking_back(lab), seed);
             });
           }},
      {.id = "claim-rope-fast-and-slow-hands",
       .sources = {{0, 193}},
       .quote = "这是单一频率无法做到的",
       .says = "RoPE's fast and slow hands together tell near and far positions apart, which no single frequency can.",
       .predicted = Verdict::confirmed,
       .because = "The speeds are a geometric series (Su et al., 2021), like the digits of a number: what one hand passes "
                  "over the next one counts.",
       .rule = {.statistic = "least distance between two of 4,096 positions: by all hands, relative to that by the best one",
                .side = Side::above,
                .bound = 10,
                .sample = "widths of a head",
                .values = Values::listed},
       .beyond = "Whether a model uses the slow hands for positions: Barbero et al. (2024) find content in them.",
       .measure =
           [](Lab& lab) {
             const std::vector<int64_t> few{16, 32, 64, 128, 256}, all{8, 16, 24, 32, 48, 64, 80, 96, 128, 256};
             return tabulated({{}}, lab.full() ? all : few, [](const Where&, int64_t width) {
               nn::RoPE rope({.d_model = width, .heads = 1, .head_dim = width, .max_length = 4096});
               return hands_together(rope, width);
             });
           }},
      {.id = "claim-rnn-positions-extrapolate",
       .sources = {{2, 376}},
       .quote = "优点是外推、灵活",
       .says = "Positions from a recurrent layer work on texts longer than those the model was trained on.",
       .predicted = Verdict::confirmed,
       .because = "Neishi and Yoshinaga (2019): with a recurrent layer in place of positions, the translation of sentences "
                  "longer than the training's does not fail.",
       .rule = {.statistic = "skill at the greater length, relative to that at T",
                .side = Side::above,
                .bound = 0.9,
                .must_train = MustTrain::one},
       .beyond = "Tasks that need to count far: on equal tokens the state comes to rest, and then all positions look alike.",
       .measure = [](Lab& lab) { return skill_left(lab, {{{"encoding", "rnn"}}}, {2, 4, 16}); }},
  };
}

}  // namespace gradus::examples
