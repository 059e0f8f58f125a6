#include "examples/shared/study/taxonomy.h"

#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

constexpr nn::PositionOptions kSmall{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16};

TEST_CASE("pos-taxonomy: every row's kind, and where it acts") {
  std::string table;
  for (const auto& row : nn::position_encodings().variants) {
    const nn::PositionEncodingPtr position = row.value(kSmall);
    table += fmt::format("{}: {}\n", row.name, taxonomy_of(*position, kSmall).str());
  }
  CHECK(table ==
        "none: none\n"
        "sinusoidal: absolute, fixed: embedding\n"
        "learned: absolute, learned: embedding\n"
        "rnn: absolute, learned: embedding\n"
        "shaw: relative, learned: scores, values\n"
        "xl: relative, learned: scores\n"
        "t5: relative, learned: scores\n"
        "rope: relative, fixed: queries and keys\n"
        "rope-half: relative, fixed: queries and keys\n"
        "rope-partial: relative, fixed: queries and keys\n"
        "rope-interpolation: relative, fixed: queries and keys\n"
        "rope-ntk: relative, fixed: queries and keys\n"
        "rope-bands: relative, fixed: queries and keys\n"
        "yarn: relative, fixed: queries and keys\n"
        "yarn-half: relative, fixed: queries and keys\n"
        "xpos: relative, fixed: queries and keys\n"
        "alibi: relative, fixed: scores\n"
        "kerple: relative, learned: scores\n"
        "kerple-power: relative, learned: scores\n"
        "fire: relative, learned: scores\n"
        "dynamic-bias: relative, learned: scores\n"
        "cope: relative, learned: scores\n");
}
