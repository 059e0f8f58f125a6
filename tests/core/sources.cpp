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

bool has(const std::string& text, const std::string& pattern) { return !found(text, "(" + pattern + ")").empty(); }

std::string files_with(const Sources& files, const std::string& pattern) {
  std::string result;
  for (const auto& [path, text] : files) result += has(text, pattern) ? path + "\n" : "";
  return result;
}

}  // namespace gradus::test
