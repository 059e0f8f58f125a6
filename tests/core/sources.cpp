#include "tests/core/sources.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/support/fixture.h"

namespace gradus::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = source_root();

}  // namespace

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(kRoot / path).rdbuf();
  return text.str();
}

Sources sources(const std::vector<std::string>& folders, const Names& endings) {
  Sources result;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string path = fs::relative(entry.path(), kRoot).generic_string();
      if (endings.count(entry.path().extension().string()) != 0) result.emplace(path, text_of(path));
    }
  }
  return result;
}

std::vector<std::string> found(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::ECMAScript | std::regex::multiline);
  std::vector<std::string> result;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    result.push_back((*match)[1]);
  }
  return result;
}

bool has(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript | std::regex::multiline));
}

namespace {

// The text with blanks for comments, what is quoted, and directives; its lines stay where they are.
std::string code_of(const std::string& text) {
  const std::regex apart(R"(//[^\n]*|R"\w*-?\([^]*?\)-?\w*"|"(?:\\.|[^"\\\n])*"|\d'\d|'(?:\\.|[^'\\\n])'|\n#[^\n]*)");
  std::string code;
  auto end = text.begin();
  for (std::sregex_iterator match(text.begin(), text.end(), apart), last; match != last; ++match) {
    code.append(end, text.begin() + match->position());
    for (const char c : match->str()) code += c == '\n' ? '\n' : ' ';
    end = text.begin() + match->position() + match->length();
  }
  return code.append(end, text.end());
}

}  // namespace

std::vector<FunctionBody> functions(const std::string& text) {
  const std::string code = code_of(text);
  static const std::regex type("\\b(?:class|struct|enum|union)\\b");
  struct Block {
    bool declares, is_function;  // does it hold declarations, as a namespace or a class?
    int64_t first;
  };
  std::vector<Block> open;
  std::vector<FunctionBody> result;
  int64_t line = 1;
  std::size_t head = 0;  // where what stands before a brace begins
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '\n') ++line;
    if (code[i] == '{') {
      const std::string before = code.substr(head, i - head);
      const bool declared = open.empty() || open.back().declares, calls = before.find('(') != std::string::npos;
      const bool declares = before.find("namespace") != std::string::npos || (std::regex_search(before, type) && !calls);
      open.push_back({declares, declared && !declares && calls, line});
    } else if (code[i] == '}') {
      if (open.back().is_function) result.push_back({open.back().first, line - open.back().first + 1});
      open.pop_back();
    }
    if (code[i] == '{' || code[i] == '}' || code[i] == ';') head = i + 1;
  }
  return result;
}

Sources naming(const Sources& files, const std::string& word) {
  Sources result;
  for (const auto& [path, text] : files) {
    if (text.find(word) != std::string::npos) result.emplace(path, text);
  }
  return result;
}

std::string files_with(const Sources& files, const std::string& pattern) {
  std::string result;
  for (const auto& [path, text] : files) result += has(text, pattern) ? path + "\n" : "";
  return result;
}

}  // namespace gradus::test
