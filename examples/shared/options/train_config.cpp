#include "examples/shared/options/train_config.h"

#include <algorithm>

#include "core/options/edit_distance.h"
#include "examples/shared/options/train_fields.h"
#include "examples/shared/report/read_json.h"

namespace gradus::examples {
namespace {

template <typename T> void write(nlohmann::ordered_json& json, const T& value) {
  if constexpr (IsPerLayer<T>::value) {
    if (!value.varies()) return write(json, value.of(0));
    json = nlohmann::ordered_json::array();
    for (int64_t layer = 0; layer < value.period(); ++layer) write(json.emplace_back(), value.of(layer));
  } else if constexpr (IsChoice<T>::value) {
    json = name_of(value);
  } else if constexpr (IsOptional<T>::value) {
    if (value) json = *value;  // else null
  } else {
    json = value;
  }
}

nlohmann::ordered_json written(const TrainOptions& options, bool only_fixed) {
  nlohmann::ordered_json json;
  for_each_field(options, [&](const OptionGroup& group, const char* name, const auto& value, const char*) {
    if (group.fixed || !only_fixed) write(json[name], value);
  });
  return json;
}

// Is it there as it is written? Not a fraction in a whole number, for example, or one that is out of range.
template <typename T> bool read(const nlohmann::json& json, T& value) {
  if constexpr (IsPerLayer<T>::value) {
    if (json.is_array() && json.empty()) return false;
    std::vector<typename T::Run> runs;
    for (const nlohmann::json& layer : json.is_array() ? json : nlohmann::json::array({json})) {
      runs.push_back({value.of(0)});
      if (!read(layer, runs.back().value)) return false;
    }
    value = T(std::move(runs));
  } else if constexpr (IsChoice<T>::value) {
    choose(value, json.get<std::string>());
  } else if constexpr (IsOptional<T>::value) {
    value.reset();
    return json.is_null() || read(json, value.emplace());
  } else {
    if (std::is_integral_v<T> && json.is_number_float()) return false;
    json.get_to(value);
    if constexpr (std::is_integral_v<T>) return json.dump() == fmt::format("{}", value);
  }
  return true;
}

void check_known(const nlohmann::json& json, const std::string& file) {
  std::vector<std::string> known;
  const TrainOptions options;
  for_each_field(options, [&](const OptionGroup&, const char* name, const auto&, const char*) { known.push_back(name); });
  for (const auto& [name, value] : json.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw ValueError(fmt::format("{}: unknown key \"{}\"; did you mean \"{}\"?", file, name, nearest(name, known)));
  }
}

}  // namespace

nlohmann::ordered_json to_json(const TrainOptions& options) { return written(options, false); }

void from_json(const nlohmann::json& json, TrainOptions& options, const std::string& file) {
  check_known(json, file);
  options.model.init = "gpt2";  // these two as every run had them before they could be chosen
  options.model.share_position = true;
  for_each_field(options, [&](const OptionGroup&, const char* name, auto& value, const char*) {
    if (!json.contains(name)) return;  // an older run keeps the default of what came later
    bool fits = false;
    try {
      fits = read(json.at(name), value);
    } catch (const nlohmann::json::type_error&) {
    }
    check<ValueError>(fits, "{}: \"{}\" is {}, which is of the wrong type", file, name, told(json.at(name)));
  });
}

void check_resumable(const TrainOptions& run, const TrainOptions& wanted) {
  const nlohmann::ordered_json before = to_json(run), now = to_json(wanted);
  for_each_field(run, [&](const OptionGroup& group, const char* name, const auto&, const char*) {
    check<ValueError>(!group.fixed || before.at(name) == now.at(name),
                      "{}: the run in {} has {}, and a run that is resumed keeps it; {} was given", flag_of(name), wanted.resume,
                      before.at(name).dump(), now.at(name).dump());
  });
  check<ValueError>((run.ema > 0) == (wanted.ema > 0), "--ema: the run in {} {}; {} was given", wanted.resume,
                    run.ema > 0 ? "has an average of its weights, and keeps it" : "has no average of its weights, and gets none later",
                    wanted.ema);
}

std::string fixed_options(const TrainOptions& options) { return written(options, true).dump(); }

void check_fixed_options(const TrainOptions& options, const std::string& text, const std::string& file) {
  const nlohmann::json then = read_json(text), now = to_json(options);
  check<IoError>(then.is_object(), "{}: not a training checkpoint: metadata 'options' is no JSON object", file);
  std::string others;
  for (const auto& [name, value] : then.items()) {
    const bool known = now.contains(name);
    if (known && now[name] == value) continue;
    others += fmt::format("{}{} {}, {}", others.empty() ? "" : "; ", name, told(value),
                          known ? "now " + now[name].dump() : "which is unknown here");
  }
  check<ValueError>(others.empty(), "{}: nothing was loaded: its run had other options: {}; was config.json changed?", file, others);
}

}  // namespace gradus::examples
