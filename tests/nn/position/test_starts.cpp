// What the parameters of the encodings start with.
#include "core/tensor/random.h"
#include "nn/position/fire.h"
#include "nn/position/learned.h"
#include "nn/position/shaw.h"
#include "nn/position/t5.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("pos-learned, pos-relative-shaw, pos-t5: the tables start N(0, 0.02²), rows that are added too") {
  manual_seed(8);
  const nn::PositionOptions o{.d_model = 4096, .heads = 64, .head_dim = 64, .max_length = 64};
  nn::LearnedPosition learned(o);
  learned.extend(64);
  nn::ShawPosition shaw(o, 2048);
  nn::T5Position t5(o, {.buckets = 4096, .max_distance = 10000});
  for (const auto& [what, values] : {std::pair<const char*, Tensor>{"learned", slice(learned.weight, 0, 0, 64)},
                                     {"added", slice(learned.weight, 0, 64, 128)},
                                     {"shaw's keys", shaw.key_rows},
                                     {"shaw's values", shaw.value_rows},
                                     {"t5", t5.weight}}) {
    CAPTURE(what);
    CHECK(values.numel() >= 1 << 18);
    CHECK(stddev(values).item() / 0.02 == doctest::Approx(1).epsilon(0.004));  // the spread of 2^18 draws is 0.0014
    CHECK(std::abs(mean(values).item()) < 2e-4);
  }
}

TEST_CASE("pos-fire: |c| starts at 0.1, and the share of L at 1") {
  const nn::FirePosition fire({.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16});
  CHECK(fire.c.item() == doctest::Approx(0.1).epsilon(1e-7));
  CHECK(fire.factor.item() == 1);
}
