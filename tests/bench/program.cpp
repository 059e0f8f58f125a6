#include "tests/bench/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/tensor/threads.h"

namespace gradus::bench {
namespace {

constexpr int kBadInput = 2;

}  // namespace

int with_options(int argc, char** argv, const std::string& name, const std::string& description, const Body& body) {
  examples::TrainOptions options;
  CLI::App app(description + " Takes the options of train.", name);
  examples::add_options(app, options);
  try {
    app.parse(argc, argv);
    examples::fill_defaults(options);
    examples::check_options(options);
    if (options.threads > 0) set_num_threads(options.threads);
    pool::keep_freed_pages();  // as train does
    body(options);
    return 0;
  } catch (const CLI::Success& help) {
    return app.exit(help);
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
