// exercises: write what a chapter explains; a tutor checks it each time it is saved, and says by name what is wrong.
#include <unistd.h>

#include "examples/exercises/grader/run.h"
#include "examples/exercises/tutor/commands.h"
#include "examples/exercises/tutor/interactive.h"
#include "examples/shared/options/environment.h"
#include "examples/shared/report/program.h"
#include "examples/shared/terminal/terminal.h"

using namespace gradus;
using namespace gradus::exercises;

namespace {

int run(int argc, char** argv) {
  Options options;
  if (!read_options(argc, argv, options)) return 0;
  const bool coloured = !options.plain && ::isatty(STDOUT_FILENO) != 0 && !examples::is_switched_on("NO_COLOR");
  if (options.command.empty() && !options.plain && examples::Terminal::available()) return watch(coloured);
  return carry_out(options, coloured);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 6 && std::string(argv[1]) == "--apart") return be_apart(argv[2], argv[3], std::stoul(argv[4]), std::stoul(argv[5]));
  examples::keep_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return examples::complain("exercises", error, 2);
  }
}
