// What stands on the line of a progress bar.
#include "examples/shared/training/progress.h"

#include "tests/support/check.h"

using namespace gradus::examples;

TEST_CASE("progress: a status that is too long loses whole fields, the last first, and no digit of a number") {
  const std::string status = "loss 2.345  lr 2.0e-04  12345 tokens/s";
  CHECK(fields_within(status, 80) == status);
  CHECK(fields_within(status, status.size()) == status);
  CHECK(fields_within(status, status.size() - 1) == "loss 2.345  lr 2.0e-04");
  CHECK(fields_within(status, 22) == "loss 2.345  lr 2.0e-04");
  CHECK(fields_within(status, 21) == "loss 2.345");
  CHECK(fields_within(status, 9) == "");
  CHECK(fields_within("", 0) == "");
}
