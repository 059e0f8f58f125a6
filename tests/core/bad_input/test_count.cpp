// How many bad calls of core there are.
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"

using namespace gradus::test;

TEST_CASE("bad input: at least 450 calls of core") {
  const BadCalls all = joined({elementwise_rows(), operator_rows(), select_rows(), reduce_rows(), matmul_rows(), layout_rows(),
                               index_rows(), create_rows(), memory_rows(), tensor_rows(), shape_rows(), tape_rows(),
                               engine_rows(), io_rows()});
  MESSAGE("bad calls of core: ", all.size());
  CHECK(all.size() >= 450);
}
