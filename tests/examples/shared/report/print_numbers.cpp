// print_numbers: the numbers of a chapter's JSON, one per line: "cliff.f32 88.72". For the chapters' tests.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  const auto all = nlohmann::json::parse(file, nullptr, false);
  if (!all.is_object() || !all.contains("numbers")) return 1;
  const auto flat = all["numbers"].flatten();  // items() does not keep it alive
  for (const auto& [pointer, value] : flat.items()) {
    std::string path = pointer.substr(1), text = value.is_string() ? value.get<std::string>() : value.dump();
    std::replace(path.begin(), path.end(), '/', '.');
    std::replace(text.begin(), text.end(), '\n', ' ');  // what a model writes may have several lines
    fmt::print("{} {}\n", path, text);
  }
  return 0;
}
