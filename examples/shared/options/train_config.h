// The options of a training run as config.json holds them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "examples/shared/options/train_options.h"

namespace gradus::examples {

// What decides a run's result: all but out, resume, quiet, list and threads.
nlohmann::ordered_json to_json(const TrainOptions& options);
// A missing key leaves its option. ValueError naming `file` and the key for an unknown one, or a value of the wrong type.
void from_json(const nlohmann::json& json, TrainOptions& options, const std::string& file);

// ValueError naming the option unless `wanted` has every option that a resumed run keeps (OptionGroup::fixed) as `run` has it,
// and an average of the weights if `run` has one, and only then.
void check_resumable(const TrainOptions& run, const TrainOptions& wanted);

// The options that a resumed run keeps, as JSON. A checkpoint holds them, since config.json may be edited.
std::string fixed_options(const TrainOptions& options);
// ValueError naming `file` and the options that are not as in that text, or that it alone knows; what an older text does not
// tell may be anything.
// IoError for a text that is none of those.
void check_fixed_options(const TrainOptions& options, const std::string& text, const std::string& file);

}  // namespace gradus::examples
