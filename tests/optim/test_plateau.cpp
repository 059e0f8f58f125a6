#include "optim/plateau.h"

#include <limits>

#include "core/check.h"
#include "tests/support/bad_input.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;
using optim::PlateauOptions;
using optim::ReduceOnPlateau;

TEST_CASE("plateau: every rate equals PyTorch's, of losses that fall, jump, stand still and are no numbers") {
  const auto rows = read_fixture("optimizers.safetensors").tensors;
  const std::vector<double> losses = to_vector(rows.at("plateau/losses"));
  const std::pair<const char*, PlateauOptions> all[] = {
      {"default", {.lr = 1}},
      {"short", {.lr = 1, .factor = 0.5, .patience = 2}},
      {"rest", {.lr = 1, .factor = 0.5, .patience = 1, .cooldown = 3}},
      {"least", {.lr = 1, .factor = 0.1, .patience = 0, .min_lr = 0.03}},
      {"strict", {.lr = 1, .factor = 0.5, .patience = 2, .threshold = 0.1}},
  };
  for (const auto& [name, options] : all) {
    CAPTURE(name);
    ReduceOnPlateau rate(options);
    const std::vector<double> expected = to_vector(rows.at(fmt::format("plateau/{}", name)));
    REQUIRE(expected.size() == losses.size());
    CHECK(expected.back() < 1);  // or the row would show nothing
    for (std::size_t i = 0; i < losses.size(); ++i) {
      CAPTURE(i);
      CHECK(rate.next(losses[i]) == doctest::Approx(expected[i]).epsilon(1e-14));
      CHECK(rate.lr() == rate.state().lr);
    }
  }
}

TEST_CASE("plateau: a rate falls after more than `patience` bad losses; below 0 a better loss is a smaller one, too") {
  ReduceOnPlateau rate({.lr = 1, .factor = 0.5, .patience = 1, .threshold = 0.1});
  for (const double loss : {-1.0, -1.05}) CHECK(rate.next(loss) == 1);  // the second is not a tenth below the first
  CHECK(rate.state().best == -1);
  CHECK(rate.next(-1.2) == 1);
  CHECK(rate.state().best == -1.2);
  CHECK(rate.next(-1.2) == 1);
  CHECK(rate.next(-1.2) == 0.5);
  CHECK(rate.next(kNaN) == 0.5);
  CHECK(rate.next(kInfinity) == 0.25);
  CHECK(rate.next(-kInfinity) == 0.25);
  CHECK(rate.next(-kInfinity) == 0.25);
  CHECK(rate.next(-kInfinity) == 0.125);
}

TEST_CASE("plateau: saved and loaded, it goes on as it would have") {
  const PlateauOptions options{.lr = 1, .factor = 0.5, .patience = 1, .cooldown = 2};
  ReduceOnPlateau whole(options);
  const std::vector<double> losses{3, 3, 3, 2.9, 3, 3, 3, 3, 3, 3};
  for (std::size_t cut = 0; cut < losses.size(); ++cut) {
    ReduceOnPlateau second(options);
    second.load_state(whole.state());
    const double after = whole.next(losses[cut]);
    CHECK(second.next(losses[cut]) == after);
  }
  CHECK(whole.lr() == 0.25);
}

TEST_CASE("plateau: options and states that make no sense are refused, and change nothing") {
  const std::string who = "ReduceOnPlateau: ";
  const auto make = [](const PlateauOptions& options) { ReduceOnPlateau made(options); };
  const Refused no_rate{"finite and not negative", {kNaN, kInfinity, -1}};
  check_bad_calls({
      REFUSED_EACH(make({.lr = bad}), who + "lr", no_rate),
      REFUSED_EACH(make({.min_lr = bad}), who + "min_lr", no_rate),
      REFUSED_EACH(make({.factor = bad}), who + "factor must be in (0, 1)", kNaN, 0, 1, -0.5, 2),
      REFUSED_EACH(make({.threshold = bad}), who + "threshold must be in [0, 1)", kNaN, -0.1, 1),
      REFUSED(value, make({.lr = 0.1, .min_lr = 0.2}), "ReduceOnPlateau: min_lr 0.2 is above lr 0.1"),
      REFUSED(value, make({.patience = -1}), "ReduceOnPlateau: patience must not be negative, got -1"),
      REFUSED(value, make({.cooldown = INT64_MIN}), "ReduceOnPlateau: cooldown must not be negative"),
  });
  ReduceOnPlateau rate({.lr = 1, .min_lr = 0.5});
  rate.next(2);
  CHECK_THROWS_WITH_AS(rate.load_state({.lr = 0.25}), "ReduceOnPlateau: min_lr 0.5 is above lr 0.25", ValueError);
  CHECK_THROWS_WITH_AS(rate.load_state({.lr = kNaN}), "ReduceOnPlateau: lr must be finite and not negative, got nan", ValueError);
  CHECK_THROWS_WITH_AS(rate.load_state({.lr = 1, .best = kNaN}), "ReduceOnPlateau: the best loss must be a number, got nan", ValueError);
  CHECK_THROWS_WITH_AS(rate.load_state({.lr = 1, .bad = -1}), "ReduceOnPlateau: bad must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(rate.load_state({.lr = 1, .rest = -1}), "ReduceOnPlateau: rest must not be negative, got -1", ValueError);
  CHECK(rate.state().best == 2);
}
