// What the stepper is asked for on its command line.
#pragma once

#include <map>
#include <string>

#include "core/tensor/dtype.h"

namespace gradus::examples {

struct StepOptions {
  std::string expression;                     // empty: a chapter's tape or a trace is to be read
  std::map<std::string, std::string> values;  // of its variables, as they were written
  std::string chapter;                        // "ch04": its numbers by hand
  std::string trace, html, json;              // files
  DType dtype = DType::f64;
  bool ascii = false, naive = false, create_graph = false, text = false;
};

// False when --help was asked for, and printed. ValueError for an unknown option, with the nearest; for a variable without a
// value, or with two.
bool read_step_options(int argc, const char* const* argv, StepOptions& options);

}  // namespace gradus::examples
