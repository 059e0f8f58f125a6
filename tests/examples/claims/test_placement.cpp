// The experiments on placements: against numbers that theory knows, and with the wrong thing in place of the right.
#include <cmath>
#include <nlohmann/json.hpp>

#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/claims/placement_measures.h"
#include "examples/claims/residual_measures.h"
#include "nn/block/deep_norm.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using doctest::Approx;

namespace {

// The verdict of a claim's own rule on three seeds of another experiment.
template <typename Measure> Verdict judged(const char* id, const Measure& value) {
  return judge(find_claim(id).rule, {{{}, {value(1), value(2), value(3)}}}).verdict;
}

double growth(const nn::PlacementChoice& placement, DescentStep step, Moved moved, std::uint64_t seed) {
  return update_growth({.placement = placement, .d_model = 32, .context = 16, .heads = 2}, {8, 32}, step, moved, seed);
}

StackChoice narrow(const nn::PlacementChoice& placement, int64_t depth) {
  return {.placement = placement, .depth = depth, .d_model = 16, .context = 8, .batch = 2, .heads = 2};
}

// Each block doubles the stream: two of them add 3x, side by side 2x.
class Doubling : public nn::Placement {
 public:
  using Placement::Placement;

 protected:
  nn::Stream step(std::size_t i, const nn::Stream& s, const nn::Sublayer&) override { return {i == 0 ? 2 * s.x : s.x}; }
};
nn::PlacementPtr doubling(const nn::PlacementOptions& options) { return std::make_unique<Doubling>(options); }

}  // namespace

TEST_CASE("claims: bottom over top, largest over smallest") {
  CHECK(bottom_over_top({1, 8, 4, 2}) == 0.5);
  CHECK(largest_over_smallest({1, 8, 4, 2}) == 8);
}

TEST_CASE("claims: places are all combinations of levels, the last factor's fastest") {
  const std::vector<Where> places = crossed({{"a", {"1", "2"}}, {"b", {"x", "y"}}});
  REQUIRE(places.size() == 4);
  CHECK(text_of(places[1]) == "a 1, b y");
  CHECK(text_of(places[2]) == "a 2, b x");
  CHECK(crossed({}).size() == 1);
}

TEST_CASE(
    "claim-deepnorm-bounded-updates: descent on the linear maps is bounded; Adam's step grows as √L, that of the norms too "
    "as L") {
  const auto value = [](const nn::PlacementChoice& placement, DescentStep step, Moved moved) {
    return [=](std::uint64_t seed) { return growth(placement, step, moved, seed); };
  };
  const char* id = "claim-deepnorm-bounded-updates";
  CHECK(judged(id, value("deepnorm", DescentStep::gradient, Moved::linear_maps)) == Verdict::confirmed);
  CHECK(judged(id, value("deepnorm", DescentStep::sign, Moved::linear_maps)) == Verdict::refuted);
  CHECK(judged(id, value("deepnorm", DescentStep::gradient, Moved::all)) == Verdict::refuted);
  CHECK(growth("deepnorm", DescentStep::gradient, Moved::linear_maps, 4) == Approx(0).epsilon(0.15).scale(1));
  CHECK(growth("deepnorm", DescentStep::sign, Moved::linear_maps, 4) == Approx(0.5).epsilon(0.15).scale(1));
}

TEST_CASE("claim-deepnorm-1000-layers: the lowest of many blocks learn, and do not with post-norm in place of DeepNorm") {
  const Corpus corpus = Corpus::shakespeare(8);
  const auto value = [&](const nn::PlacementChoice& placement) {
    return [&, placement](std::uint64_t seed) {
      const std::vector<double> losses = losses_from_below(narrow(placement, 80), corpus, 40, 18, seed);
      return losses[1] - losses[0];
    };
  };
  CHECK(judged("claim-deepnorm-1000-layers", value("deepnorm")) == Verdict::confirmed);
  CHECK(judged("claim-deepnorm-1000-layers", value("post")) == Verdict::refuted);
}

TEST_CASE(
    "claim-post-norm-weakens-identity: noise as loud as the stream halves it once in two sublayers; a silent one does "
    "not") {
  const char* id = "claim-post-norm-weakens-identity";
  const auto off_theory = [](const StackChoice& choice) {
    return [=](std::uint64_t seed) { return std::abs(halvings_over_theory(choice, seed) - 1); };
  };
  const StackChoice noise{.placement = post_norm_of_noise, .depth = 6}, silent{.placement = "post", .depth = 6, .init = "gpt2"};
  CHECK(halvings_over_theory(noise, 1) == Approx(1).epsilon(0.04));
  CHECK(halvings_over_theory(silent, 1) == Approx(0).epsilon(0.01).scale(1));
  CHECK(judged(id, off_theory(noise)) == Verdict::confirmed);
  CHECK(judged(id, off_theory(silent)) == Verdict::refuted);
}

