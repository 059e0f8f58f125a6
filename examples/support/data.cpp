#include "examples/support/data.h"

#include <cstdlib>

#include "core/tensor/check.h"

namespace gradus::examples {

std::filesystem::path data_file(const std::string& name) {
  const char* root = std::getenv("GRADUS_ROOT");  // of ./examples/run
  std::filesystem::path path = std::filesystem::path(root != nullptr ? root : GRADUS_SOURCE_DIR) / "examples/data" / name;
  check<IoError>(std::filesystem::is_regular_file(path), "data: there is no {}; it comes with the project's sources",
                 path.string());
  return path;
}

}  // namespace gradus::examples
