#include "examples/ch03_feed_forward/milestone.h"

#include <fmt/format.h>

#include "core/core.h"
#include "examples/ch03_feed_forward/product.h"
#include "examples/shared/data/median.h"
#include "examples/shared/report/values.h"
#include "nn/nn.h"

namespace gradus::examples {

void milestone(Chapter& chapter) {
  const Tensor t = linspace(-3, 3, 61);
  chapter.series("product.x", values_of(t));
  chapter.tell("A product of two numbers, learned from −1 to 1, asked from −3 to 3:");
  for (const Learner& learner : learners()) {
    std::vector<double> inside, outside, curve;
    int64_t parameters = 0;
    for (std::uint64_t seed = chapter.seed(); seed < chapter.seed() + 3; ++seed) {
      manual_seed(seed);
      Generator generator(seed + 1);
      const nn::LayerPtr layer = learner.make();
      learn_product(*layer, 1000, generator);
      inside.push_back(error_within(*layer, 1, generator));
      outside.push_back(error_within(*layer, 3, generator));
      parameters = layer->parameter_count();
      curve = values_of(answer(*layer, stack({t, t}, 1)));
    }
    chapter.number("product." + learner.id, {median(inside), median(outside)});
    chapter.number("product.parameters." + learner.id, static_cast<double>(parameters));
    chapter.series("product.answers." + learner.id, curve);
    chapter.tell(fmt::format("  {:13} {:3} parameters: error {:>9} inside, {:>9} beyond", learner.name, parameters,
                             shown(median(inside), 2), shown(median(outside), 2)));
  }
  const double silu = set_by_hand(nn::act::silu), sigmoid = set_by_hand(nn::act::sigmoid);
  chapter.number("product.set.silu", silu);
  chapter.number("product.set.gelu", set_by_hand(nn::act::gelu));
  chapter.number("product.set.relu", set_by_hand(nn::act::relu));
  chapter.number("product.set.sigmoid", sigmoid);
}

}  // namespace gradus::examples
