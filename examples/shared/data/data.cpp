#include "examples/shared/data/data.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "core/check.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {

std::filesystem::path source_root() {
  const char* root = std::getenv("GRADUS_ROOT");
  return root != nullptr ? root : GRADUS_SOURCE_DIR;
}

std::string source_commit() {
  const std::string root = quoted_for_shell(source_root().string());
  const std::string command = "git -C " + root + " describe --always --dirty=+ --exclude='*' 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> git(::popen(command.c_str(), "r"), ::pclose);
  std::array<char, 64> line{};
  if (git == nullptr || std::fgets(line.data(), line.size(), git.get()) == nullptr) return "unknown";
  const std::string commit = line.data();
  return commit.substr(0, commit.find('\n'));
}

std::filesystem::path data_file(const std::string& name) {
  std::filesystem::path path = source_root() / "examples/data" / name;
  check<IoError>(std::filesystem::is_regular_file(path), "data: there is no {}; it comes with the project's sources",
                 path.string());
  return path;
}

}  // namespace gradus::examples
