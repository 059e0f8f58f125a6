// Options that were accepted come back the same when config.json, or a command line, repeats them.
#pragma once

#include "examples/shared/options/train_options.h"

namespace gradus::fuzz {

void require_same_when_written(const examples::TrainOptions& options);

}  // namespace gradus::fuzz
