#include "examples/shared/options/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/options/edit_distance.h"
#include "examples/shared/options/train_config.h"
#include "examples/shared/options/train_fields.h"
#include "examples/shared/report/decimal.h"
#include "examples/shared/report/knob.h"
#include "examples/shared/training/run_files.h"
#include "nn/model/layouts.h"

namespace gradus::examples {
namespace {

// What --help and an error call the values of a type.
template <typename T> constexpr std::pair<const char*, const char*> kKind{"FLOAT", "a finite number"};
template <> constexpr std::pair<const char*, const char*> kKind<int64_t>{"INT", "a whole number"};
template <> constexpr std::pair<const char*, const char*> kKind<int>{"INT", "a whole number"};
template <> constexpr std::pair<const char*, const char*> kKind<std::uint64_t>{"UINT", "a whole number of at least 0"};
template <> constexpr std::pair<const char*, const char*> kKind<bool>{"BOOLEAN", "true or false"};

// All of the text counts, and as it is written: numbers are decimal, and neither wrap around nor round to infinity.
template <typename T> void read_number(const std::string& flag, const std::string& text, T& value) {
  using Limits = std::numeric_limits<T>;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = failure != std::errc::invalid_argument && end == text.data() + text.size();
  check<ValueError>(!is_number || failure == std::errc(), "{}: {} is out of range, which is from {} to {}", flag, text, Limits::min(),
                    Limits::max());
  check<ValueError>(is_number, "{}: '{}' is not {}", flag, text, kKind<T>.second);
}

template <> void read_number(const std::string& flag, const std::string& text, double& value) {
  errno = 0;
  const std::optional<double> number = decimal(text);
  check<ValueError>(number != 0.0 || errno != ERANGE, "{}: {} is nearer to 0 than any number here", flag, text);
  check<ValueError>(number.has_value(), "{}: '{}' is not {}", flag, text, kKind<double>.second);
  value = *number;
}

void read_bool(const std::string& flag, const std::string& text, bool& value) {
  const std::string word = lower_case(text);
  value = word == "true" || word == "yes" || word == "on" || word == "1";
  const bool is_false = word == "false" || word == "no" || word == "off" || word == "0";
  check<ValueError>(value || is_false, "{}: '{}' is not {}", flag, text, kKind<bool>.second);
}

// "512:5,0" as the values and the layers of its runs. A slash is as good as a comma, which in ablate stands between options' values.
std::vector<std::pair<std::string, int64_t>> runs_of(const std::string& flag, const std::string& text) {
  std::vector<std::pair<std::string, int64_t>> runs;
  for (std::size_t at = 0, end; at <= text.size(); at = end + 1) {
    end = std::min(text.find_first_of(",/", at), text.size());
    const std::string run = text.substr(at, end - at);
    const std::size_t colon = std::min(run.find(':'), run.size());
    runs.emplace_back(run.substr(0, colon), 1);
    if (colon < run.size()) read_number(flag, run.substr(colon + 1), runs.back().second);
  }
  return runs;
}

// An empty value is mostly that of a variable which a script forgot to set; it counts only where it means "none".
template <typename T> void read(const std::string& flag, const std::string& text, T& value) {
  constexpr bool optional_choice = IsChoice<T>::value && IsOptional<T>::value;
  check<ValueError>(!text.empty() || optional_choice, "{}: the value is empty", flag);
  if constexpr (IsPerLayer<T>::value) {
    std::vector<typename T::Run> runs;
    for (const auto& [one, layers] : runs_of(flag, text)) {
      runs.push_back({value.of(0), layers});
      read(flag, one, runs.back().value);
    }
    value = T(std::move(runs));
  } else if constexpr (IsChoice<T>::value) {
    choose(value, text);
  } else if constexpr (IsOptional<T>::value) {
    read(flag, text, value.emplace());
  } else if constexpr (std::is_same_v<T, bool>) {
    read_bool(flag, text, value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    read_number(flag, text, value);
  } else {
    value = text;
  }
}

// What --help says of the option's values: its default, or of which kind they are.
template <typename T> void describe(CLI::Option& option, const T& value) {
  if constexpr (IsPerLayer<T>::value) {
    describe(option, value.of(0));
  } else if constexpr (IsChoice<T>::value) {
    option.default_str(name_of(value));
  } else if constexpr (IsOptional<T>::value) {
    option.type_name(kKind<typename T::value_type>.first);
  } else {
    if constexpr (std::is_arithmetic_v<T>) option.type_name(kKind<T>.first);
    option.default_str(fmt::format("{}", value));
  }
}

template <typename T> CLI::Option* add_option(CLI::App& app, const std::string& flag, T& value, const std::string& help) {
  CLI::Option* option =
      app.add_option_function<std::string>(flag, [flag, &value](const std::string& text) { read(flag, text, value); }, help);
  describe(*option, value);
  return option;
}

void add_options(CLI::App& app, TrainOptions& o) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // the last one given counts
  for_each_field(o, [&](const OptionGroup& group, const std::string& name, auto& value, const std::string& help) {
    const auto add = [&] {
      if (name == "min_lr") return add_option(app, flag_of(name), o.min_lr, help);  // these two follow from the others,
      if (name == "warmup") return add_option(app, flag_of(name), o.warmup, help);  // unless they are given
      return add_option(app, flag_of(name), value, help);
    };
    add()->group(group.title);
  });
  add_option(app, "--threads", o.threads, "0: all cores")->group("Run");
  add_option(app, "--ranks", o.start.ranks, "processes, by Open MPI where it is installed, else threads, that share each batch")
      ->group("Ranks");
  add_option(app, "--hosts", o.start.hosts, "file of hosts, as mpirun takes it")->group("Ranks");
  app.add_flag("--rank-threads", o.start.threads, "ranks are threads, even where Open MPI is installed")->group("Ranks");
  add_option(app, "--reduce", o.all_reduce, "how gradients are summed: doubling, halving, tree, ring or mpi")->group("Ranks");
  add_option(app, "--link", o.link, "latency and bandwidth of a slow link, which is modelled: 1ms,100MB/s")->group("Ranks");
  add_option(app, "--patience", o.patience, "seconds for which a rank waits for another within a step")->group("Ranks");
  add_option(app, "--out", o.out, "directory for the run's files (default: runs/<name>)")->group("Run");
  add_option(app, "--resume", o.resume, "directory of a run to go on with")->group("Run");
  add_option(app, "--layout", o.layout,
             "a known model's choices (--list), and layers for one of each kind, but for what other options say: gemma3 …")
      ->group("Model");
  app.add_flag("--quiet", o.quiet, "print the result line only")->group("Run");
  app.add_flag("--list", o.list, "print every variant as: family name formula-id")->group("Run");
}

// False when --help was asked for.
bool parse(CLI::App& app, int argc, const char* const* argv, TrainOptions& options) {
  add_options(app, options);
  if (!parse_command_line(app, argc, argv)) return false;
  options.own_shape = app.count("--d-model") + app.count("--layers") + app.count("--heads") + app.count("--head-dim") > 0;
  options.own_text = app.count("--data") > 0;
  return true;
}

}  // namespace

bool read_command_line(int argc, const char* const* argv, const std::string& program, const std::string& description,
                       TrainOptions& options) {
  CLI::App app(description, program);
  if (!parse(app, argc, argv, options)) return false;
  if (!options.resume.empty()) {
    const RunFiles files = RunFiles::look_at(options.resume);
    TrainOptions run;
    from_json(files.read_config(), run, files.config().string());
    options = run;
    CLI::App again;
    parse(again, argc, argv, options);
    check_resumable(run, options);
  }
  if (!options.layout.empty() && options.resume.empty()) {
    nn::TransformerOptions& model = options.model;
    model = nn::layouts().find(options.layout).value(model);
    if (app.count("--layers") == 0) model.layers = std::max({model.layers, model.window.period(), model.position.period()});
    CLI::App again;
    parse(again, argc, argv, options);
  }
  if (options.list) return true;
  fill_defaults(options);
  check_options(options);
  return true;
}

void set_option(TrainOptions& o, const std::string& name, const std::string& text) {
  std::vector<std::string> names;
  bool found = false;
  for_each_field(o, [&](const OptionGroup&, const std::string& field, auto& value, const char*) {
    names.push_back(field);
    if (field != name) return;
    found = true;
    if (name == "min_lr") return read(flag_of(name), text, o.min_lr);
    if (name == "warmup") return read(flag_of(name), text, o.warmup);
    read(flag_of(name), text, value);
  });
  if (!found) throw ValueError(fmt::format("there is no option '{}'; did you mean '{}'?", name, nearest(name, names)));
}

}  // namespace gradus::examples