TEST_CASE(
    "claim-sandwich-bounds-activations: each sublayer adds a length of 1 at most, whatever its weights; with pre-norm "
    "none is too much") {
  const StackChoice sandwich{.placement = "sandwich", .depth = 6, .d_model = 32};
  for (const double weights : {1.0, 30.0}) {
    CHECK(top_variance(sandwich, weights, 1) < 13 * 13);  // (1 + 12)²: all in one direction
    CHECK(top_variance(sandwich, weights, 1) > 6);
  }
  const StackChoice pre{.placement = "pre", .depth = 6, .d_model = 32};
  CHECK(top_variance(pre, 30, 1) > 1e5 * top_variance(pre, 1, 1));
  const auto change = [](const char* loud, const char* quiet) {
    return [=](std::uint64_t seed) {
      const auto loudness = [&](const char* p) { return std::log2(top_variance({.placement = p, .depth = 6, .d_model = 32}, 4, seed)); };
      return loudness(loud) - loudness(quiet);
    };
  };
  CHECK(judged("claim-sandwich-bounds-activations", change("sandwich", "pre")) == Verdict::confirmed);
  CHECK(judged("claim-sandwich-bounds-activations", change("pre", "sandwich")) == Verdict::refuted);
}

TEST_CASE("claim-pre-norm-wider-not-deeper: blocks that double lose a third, which refutes it; quiet ones hardly anything") {
  const Corpus corpus = Corpus::shakespeare(8);
  CHECK(lost_side_by_side(narrow(doubling, 6), corpus, 1, 0) == Approx(1.0 / 3));
  const auto lost = [&](const nn::PlacementChoice& placement, const char* init) {
    return [&corpus, placement, init](std::uint64_t seed) {
      StackChoice choice = narrow(placement, 6);
      choice.init = init;
      return lost_side_by_side(choice, corpus, seed, 0);
    };
  };
  CHECK(judged("claim-pre-norm-wider-not-deeper", lost("pre", "gpt2")) == Verdict::confirmed);
  CHECK(judged("claim-pre-norm-wider-not-deeper", lost(doubling, "gpt2")) == Verdict::refuted);
}

TEST_CASE("claim-gradient-norms-by-placement: training changes only as many steps as it is told, and the same seed the same") {
  const Corpus corpus = Corpus::shakespeare(8);
  const StackChoice choice = narrow("pre", 3);
  const auto after = [&](int64_t steps, const optim::ScheduleOptions& rate) {
    return trained_block_gradients(choice, rate, corpus, 1, steps).gradients;
  };
  const optim::ScheduleOptions rate{.max_lr = 1e-3, .warmup = 0}, warmed{.max_lr = 1e-3, .warmup = 5};
  const std::vector<double> start = block_gradients(choice, corpus, 1);
  CHECK(start.size() == 3);
  CHECK(start == after(0, rate));
  CHECK(start != block_gradients(choice, corpus, 2));
  CHECK(start != after(5, rate));
  CHECK(after(5, warmed) != after(5, rate));
}

TEST_CASE("claim-pre-norm-stable, claim-warmup-rescues-post-norm, claim-sandwich-may-diverge: which arm is which") {
  Journal journal;
  Lab lab(journal, {});
  const auto know = [&](const TrainOptions& run, double loss) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      TrainOptions one = run;
      one.seed = seed;
      const std::string key = key_of(one, lab.corpus(run.model.context));
      if (!journal.knows(key)) journal.add(key, as_kept(loss + 0.01 * static_cast<double>(seed)));
    }
  };
  for (const int64_t blocks : {2, 6}) {
    for (const Warmup warmup : {Warmup::none, Warmup::a_tenth, Warmup::half}) {
      for (const auto& [placement, loss] : {std::pair{"pre", 2.0}, {"post", 2.5}, {"sandwich", 2.2}}) {
        const double cost = loss + (warmup == Warmup::none ? 0.3 : 0);
        for (const double rate : kTriedRates) know(with_rate(deep_run(placement, blocks, warmup, 300), rate), cost);
        know(with_rate(deep_run(placement, blocks, warmup, 300), 0.064), cost);
      }
    }
  }
  const auto first = [&](const char* id) { return find_claim(id).measure(lab)[0]; };
  CHECK(first("claim-pre-norm-stable").values[0] == Approx(-0.5));
  CHECK(first("claim-pre-norm-stable").arms[0].name == "pre");
  CHECK(first("claim-warmup-rescues-post-norm").values[0] == Approx(-0.3));
  CHECK(first("claim-warmup-rescues-post-norm").arms[0].name == "with");
  CHECK(first("claim-sandwich-may-diverge").values[0] == Approx(0.2));
  CHECK(first("claim-sandwich-may-diverge").arms[0].name == "sandwich");
  for (const char* id : {"claim-pre-norm-stable", "claim-warmup-rescues-post-norm", "claim-sandwich-may-diverge"}) {
    CHECK(first(id).arms.size() == 2);
    CHECK(find_claim(id).rule.must_train == MustTrain::one);
  }
}

