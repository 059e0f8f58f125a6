// Bad calls of every function of core: each is refused with its class of error, by its own name.
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("bad input: bad calls of core are refused, each with its class and its text, and change nothing") {
  const std::pair<const char*, BadCalls (*)()> tables[] = {{"arithmetic and elementary functions", elementwise_rows},
                                                           {"operators", operator_rows},
                                                           {"masks", select_rows},
                                                           {"ops along axes", reduce_rows},
                                                           {"products", matmul_rows},
                                                           {"shapes and parts", layout_rows},
                                                           {"indices", index_rows},
                                                           {"composites", composite_rows},
                                                           {"what makes and compares tensors", create_rows},
                                                           {"sizes", memory_rows},
                                                           {"members of a tensor", tensor_rows},
                                                           {"shapes", shape_rows},
                                                           {"the tape", tape_rows},
                                                           {"walks and gradient checks", engine_rows},
                                                           {"files, names and drawings", io_rows}};
  std::size_t count = 0;
  for (const auto& [name, rows_of] : tables) {
    CAPTURE(name);
    const BadCalls rows = rows_of();
    check_bad_calls(rows);
    count += rows.size();
  }
  MESSAGE("bad calls of core: ", count);
  CHECK(count >= 450);
}
