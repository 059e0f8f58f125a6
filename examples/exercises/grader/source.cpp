#include "examples/exercises/grader/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gradus::exercises {
namespace {

constexpr std::size_t kLines = 12;

std::string keep_the_heads(const Exercise& exercise) {
  std::vector<std::string> names;
  for (const Stage& stage : exercise.stages) names.push_back(stage.function);
  return fmt::format(
      "{} must be there with the parameters and the type of the stub. (reset {} puts the stub back, and yours is not lost.)\n",
      fmt::join(names, " and "), exercise.id);
}

bool is_error(const std::string& line) {
  return line.find(": error: ") != std::string::npos || line.find(": fatal error: ") != std::string::npos;
}

// "compilation terminated", of GCC; "1 warning and 1 error generated.", of clang.
bool is_end(const std::string& line) {
  return line.find("compilation terminated") != std::string::npos || line.find(" error generated.") != std::string::npos;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string name_in_code(const Exercise& exercise) {
  const std::string file = file_of(exercise);
  const std::size_t from = file.find('_') + 1;
  return file.substr(from, file.rfind('.') - from);
}

std::string driver(const Exercise& exercise, const std::string& file) {
  std::string functions;
  for (const Stage& stage : exercise.stages) functions += (functions.empty() ? "::" : ", ::") + stage.function;
  return fmt::format(
      "#include \"{0}\"\n#include \"examples/exercises/set/functions.h\"\n"
      "extern \"C\" const gradus::exercises::Functions* gradus_functions() {{\n"
      "  static const gradus::exercises::Functions functions = gradus::exercises::set::{1}({2});\n  return &functions;\n}}\n",
      file, name_in_code(exercise), functions);
}

std::string first_error(const Exercise& exercise, const std::string& output, const std::string& file) {
  std::vector<std::string> kept;
  const std::string name = file + ":", shown = file.substr(file.rfind('/') + 1) + ":";
  bool begun = false, of_file = false;
  for (std::string line : lines_of(output)) {
    if (kept.size() == kLines) break;
    const bool here = line.rfind(name, 0) == 0;
    if (here) line = shown + line.substr(name.size());
    if (is_end(line)) break;
    if (!begun && is_error(line)) {
      if (line.find("/driver.cpp:") != std::string::npos) return keep_the_heads(exercise);
      begun = true;
      of_file = here;
      kept.push_back(line);
    } else if (begun && (of_file || here)) {  // of an error in a header only the places in the file
      kept.push_back(line);
    }
  }
  return begun ? fmt::format("{}\n", fmt::join(kept, "\n")) : "The compiler could not do its work:\n" + output.substr(0, 1000);
}

std::string first_warning(const std::string& output, const std::string& file) {
  const std::string name = file + ":", shown = file.substr(file.rfind('/') + 1) + ":";
  std::string text;
  int left = 3;  // the sentence, the line of code, and what points into it
  for (const std::string& line : lines_of(output)) {
    const bool begins = text.empty() && line.rfind(name, 0) == 0 && line.find(": warning: ") != std::string::npos;
    if (!begins && text.empty()) continue;
    text += (begins ? shown + line.substr(name.size()) : line) + "\n";
    if (--left == 0) break;
  }
  return text;
}

bool is_of_mistakes(const std::string& line) {
  const std::size_t at = std::min(line.find_first_not_of(' '), line.size());
  return line.compare(at, 2, "//") == 0 && at + 2 < line.size() && std::string("!~|?=@+").find(line[at + 2]) != std::string::npos;
}

std::string cut(const std::string& answer) {
  std::string stub;
  bool inside = false;
  for (const std::string& line : lines_of(answer)) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string text = indent == std::string::npos ? "" : line.substr(indent);
    if (text == "// end") {
      inside = false;
      continue;
    }
    if (inside || is_of_mistakes(line)) continue;
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
