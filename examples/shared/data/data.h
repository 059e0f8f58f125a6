// The data that comes with the examples: examples/data/.
#pragma once

#include <filesystem>
#include <string>

namespace gradus::examples {

// The clone that the program was started in by ./examples/run, or else built from.
std::filesystem::path source_root();

// The file of this name in its examples/data/. IoError if it is not there.
std::filesystem::path data_file(const std::string& name);

}  // namespace gradus::examples
