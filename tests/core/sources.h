// The project's own sources as text, for the tests that read them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gradus::test {

using Names = std::set<std::string>;
using Sources = std::map<std::string, std::string>;  // path from the root, with "/", to text

std::string text_of(const std::string& path);  // path from the root; "" if there is no such file

// The sources below these folders.
Sources sources(const std::vector<std::string>& folders, const Names& endings = {".h", ".cpp"});

// What a pattern's first group matches, everywhere in a text; ^ and $ are the ends of a line.
std::vector<std::string> found(const std::string& text, const std::string& pattern);
bool has(const std::string& text, const std::string& pattern);

// The functions that a C++ text defines: the line on which the body begins, and how many lines it has.
struct FunctionBody { int64_t first, lines; };
std::vector<FunctionBody> functions(const std::string& text);

// Those that have this word somewhere: a pattern is slow to look for.
Sources naming(const Sources& files, const std::string& word);

// The files that have the pattern, one per line.
std::string files_with(const Sources& files, const std::string& pattern);

}  // namespace gradus::test
