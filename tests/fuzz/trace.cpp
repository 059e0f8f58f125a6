#include "core/inspect/trace.h"

#include "core/check.h"
#include "tests/fuzz/target.h"

using namespace gradus;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  inspect::Trace given;
  try {
    given = inspect::read_trace(fuzz::text_of(data, size));
  } catch (const ValueError& error) {
    fuzz::require(std::string(error.what()).rfind("read_trace: ", 0) == 0, "the message begins with the function");
    return 0;
  }
  const std::string written = inspect::json(given);
  fuzz::require(inspect::json(inspect::read_trace(written)) == written, "what was written is read again");
  return 0;
}
