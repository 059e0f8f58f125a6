#include "examples/ch02_activations/deep_digits.h"

#include <fmt/format.h>

#include "examples/shared/study/deep_net.h"

namespace gradus::examples {

void deep_digits(Chapter& chapter, const std::vector<DeepActivation>& activations) {
  const Digits digits = read_digits();
  const int seeds = chapter.full() ? 10 : 3;
  chapter.series("seeds.digits", seeds);
  chapter.tell("digits, 200 steps: held-out ones that are right with 1, 5, 10 and 20 hidden layers");
  for (const auto& [name, f, gain] : activations) {
    Band line;
    std::string row;
    for (const int layers : {1, 5, 10, 20}) {
      const auto right = right_after_training({f, gain, layers}, digits, chapter.seed(), seeds);
      line.x.push_back(layers);
      line.y.push_back(right[right.size() / 2]);
      line.low.push_back(right.front());
      line.high.push_back(right.back());
      row += fmt::format(" {:>3.0f} %", line.y.back());
    }
    chapter.number("digits." + name, line.y);
    chapter.series("digits." + name, line);
    chapter.tell(fmt::format("  {:<8}{}", name, row));
  }
  chapter.tell();
}

}  // namespace gradus::examples
