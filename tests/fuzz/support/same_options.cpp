#include "tests/fuzz/support/same_options.h"

#include <nlohmann/json.hpp>

#include "examples/shared/options/command_line.h"
#include "examples/shared/options/train_config.h"
#include "tests/fuzz/target.h"

namespace gradus::fuzz {

void require_same_when_written(const examples::TrainOptions& options) {
  const auto written = examples::to_json(options);
  examples::TrainOptions from_config, from_flags;
  examples::from_json(nlohmann::json::parse(written.dump()), from_config, "config.json");
  examples::check_options(from_config);
  require(examples::to_json(from_config) == written, "config.json keeps every option");
  for (const auto& [name, value] : written.items()) {
    if (value == "" || value.is_null()) continue;  // empty means "none", and none is the default
    examples::set_option(from_flags, name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  examples::fill_defaults(from_flags);
  require(examples::to_json(from_flags) == written, "flags say every option");
}

}  // namespace gradus::fuzz
