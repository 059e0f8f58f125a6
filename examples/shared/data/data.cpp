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
  const std::string git = "git -C " + quoted_for_shell(source_root().string());
  const std::string command = git + " describe --always --exclude='*' 2>/dev/null && { " + git +
                              " diff --quiet HEAD -- core nn optim examples CMakeLists.txt 2>/dev/null || echo +; }";
  const std::unique_ptr<FILE, int (*)(FILE*)> said(::popen(command.c_str(), "r"), ::pclose);
  std::string commit;
  std::array<char, 64> line{};
  while (said != nullptr && std::fgets(line.data(), line.size(), said.get()) != nullptr) {
    const std::string text = line.data();
    commit += text.substr(0, text.find('\n'));
  }
  return commit.empty() ? "unknown" : commit;
}

std::filesystem::path data_file(const std::string& name) {
  std::filesystem::path path = source_root() / "examples/data" / name;
  check<IoError>(std::filesystem::is_regular_file(path), "data: there is no {}; it comes with the project's sources", path.string());
  return path;
}

}  // namespace gradus::examples
