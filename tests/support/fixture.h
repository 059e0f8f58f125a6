// Fixtures written by the scripts of tests/fixtures: what PyTorch makes of the same formulas.
#pragma once

#include <string>

#include "core/inspect/gradcheck.h"
#include "core/io/safetensors.h"

namespace gradus::test {

const std::string& source_root();  // the folder that the tests were built from

io::SafeTensors read_fixture(const std::string& file);  // from tests/fixtures

// Compares f with the row `name` of the file: its output, and all gradients along the row's cotangent; in f64,
// and in f32 to 1e-5; by the fast path and under FormulaOnly. Returns "" or what is wrong.
std::string against_pytorch(const std::string& name, const TensorFunction& f, const std::string& file = "nn.safetensors");

}  // namespace gradus::test
