#include "examples/ch10_optimisation/wrong_line.h"

#include "examples/ch10_optimisation/banana.h"
#include "examples/shared/mistakes/recipes.h"

namespace gradus::examples {
namespace {

Band rates(const Recipe& recipe) {
  Band line;
  for (std::int64_t t = 0; t <= 1000; t += 5) {
    line.x.push_back(static_cast<double>(t));
    line.y.push_back(recipe.schedule(kLongWarmup, t));
  }
  return line;
}

}  // namespace

void one_wrong_line(Chapter& chapter, const std::string& bug, int steps) {
  const Recipe right = right_recipe(), wrong = published(wrong_recipes(), bug);
  if (bug.starts_with("schedule/")) {
    chapter.series("rates.step", rates(right).x);
    chapter.series("rates.right", rates(right).y);
    chapter.series("rates.wrong", rates(wrong).y);
    return;
  }
  if (bug.starts_with("clip/")) return;  // the table of clipped gradients has it
  const auto walked = [&](const Recipe& recipe) {
    return walk([&](const Tensor& p) { return recipe.adam(p, {.lr = 0.05, .eps = 0.01, .decay = 0.1}); }, steps);
  };
  const Walk good = walked(right), bad = walked(wrong);
  chapter.number("banana.right", good.losses.back());
  chapter.number("banana.wrong", bad.losses.back());
  chapter.series("walks.right", good.path);
  chapter.series("walks.wrong", bad.path);
}

}  // namespace gradus::examples
