#include "examples/ch07_attention/cache.h"

#include <fmt/format.h>

#include "core/core.h"
#include "core/inspect/compare.h"
#include "nn/nn.h"

namespace gradus::examples {
namespace {

// In one pass over `ids` positions that see `keys`, each weight of a matrix meets each position once, the head is the
// embedding; and q · k and P v are `keys` products of d_model numbers.
double multiplications(nn::LanguageModel& model, int64_t ids, int64_t keys) {
  double weights = 0;
  for (const NamedTensor& p : model.named_parameters()) weights += p.tensor.rank() == 2 ? static_cast<double>(p.tensor.numel()) : 0;
  const auto& o = model.options();
  return static_cast<double>(ids) * (weights + static_cast<double>(2 * o.layers * keys * o.d_model));
}

}  // namespace

void cache_against_none(Chapter& chapter) {
  constexpr int64_t length = 64;
  nn::LanguageModel model({.context = length, .d_model = 64, .layers = 2, .heads = 4});
  const NoGrad off;
  const Tensor ids = randint(0, 256, {1, length}), whole = model(ids);
  nn::GenerationCache past;
  Tensors steps;
  double with = 0, without = 0;
  for (int64_t t = 0; t < length; ++t) {
    steps.push_back(model(slice(ids, 1, t, t + 1), past));
    with += multiplications(model, 1, past.length);
    without += multiplications(model, t + 1, t + 1);
  }
  const double difference = max_difference(cat(steps, 1), whole);
  chapter.number("cache.difference", difference);
  chapter.number("cache.multiplications", with);
  chapter.number("cache.multiplications_without", without);
  chapter.tell(fmt::format("KV cache, {} ids one by one: the same scores within {},\n  {:.0f} times fewer multiplications", length,
                           shown(difference, 2), without / with));
}

}  // namespace gradus::examples
