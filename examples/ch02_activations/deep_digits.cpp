#include "examples/ch02_activations/deep_digits.h"

#include <fmt/format.h>

#include "examples/shared/study/deep_net.h"

namespace gradus::examples {

void deep_digits(Chapter& chapter, const std::vector<DeepActivation>& activations) {
  const Digits digits = read_digits();
  const int seeds = chapter.full() ? 10 : 3;
  Plot plot{.title = "Held-out digits that are right against the depth",
            .alt = "Line plot. x: hidden layers, 1 to 20; y: held-out digits that are right, 0 to 100 %. ",
            .x = {"hidden layers", false, 0, 20},
            .y = {"held-out digits right (%)", false, 0, 100},
            .lines = {}};
  chapter.tell("digits, 200 steps: held-out ones that are right with 1, 5, 10 and 20 hidden layers");
  for (const auto& [name, f, gain, colour] : activations) {
    Line line{.name = name, .x = {}, .y = {}, .colour = colour};
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
    chapter.tell(fmt::format("  {:<8}{}", name, row));
    plot.alt += fmt::format("{}: {:.0f} with one layer, {:.0f} with 20; ", name, line.y.front(), line.y.back());
    plot.lines.push_back(line);
  }
  chapter.tell();
  chapter.report.figure(
      {"Where little gradient arrives, little is learnt: sigmoid guesses from five layers on.", draw(plot),
       fmt::format("The same kind of network on digits of 8 × 8 pixels (Alpaydin and Kaynak, 1998), width 64, after 200 steps "
                   "of SGD with momentum; median and range of {} seeds. A guess is right in 10 %. SiLU fails at 20 layers: "
                   "ReLU's gain √2 is not its own.",
                   seeds)});
}

}  // namespace gradus::examples
