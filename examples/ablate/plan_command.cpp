#include "examples/ablate/plan_command.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "core/machine/threads.h"
#include "core/options/edit_distance.h"
#include "examples/ablate/presets.h"
#include "examples/shared/options/command_line.h"
#include "examples/shared/options/train_fields.h"
#include "examples/shared/report/knob.h"

namespace gradus::examples {
namespace {

using Words = std::vector<std::string>;

const std::map<std::string, Equal> kEqual{{"parameters", Equal::parameters}, {"time", Equal::time}, {"nothing", Equal::nothing}};
const Words kPictures{"curves", "lengths", "gradients"};

// "a,,b" has an empty second value, "" an empty first.
Words split(const std::string& list) {
  Words values{""};
  for (const char c : list) {
    if (c == ',') {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return values;
}

// What is given as text, before it is read.
struct CommandLine {
  std::string equal = "parameters", show = "curves";
  std::int64_t farthest = 3, threads = 0;
  std::map<std::string, std::string> options;  // of train
};

// A run's seed, its sample and its checkpoints are not what an ablation compares.
bool takes_part(const OptionGroup& group) { return std::string(group.title) != "Sample" && std::string(group.title) != "Run"; }

// clang-format off
std::vector<Knob> knobs_of(Plan& plan, CommandLine& line) {
  return {
      {.flag = "--seeds", .value = &plan.seeds, .help = "runs of each variant; fewer than three tell nothing",
       .least = 1, .most = 400},
      {.flag = "--sweep", .value = &line.farthest,
       .help = "how many factors of 2 the sweep of learning rates may go; 0: none", .least = 0, .most = 20},
      {.flag = "--sweep-seeds", .value = &plan.sweep_seeds, .help = "runs of each rate of the sweep",
       .least = 1, .most = 400},
      {.flag = "--equal", .value = &line.equal,
       .help = "what all variants have the same of", .names = {"parameters", "time", "nothing"}},
      {.flag = "--show", .value = &line.show, .help = "pictures of the page, by commas: curves, lengths, gradients"},
      {.flag = "--threads", .value = &line.threads, .help = "0: all cores; each run is by one", .least = 0,
       .most = static_cast<double>(most_threads())},
      {.flag = "--full", .value = &plan.full, .help = "the thorough version: all variants, longer runs or, of placements, a deep model"},
      {.flag = "--keep", .value = &plan.keep, .help = "runs that another build of this program has finished count, too"}};
}
// clang-format on

void add_options(CLI::App& app, Plan& plan, CommandLine& line) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("preset", plan.preset, "an ablation by its name; see below");
  for (const Knob& knob : knobs_of(plan, line)) add_knob(app, knob);
  app.add_option("--seed", plan.seed, "of all that is random")->capture_default_str()->check(whole_number_error<std::uint64_t>);
  app.add_option("--out", plan.out, "directory of the results (default: runs/ablate, with the preset's name)")->check(empty_error);
  const TrainOptions train;
  for_each_field(train, [&](const OptionGroup& group, const std::string& name, const auto&, const std::string& help) {
    if (takes_part(group)) app.add_option(flag_of(name), line.options[name], help)->type_name("VALUE[,VALUE]")->group(group.title);
  });
}

std::string help_on_presets() {
  std::string text = "Presets, as the options that they stand for (--full: other variants and sizes):\n";
  text += fmt::format("  each       {}\n", fmt::join(options_of_preset("", false), " "));
  for (const Preset& preset : presets())
    text += fmt::format("  {}  {} {}{}{}\n", preset.name, preset.flag(), fmt::join(preset.few, ","), preset.sizes.empty() ? "" : " ",
                        preset.sizes);
  return text;
}

// False when --help was asked for.
bool parse(Words words, Plan& plan, CommandLine& line) {
  CLI::App app(
      "Trains variants of a small model side by side, each at its own best learning rate and with several seeds, and "
      "says which differences are more than another seed makes. Any option of train may have several values by "
      "commas: all combinations are trained, and compared with the first of each.",
      "ablate");
  app.footer(help_on_presets());
  add_options(app, plan, line);
  if (!parse_command_line(app, std::move(words))) return false;
  std::map<std::string, std::string> given;  // without those that were not
  for (const auto& [name, text] : line.options) {
    if (app.count(flag_of(name)) > 0) given[name] = text;
  }
  line.options = given;
  return true;
}

void check_show(const Words& show) {
  check<ValueError>(std::set<std::string>(show.begin(), show.end()).size() == show.size(), "--show: a picture is named twice");
  for (const std::string& picture : show) {
    const bool known = std::find(kPictures.begin(), kPictures.end(), picture) != kPictures.end();
    check<ValueError>(known, "--show: there is no picture '{}'; did you mean '{}'? The known ones: {}", picture,
                      nearest(picture, kPictures), fmt::join(kPictures, ", "));
  }
}

}  // namespace

bool read_plan(int argc, const char* const* argv, Plan& plan) {
  const Words given(argv + 1, argv + argc);
  Plan first;  // which preset is it?
  CommandLine line;
  if (!parse(given, first, line)) return false;
  Words words = options_of_preset(first.preset, first.full);
  words.insert(words.end(), given.begin(), given.end());
  line = {};
  parse(words, plan, line);
  plan.equal = kEqual.at(line.equal);
  plan.farthest = static_cast<int>(line.farthest);
  plan.threads = static_cast<int>(line.threads);
  plan.show = split(line.show);
  check_show(plan.show);
  const TrainOptions train;
  for_each_field(train, [&](const OptionGroup&, const std::string& name, const auto&, const char*) {
    const auto option = line.options.find(name);
    if (option == line.options.end()) return;
    plan.given.push_back({name, name == "data" ? Words{option->second} : split(option->second)});
  });
  if (plan.out.empty()) plan.out = plan.preset.empty() ? "runs/ablate" : "runs/ablate-" + plan.preset;
  return true;
}

}  // namespace gradus::examples
