// The config.json of a run that --resume names.
#include "core/check.h"
#include "examples/shared/options/command_line.h"
#include "examples/shared/options/train_config.h"
#include "tests/fuzz/support/same_options.h"
#include "tests/fuzz/target.h"

using namespace gradus;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryDirectory directory;
  static const std::string run = directory.file("");
  write_bytes(directory.file("checkpoint.safetensors"), "");  // the parser asks only whether there is one
  write_bytes(directory.file("config.json"), fuzz::text_of(data, size));
  const char* arguments[] = {"train", "--resume", run.c_str()};
  examples::TrainOptions options;
  try {
    if (!examples::read_command_line(3, arguments, "train", "", options)) return 0;
  } catch (const Error&) {
    return 0;
  }
  fuzz::require_same_when_written(options);
  return 0;
}
