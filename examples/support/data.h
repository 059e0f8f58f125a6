// The data that comes with the examples: examples/data/.
#pragma once

#include <filesystem>
#include <string>

namespace gradus::examples {

// The file of this name in the clone that the program was started in, or else built from. IoError if it is not there.
std::filesystem::path data_file(const std::string& name);

}  // namespace gradus::examples
