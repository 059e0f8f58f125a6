#include "examples/exercises/grader/compile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <vector>

#include "core/check.h"
#include "core/io/file.h"
#include "examples/exercises/grader/source.h"
#include "examples/shared/data/data.h"
#include "examples/shared/report/words.h"

namespace gradus::exercises {
namespace {

namespace fs = std::filesystem;
using examples::quoted_for_shell;

constexpr std::size_t kMostSaid = 1 << 20;

// Where answers are compiled; what is an hour old there was left by a tutor that was killed. Where the project's folder is
// somebody else's, it is that of temporary files.
fs::path workshop() {
  const fs::path own = examples::source_root() / "build/exercises";
  std::error_code ignored;
  fs::create_directories(own, ignored);
  if (::access(own.c_str(), W_OK | X_OK) != 0) return fs::temp_directory_path();
  for (const fs::directory_entry& left : fs::directory_iterator(own, ignored)) {
    if (fs::last_write_time(left, ignored) < fs::file_time_type::clock::now() - std::chrono::hours(1)) fs::remove_all(left, ignored);
  }
  return own;
}

// A folder for one compilation.
std::shared_ptr<const fs::path> folder_for_one() {
  std::string name = (workshop() / "gradus-XXXXXX").string();
  const bool made = ::mkdtemp(name.data()) != nullptr;
  check<IoError>(made, "{}: this folder, in which an answer is compiled, cannot be made: {}", name, std::strerror(errno));
  const auto remove = [](const fs::path* folder) {
    std::error_code later;  // then it is removed in an hour
    fs::remove_all(*folder, later);
    delete folder;
  };
  return {new fs::path(name), remove};
}

// What a command says, which sh reads.
std::string said_by(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> running(::popen((command + " 2>&1 </dev/null").c_str(), "r"), ::pclose);
  check<IoError>(running != nullptr, "no command can be started: {}", std::strerror(errno));
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), running.get())) {
    if (output.size() < kMostSaid) output.append(buffer.data(), n);
  }
  return output;
}

// Functions of the system that no answer needs, by how their names begin in a library; "=": all of the name.
struct Unneeded { const char *begins, *why; };
constexpr const char* kProcess = "no other process is needed";
constexpr const char* kFile = "no file is needed: print to the terminal";
constexpr const char* kAround = "an answer does not need it";
constexpr Unneeded kUnneeded[] = {
    {"=fork", kProcess},
    {"=vfork", kProcess},
    {"=clone", kProcess},
    {"=system", kProcess},
    {"=popen", kProcess},
    {"posix_spawn", kProcess},
    {"exec", kProcess},
    {"=open", kFile},
    {"=open64", kFile},
    {"=openat", kFile},
    {"=openat64", kFile},
    {"=creat", kFile},
    {"=fopen", kFile},
    {"=fopen64", kFile},
    {"=freopen", kFile},
    {"=freopen64", kFile},
    {"=opendir", kFile},
    {"=readlink", kFile},
    {"=remove", kFile},
    {"=unlink", kFile},
    {"=rename", kFile},
    {"_ZNSt14basic_ifstream", kFile},
    {"_ZNSt14basic_ofstream", kFile},
    {"_ZNSt13basic_fstream", kFile},
    {"_ZNSt13basic_filebuf", kFile},
    {"_ZNSt10filesystem", kFile},
    {"=syscall", kAround},
    {"=dlopen", kAround},
    {"=dlsym", kAround},
    {"=ptrace", kAround},
    {"=mmap", kAround},
    {"=mmap64", kAround},
    {"=mprotect", kAround},
    {"=write", kAround},
    {"=dup", kAround},
    {"=dup2", kAround},
    {"=kill", kAround},
    {"=raise", kAround},
    {"=signal", kAround},
    {"=sigaction", kAround},
    {"=socket", kAround},
    {"=prctl", kAround},
    {"=setrlimit", kAround},
    {"=setrlimit64", kAround},
};

bool is_of(const std::string& symbol, const Unneeded& row) {
  return row.begins[0] == '=' ? symbol == row.begins + 1 : symbol.rfind(row.begins, 0) == 0;
}

// Why a library with the symbol of a line of nm, "fork@GLIBC_2.2.5 U", is not run; or "". (A main() is never called.)
std::string reason_against(const std::string& line) {
  std::istringstream words(line);
  std::string symbol, type;
  words >> symbol >> type;
  symbol = symbol.substr(0, symbol.find('@'));
  if (type != "U") return "";
  for (const Unneeded& row : kUnneeded) {
    if (!is_of(symbol, row)) continue;
    const bool stream = symbol.rfind("_ZNSt", 0) == 0;
    return fmt::format("It is not run, as it uses {}: {}.", stream ? "a file stream or std::filesystem" : symbol + "()", row.why);
  }
  return "";
}

std::string refusal(const fs::path& library) {
  std::istringstream lines(said_by("nm -DP " + quoted_for_shell(library.string())));
  for (std::string line; std::getline(lines, line);) {
    if (std::string reason = reason_against(line); !reason.empty()) return reason;
  }
  return "";
}

}  // namespace

Compiled compile(const Exercise& exercise, const fs::path& file) {
  const std::string path = fs::absolute(file).string();
  check<ValueError>(path.find_first_of("\"\\\n") == std::string::npos, "{}: no compiler includes a file whose path has a \" or \\", path);
  const std::shared_ptr<const fs::path> folder = folder_for_one();
  const fs::path source = *folder / "driver.cpp", library = *folder / "answer.so";
  io::write_file(source.string(), driver(exercise, path));
  const std::string output =
      said_by(fmt::format("ulimit -t 60; ulimit -v 8000000; {} -std=c++20 -O1 -g1 -fPIC -shared -Wreturn-type -Wuninitialized "
                          "-Wmaybe-uninitialized -fmax-errors=1 "
                          "-fdiagnostics-color=never {} -I{} -o {} {}",  // without -O1 no compiler sees that a number is not set
                          GRADUS_CXX, GRADUS_CXX_FLAGS, quoted_for_shell(examples::source_root().string()),
                          quoted_for_shell(library.string()), quoted_for_shell(source.string())));
  if (!fs::exists(library)) return {{}, first_error(exercise, output, path), "", {}};
  return {library, "", refusal(library), folder, first_warning(output, path)};
}

fs::path answer_of(const Exercise& exercise) { return examples::source_root() / "examples/exercises/answers" / file_of(exercise); }

}  // namespace gradus::exercises
