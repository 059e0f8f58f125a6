#include "examples/ch13_ranks/by_mpi.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "examples/shared/report/words.h"

namespace gradus::examples {

std::vector<double> numbers_by_mpi(const std::string& what, int ranks, std::uint64_t seed) {
  const std::string self = quoted_for_shell(std::filesystem::read_symlink("/proc/self/exe").string());
  std::string text;
  if (FILE* const pipe = popen(fmt::format("{} {} {} {} 2>/dev/null", self, what, ranks, seed).c_str(), "r")) {
    for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    pclose(pipe);
  }
  std::istringstream words(text);
  std::vector<double> numbers;
  for (double number; words >> number;) numbers.push_back(number);
  return numbers;
}

}  // namespace gradus::examples
