// widgets: what the widgets of the book show, as JSON, a line for each line of the input: "softmax?c=88".
//   ./examples/run widgets 'softmax?c=88&dtype=f16'
#include <fmt/format.h>

#include <iostream>
#include <string>

#include "examples/widgets/widgets.h"

using namespace gradus::widgets;

int main(int argc, char** argv) {
  std::vector<Widget> all = lab();
  all.insert(all.end(), models().begin(), models().end());
  const auto reply = [&](const std::string& asked) { fmt::print("{}\n", answer(all, asked)); };
  for (int i = 1; i < argc; ++i) reply(argv[i]);
  if (argc > 1) return 0;
  for (std::string asked; std::getline(std::cin, asked);) reply(asked);
}
