#include "examples/exercises/grader/compile.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>

#include "core/check.h"
#include "examples/shared/data/data.h"
#include "examples/shared/report/words.h"

namespace gradus::exercises {
namespace {

namespace fs = std::filesystem;
using examples::quoted_for_shell;

constexpr int kLines = 12;

std::string stem_of(const Exercise& exercise) { return fs::path(file_of(exercise)).stem().string().substr(3); }

// What makes the student's functions one of Functions.
std::string driver(const Exercise& exercise, const fs::path& file) {
  std::string functions;
  for (const Stage& stage : exercise.stages) functions += (functions.empty() ? "::" : ", ::") + stage.function;
  return fmt::format(
      "#include \"{0}\"\n#include \"examples/exercises/set/{1}.h\"\n"
      "extern \"C\" const gradus::exercises::Functions* gradus_functions() {{\n"
      "  static const gradus::exercises::Functions functions = gradus::exercises::set::{1}({2});\n  return &functions;\n}}\n",
      file.string(), stem_of(exercise), functions);
}

// The first error and where it is, in the student's own file if it is there.
std::string first_error(const std::string& output, const fs::path& file, const Exercise& exercise) {
  std::istringstream lines(output);
  std::string line, kept;
  int count = 0;
  const std::string name = file.string() + ":";
  bool begun = false;
  while (std::getline(lines, line) && count < kLines) {
    const bool of_file = line.rfind(name, 0) == 0;
    if (!begun && !(of_file && line.find(": error:") != std::string::npos)) continue;
    begun = true;
    if (of_file) line = file.filename().string() + ":" + line.substr(name.size());
    if (line.find("compilation terminated") != std::string::npos) break;
    kept += line + "\n";
    ++count;
  }
  if (begun) return kept;
  std::string heads;
  for (const Stage& stage : exercise.stages) heads += (heads.empty() ? "" : ", ") + stage.function;
  return fmt::format("The functions keep their heads as they were given: {}. (exercises reset {} writes the file anew.)\n", heads,
                     exercise.id);
}

}  // namespace

Compiled compile(const Exercise& exercise, const fs::path& file) {
  const fs::path folder = examples::source_root() / "build/exercises" / std::to_string(std::hash<std::string>{}(fs::absolute(file).string()));
  std::error_code error;
  fs::create_directories(folder, error);
  check<IoError>(!error, "{} cannot be made: {}", folder.string(), error.message());
  const fs::path source = folder / "driver.cpp", library = folder / fmt::format("answer-{}.so", ::getpid());
  {
    std::ofstream out(source);
    out << driver(exercise, fs::absolute(file));
    out.close();
    check<IoError>(out.good(), "{} cannot be written", source.string());
  }
  const std::string command =
      fmt::format("{} -std=c++20 -O0 -g1 -fPIC -shared -Wall -Wextra -fmax-errors=1 -fdiagnostics-color=never {} -I{} -o {} {} 2>&1",
                  GRADUS_CXX, GRADUS_CXX_FLAGS, quoted_for_shell(examples::source_root().string()), quoted_for_shell(library.string()),
                  quoted_for_shell(source.string()));
  const std::unique_ptr<FILE, int (*)(FILE*)> compiler(::popen(command.c_str(), "r"), ::pclose);
  check<IoError>(compiler != nullptr, "the compiler {} could not be started", GRADUS_CXX);
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), compiler.get())) output.append(buffer.data(), n);
  if (fs::exists(library)) return {library, ""};
  return {{}, first_error(output, fs::absolute(file), exercise)};
}

fs::path answer_of(const Exercise& exercise) {
  return examples::source_root() / "examples/exercises/answers" / file_of(exercise);
}

std::string cut(const std::string& answer) {
  std::istringstream lines(answer);
  std::string line, stub;
  bool inside = false;
  while (std::getline(lines, line)) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string text = indent == std::string::npos ? "" : line.substr(indent);
    if (text == "// end") {
      inside = false;
      continue;
    }
    if (inside) continue;
    if (text.rfind("// blank", 0) == 0) {
      inside = true;
      const std::string task = text.size() > 10 ? text.substr(10) : "";
      if (!task.empty()) stub += std::string(indent, ' ') + "// " + task + "\n";
      stub += std::string(indent, ' ') + "todo();\n";
      continue;
    }
    stub += line + "\n";
  }
  return stub;
}

}  // namespace gradus::exercises
