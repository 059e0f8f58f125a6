// What the programs beside `bench` share: the options of `train`, and a clock.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "examples/shared/options/train_options.h"

namespace gradus::bench {

using Body = std::function<void(const examples::TrainOptions& options)>;

// Calls body with the options of the command line. The exit code: 2, with one line on stderr, for bad input.
int with_options(int argc, char** argv, const std::string& name, const std::string& description, const Body& body);

double milliseconds(const std::function<void()>& work);  // that it takes

}  // namespace gradus::bench
