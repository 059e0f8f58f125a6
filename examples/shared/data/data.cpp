#include "examples/shared/data/data.h"

#include <cstdlib>

#include "core/check.h"

namespace gradus::examples {

std::filesystem::path source_root() {
  const char* root = std::getenv("GRADUS_ROOT");
  return root != nullptr ? root : GRADUS_SOURCE_DIR;
}

std::filesystem::path data_file(const std::string& name) {
  std::filesystem::path path = source_root() / "examples/data" / name;
  check<IoError>(std::filesystem::is_regular_file(path), "data: there is no {}; it comes with the project's sources", path.string());
  return path;
}

}  // namespace gradus::examples
