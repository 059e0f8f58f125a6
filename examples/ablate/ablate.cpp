// ablate: trains variants side by side, each at its own learning rate, and says which differ by more than another seed does.
#include <fmt/ranges.h>

#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "core/machine/threads.h"
#include "examples/ablate/plan_command.h"
#include "examples/ablate/presets.h"
#include "examples/ablate/table.h"
#include "examples/shared/report/json_text.h"
#include "examples/shared/report/page.h"
#include "examples/shared/report/program.h"
#include "examples/shared/report/signals.h"
#include "examples/shared/report/words.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

namespace fs = std::filesystem;

constexpr int kFailed = 1, kBadInput = 2;

void tell(const std::string& line) { say(line + "\n"); }

void tell_found(const Plan& plan, const Journal& journal) {
  if (journal.size() > 0) tell(fmt::format("found {} finished measurements in {}", journal.size(), plan.out));
  if (journal.of_another_build() > 0)
    tell(fmt::format("{} of another build of this program do not count (--keep: they do)", journal.of_another_build()));
}

void tell_plan(const Plan& plan, const std::vector<Variation>& variations) {
  if (!plan.preset.empty())
    say(fmt::format("{} is\n{}", plan.preset,
                    folded(fmt::format("{}", fmt::join(options_of_preset(plan.preset, plan.full), " ")), 80, "  ")));
  for (const Variation& variation : variations) {
    if (!variation.refused.empty()) tell(fmt::format("not trained: {}: {}", variation.name, variation.refused));
  }
}

void write_files(const Plan& plan, const std::vector<Measured>& all, const ResultTable& table, const Made& made) {
  const fs::path out = plan.out;
  const nlohmann::ordered_json results = json_of(plan, table, all, made);
  write_together({{out / "ablation.json", json_text(results)},
                  {out / "table.csv", table_csv(plan, table)},
                  {out / "runs.csv", runs_csv(plan, table)},
                  {out / "report.html", page_of(results)}});
}

int run(int argc, char** argv) {
  Plan plan;
  if (!read_plan(argc, argv, plan)) return 0;
  if (plan.threads > 0) set_num_threads(plan.threads);
  const std::vector<Variation> variations = variations_of(plan);
  open_directory(plan.out, {"table.csv", "runs.csv", "ablation.json", "report.html"},
                 {{"cells.jsonl"}, {"ablation.json", {"preset", "sweep", "made"}}});
  Journal journal(fs::path(plan.out) / "cells.jsonl", program_fingerprint(), plan.keep);
  tell_found(plan, journal);
  tell_plan(plan, variations);
  const std::size_t found = journal.size();
  const std::vector<Measured> all = carry_out(plan, variations, journal);
  const ResultTable table = table_of(all);
  journal.check_in_place();
  write_files(plan, all, table, made_by("ablate", argc, argv, journal, found));
  tell("\n" + terminal_table(plan, table));
  tell(fmt::format("report: {}", (fs::path(plan.out) / "report.html").string()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_streams();
  when_stopped_say("stopped; the runs that are finished are kept, and the same command goes on with them");
  try {
    return run(argc, argv);
  } catch (const IoError& error) {
    return complain("ablate", error, kFailed);
  } catch (const std::bad_alloc&) {
    return complain("ablate", "out of memory; a smaller --batch, --context or --d-model needs less", kFailed);
  } catch (const std::exception& error) {
    return complain("ablate", error, kBadInput);
  }
}
