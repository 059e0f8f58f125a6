// The options of a training run on the command line.
#pragma once

#include <string>

#include "examples/shared/options/train_options.h"

namespace gradus::examples {

// Reads a program's command line into `options`, over the configuration of the run to resume if it names one; fills in what
// follows from the rest, and checks all. False when --help was asked for, and printed. ValueError for bad input: an unknown
// option is told with the nearest one.
bool read_command_line(int argc, const char* const* argv, const std::string& program, const std::string& description,
                       TrainOptions& options);

// One option that decides a run's result, by its name in config.json ("d_model"), from its text on the command line. Nothing
// is checked but this value: ValueError naming the flag.
void set_option(TrainOptions& options, const std::string& name, const std::string& text);

}  // namespace gradus::examples