TEST_CASE("claim-pre-norm-stable: a loss over several rates counts none as more than knowing nothing costs") {
  Journal journal;
  Lab lab(journal, {});
  const TrainOptions run = deep_run("pre", 6, Warmup::none, 300);
  CHECK(run.schedule.warmup == 0);
  CHECK(run.schedule.total == 300);
  CHECK(deep_run("pre", 6, Warmup::half, 300).schedule.warmup == 150);
  CHECK(deep_run("pre", 6, Warmup::a_tenth, 1000).schedule.warmup == 100);
  double loss = 1;
  for (const double rate : kTriedRates) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      TrainOptions one = with_rate(run, rate);
      one.seed = seed;
      journal.add(key_of(one, lab.corpus(run.model.context)), as_kept(seed == 4 ? NAN : loss));
    }
    loss *= 2;  // 1, 2, 4, 8
  }
  const std::vector<double> means = arm_over_rates(lab, "pre", run).losses;
  CHECK(means[0] == Approx((7 + std::log(256.0)) / 4));
  CHECK(means[4] == Approx(std::log(256.0)));
}

// All 200 images are one, and so are those that are held out: what is measured is the training loss itself.
TEST_CASE("erratum-3: both losses are of the same moment, when the training loss has just fallen to the value") {
  const LabelledImages all = read_digits().train, one{slice(all.images, 0, 7, 8), slice(all.labels, 0, 7, 8)};
  for (const Residual residual : {Residual::none, Residual::whole, Residual::quiet}) {
    const std::vector<double> losses = held_out_losses({.residual = residual, .layers = 3}, {one, one}, {1, 0.1}, 2, 1);
    CHECK(losses[0] < 1);
    CHECK(losses[0] > 0.8);
    CHECK(losses[1] < 0.1);
    CHECK(losses[1] > 0.08);
  }
}

TEST_CASE("erratum-3: where a network without residual connections does not train, the place is void") {
  const auto arm = [](Residual residual) {
    return Arm{"", held_out_losses({.residual = residual, .layers = 12, .gain = 0.1}, read_digits(), {0.5}, 1, 1), {"guessing", kGuessing}};
  };
  const Condition place = compared({}, arm(Residual::whole), arm(Residual::none));
  CHECK(has_trained(place.arms[0]));
  CHECK(place.arms[1].losses[0] == kGuessing);
  CHECK(judge(find_claim("erratum-3").rule, {place}).places[0].verdict == Verdict::nothing);
}

TEST_CASE("erratum-3: the rule tells a gap that is smaller from one that is not") {
  CHECK(judged("erratum-3", [](std::uint64_t seed) { return -0.1 - 0.01 * static_cast<double>(seed); }) == Verdict::confirmed);
  CHECK(judged("erratum-3", [](std::uint64_t seed) { return 0.001 * static_cast<double>(seed); }) == Verdict::refuted);
}

TEST_CASE("erratum-10: α changes nothing if x is the output of f, and much if it is the input") {
  CHECK(judged("erratum-10", [](std::uint64_t seed) { return moved_by_alpha(WhatXIs::output, 24, seed); }) == Verdict::refuted);
  CHECK(judged("erratum-10", [](std::uint64_t seed) { return moved_by_alpha(WhatXIs::input, 24, seed); }) == Verdict::confirmed);
  CHECK(moved_by_alpha(WhatXIs::output, 24, 1) < 1e-5);
  // x̂ and f̂ have variance 1 and are not correlated: 1/√2 · α/√(1 + α²) + 1/√2 · 1/√(1 + α²) of α x̂ + f̂ lies along x̂ + f̂.
  const double alpha = nn::deep_norm_scale({.layers = 24}).alpha, along = (alpha + 1) / std::sqrt(2 * (1 + alpha * alpha));
  CHECK(moved_by_alpha(WhatXIs::input, 24, 1) == Approx(std::sqrt(2 - 2 * along)).epsilon(0.05));
}
