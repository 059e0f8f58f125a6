#include "tests/bench/program.h"

#include <fmt/format.h>

#include "core/kernels/bf16.h"
#include "core/machine/threads.h"
#include "examples/shared/options/command_line.h"

namespace gradus::bench {
namespace {

constexpr int kBadInput = 2;

}  // namespace

int with_options(int argc, char** argv, const std::string& name, const std::string& description, const Body& body) {
  try {
    examples::TrainOptions options;
    if (!examples::read_command_line(argc, argv, name, description + " Takes the options of train.", options)) return 0;
    if (options.threads > 0) set_num_threads(options.threads);
    const Bf16Products products(options.dtype == "bf16");
    pool::keep_freed_pages();  // as train does
    body(options);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return kBadInput;
  }
}

double milliseconds(const std::function<void()>& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

}  // namespace gradus::bench
