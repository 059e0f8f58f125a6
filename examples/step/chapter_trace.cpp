#include "examples/step/chapter_trace.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <regex>

#include "core/check.h"
#include "examples/shared/data/data.h"

namespace gradus::examples {
namespace {

namespace fs = std::filesystem;

// A file of a name that nobody else has, gone at the end.
class TemporaryFile {
 public:
  TemporaryFile() {
    const char* folder = std::getenv("TMPDIR");
    if (folder == nullptr || *folder == '\0') folder = "/tmp";
    path_ = std::string(folder) + "/gradus-tape-XXXXXX";
    const int file = ::mkstemp(path_.data());
    check<IoError>(file >= 0, "no file can be made in {}: {}; is TMPDIR right?", folder, std::strerror(errno));
    ::close(file);
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

bool succeeds(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  if (::posix_spawnp(&child, words[0], nullptr, nullptr, words.data(), environ) != 0) return false;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

inspect::Trace trace_of_chapter(const std::string& chapter) {
  check<ValueError>(std::regex_match(chapter, std::regex("ch[0-9]{2}")),
                    "--chapter: '{}' is none; a chapter is named by its number, as ch04 (./examples/run --list)", chapter);
  const fs::path examples = source_root() / "examples";
  const bool there = std::any_of(fs::directory_iterator(examples), fs::directory_iterator(),
                                 [&](const fs::path& program) { return program.filename().string().rfind(chapter + "_", 0) == 0; });
  check<ValueError>(there, "--chapter: there is no {}; ./examples/run --list names the chapters", chapter);
  const TemporaryFile file;
  check<Error>(succeeds({(examples / "run").string(), chapter, "--tape", file.path()}),
               "--chapter: {} gave no tape; ./examples/run {} --help tells whether it has one", chapter, chapter);
  return inspect::load_trace(file.path());
}

}  // namespace gradus::examples
