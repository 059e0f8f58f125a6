#include "examples/support/command_line.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/edit_distance.h"
#include "examples/support/run_files.h"
#include "examples/support/train_config.h"
#include "examples/support/train_fields.h"

namespace gradus::examples {
namespace {

void add_options(CLI::App& app, TrainOptions& o) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // the last one given counts
  for_each_field(o, [&](const OptionGroup& group, const std::string& name, auto& value, const std::string& help) {
    const std::string flag = flag_of(name);
    const auto add = [&] {
      if constexpr (IsChoice<std::decay_t<decltype(value)>>::value) {
        const auto choose_it = [&value](const std::string& given) { choose(value, given); };
        return app.add_option_function<std::string>(flag, choose_it, help)->default_str(name_of(value));
      } else {
        if (name == "min_lr") return app.add_option(flag, o.min_lr, help);  // these two follow from the others,
        if (name == "warmup") return app.add_option(flag, o.warmup, help);  // unless they are given
        CLI::Option* option = app.add_option(flag, value, help);
        return IsOptional<std::decay_t<decltype(value)>>::value ? option : option->capture_default_str();
      }
    };
    add()->group(group.title);
  });
  app.add_option("--threads", o.threads, "0: all cores")->capture_default_str()->group("Run");
  app.add_option("--out", o.out, "directory for the run's files (default: runs/<name>)")->group("Run");
  app.add_option("--resume", o.resume, "directory of a run to go on with")->group("Run");
  app.add_flag("--quiet", o.quiet, "print the result line only")->group("Run");
  app.add_flag("--list", o.list, "print every variant as: family name formula-id")->group("Run");
}

// For an argument that is no option: the nearest one.
std::string unknown(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining();
  const auto option = std::find_if(left.begin(), left.end(), [](const std::string& text) { return text.rfind("-", 0) == 0; });
  if (option == left.end()) return fmt::format("'{}' belongs to no option; --help names them", left.front());
  std::vector<std::string> flags;
  for (const CLI::Option* known : app.get_options()) flags.push_back(known->get_name());
  const std::string name = option->substr(0, option->find('='));
  return fmt::format("unknown option '{}'; did you mean '{}'? --help names all", name, nearest(lower_case(name), flags));
}

// False when --help was asked for.
bool parse(CLI::App& app, int argc, const char* const* argv, TrainOptions& options) {
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    app.exit(help);
    return false;
  } catch (const CLI::ExtrasError&) {
    throw ValueError(unknown(app));
  } catch (const CLI::ParseError& error) {
    throw ValueError(fmt::format("{}; --help names the options", error.what()));
  }
  options.own_shape = app.count("--d-model") + app.count("--layers") + app.count("--heads") > 0;
  return true;
}

}  // namespace

bool read_command_line(int argc, const char* const* argv, const std::string& program, const std::string& description,
                       TrainOptions& options) {
  CLI::App app(description, program);
  if (!parse(app, argc, argv, options)) return false;
  if (!options.resume.empty()) {
    const RunFiles files = RunFiles::open(options.resume);
    TrainOptions run;
    from_json(files.read_config(), run, files.config().string());
    options = run;
    CLI::App again;
    parse(again, argc, argv, options);
    check_resumable(run, options);
  }
  if (options.list) return true;
  fill_defaults(options);
  check_options(options);
  return true;
}

}  // namespace gradus::examples
