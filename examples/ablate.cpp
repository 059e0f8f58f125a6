// ablate: trains variants side by side, each at its own learning rate, and says which differ by more than another seed does.
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/io/file.h"
#include "core/tensor/check.h"
#include "core/tensor/threads.h"
#include "examples/support/ablation/page.h"
#include "examples/support/ablation/plan_command.h"
#include "examples/support/ablation/presets.h"
#include "examples/support/ablation/table.h"
#include "examples/support/process.h"
#include "examples/support/report/words.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

namespace fs = std::filesystem;

constexpr int kBadInput = 2;

void say(const std::string& text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

// All that is finished is kept already.
void say_stopped(int signal) {
  constexpr char text[] = "\nstopped; the runs that are finished are kept, and the same command goes on with them\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, sizeof text - 1);
  ::_exit(128 + signal);
}

void make_directory(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  check<IoError>(!error, "--out: cannot make the directory {}: {}", directory, error.message());
  io::remove_abandoned(directory);
}

void tell_found(const Plan& plan, const Journal& journal) {
  if (journal.size() > 0) say(fmt::format("found {} finished measurements in {}", journal.size(), plan.out));
  if (journal.dropped() > 0)
    say(fmt::format("{} of another build of this program do not count (--keep: they do)", journal.dropped()));
}

void tell_plan(const Plan& plan, const std::vector<Variation>& variations) {
  if (!plan.preset.empty())
    say(fmt::format("{} is {}", plan.preset, fmt::join(options_of_preset(plan.preset, plan.full), " ")));
  for (const Variation& variation : variations) {
    if (!variation.refused.empty()) say(fmt::format("not trained: {}: {}", variation.name, variation.refused));
  }
}

void write_files(const Plan& plan, const std::vector<Measured>& all, const ResultTable& table, const Made& made) {
  const std::pair<const char*, std::string> files[] = {{"table.csv", table_csv(plan, table)},
                                                       {"runs.csv", runs_csv(plan, table)},
                                                       {"ablation.json", json_of(plan, table, all).dump(1) + "\n"},
                                                       {"report.html", page_of(plan, all, table, made)}};
  for (const auto& [name, text] : files) io::write_file((fs::path(plan.out) / name).string(), text);
}

int run(int argc, char** argv) {
  Plan plan;
  if (!read_plan(argc, argv, plan)) return 0;
  if (plan.threads > 0) set_num_threads(plan.threads);
  const std::vector<Variation> variations = variations_of(plan);
  const auto begun = std::chrono::steady_clock::now();
  Made made{.command = "./examples/run ablate"};
  for (int i = 1; i < argc; ++i) made.command += " " + quoted_for_shell(argv[i]);
  make_directory(plan.out);
  Journal journal(fs::path(plan.out) / "cells.jsonl", program_fingerprint(), plan.keep);
  tell_found(plan, journal);
  tell_plan(plan, variations);
  made.found = journal.size();
  const std::vector<Measured> all = carry_out(plan, variations, journal);
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const ResultTable table = table_of(all);
  say("\n" + terminal_table(plan, table));
  write_files(plan, all, table, made);
  say(fmt::format("report: {}", (fs::path(plan.out) / "report.html").string()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    fail_beyond_file_size_limit();
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, say_stopped);
    return run(argc, argv);
  } catch (const IoError& error) {
    fmt::print(stderr, "ablate: {}\n", error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "ablate: out of memory; a smaller --batch, --context or --d-model needs less\n");
    return kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ablate: {}\n", error.what());
    return kBadInput;
  }
}
