#include "examples/ch08_placement/thousand.h"

#include <fmt/format.h>

#include "examples/ch08_placement/training.h"
#include "examples/shared/study/deep_stack.h"

namespace gradus::examples {

void thousand(Chapter& chapter) {
  const StackChoice narrow{.placement = "deepnorm", .depth = 1000, .d_model = 16, .context = 8, .batch = 2, .heads = 2};
  for (const char* placement : {"deepnorm", "pre", "post"}) {
    StackChoice choice = narrow;
    choice.placement = placement;
    const Profile p = at_the_start(choice, chapter.seed(), 1);
    chapter.number(fmt::format("thousand.{}", placement), {p.variance.back(), p.gradient[0], p.parameter_gradient[1]});
  }
  const std::vector<double> losses = overfit(narrow, chapter.seed(), chapter.full() ? 60 : 12);
  const double ratio = at_the_start(narrow, chapter.seed(), 1).gradient[0];
  const bool works = ratio > 0.5 && ratio < 2 && losses.back() < losses[0] - 0.1;
  chapter.number("thousand.losses", losses);
  chapter.tell(fmt::format("1000 blocks of DeepNorm: gradient bottom/top {:.2f}; {} steps on one batch:\n  {:.2f} → {:.2f} nats", ratio,
                           losses.size() - 1, losses[0], losses.back()));
  chapter.claim("deepnorm-1000-layers", "DeepNorm trains a Transformer of a thousand layers.",
                works ? Verdict::undecided : Verdict::refuted,
                fmt::format("1000 blocks of width 16: the gradient at the bottom is {} times that at the top; {} steps on one batch of 16 "
                            "bytes "
                            "take the loss from {} to {} nats. One seed. Rule: not seen unless the gradient is within a factor of 2 and "
                            "the loss falls by 0.1; to see a thousand "
                            "blocks trained to the end takes days.",
                            shown(ratio), losses.size() - 1, shown(losses[0]), shown(losses.back())));
}

}  // namespace gradus::examples
