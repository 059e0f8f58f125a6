// step_share: how much of a training step its matrix products take, and what the processors could do at most. All are measured in
// turn in one process, so that whatever else the machine does meets all. --steps: how many turns.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "examples/shared/data/median.h"
#include "examples/shared/training/trainer.h"
#include "tests/bench/peak.h"
#include "tests/bench/products.h"
#include "tests/bench/program.h"

using namespace gradus;
using namespace gradus::bench;

namespace {

void check_products_known(const examples::TrainOptions& o) {
  const nn::LanguageModelOptions &m = o.model, usual;
  const auto same = [](const auto& x, const auto& y) { return !x.varies() && x.of(0) == y.of(0); };
  const bool usual_blocks = same(m.placement, usual.placement) && same(m.position, usual.position) &&
                            same(m.feed_forward, usual.feed_forward) && m.kv_heads == 0 && m.head_dim == 0 && !m.qk_norm &&
                            same(m.window, usual.window) && same(m.value_embedding, usual.value_embedding) && m.per_layer_width == 0 &&
                            m.softcap == 0 && m.attention_dropout == 0;
  check<ValueError>(usual_blocks && o.dtype != "f64" && o.accumulate == 1,
                    "knows the products of pre-norm blocks with rope, swiglu and plain attention, in f32 or bf16 and with the batch "
                    "in one part; leave the other options as they are");
}

// The second of two in a row: it finds its own data in the caches and its own blocks free, as in a run of nothing else.
double settled(const std::function<void()>& work) {
  work();
  return milliseconds(work);
}

void measure(const examples::TrainOptions& given) {
  check_products_known(given);
  examples::TrainOptions options = given;
  const int64_t pairs = options.schedule.total;
  options.schedule.total = 2 * pairs;  // of each pair one step is not measured
  const examples::Corpus corpus = examples::load_corpus(options);
  examples::Trainer trainer(options, corpus);
  StepProducts products({options.model, options.batch});

  double peak = 0;
  std::vector<double> step_times, product_times, shares;
  for (int64_t i = 0; i < pairs; ++i) {
    step_times.push_back(settled([&] { trainer.step(); }));
    product_times.push_back(settled([&] { products.step(); }));
    shares.push_back(product_times.back() / step_times.back());
    peak = std::max(peak, peak_gflops());
  }
  fmt::print(
      "result steps={} median_ms_per_step={:.3f} least_ms_per_step={:.3f} products_ms={:.3f} "
      "least_products_ms={:.3f} "
      "share={:.4f} gflop={:.4f} peak_gflops={:.1f}\n",
      pairs, examples::median(step_times), *std::min_element(step_times.begin(), step_times.end()), examples::median(product_times),
      *std::min_element(product_times.begin(), product_times.end()), examples::median(shares), products.gflop(), peak);
}

}  // namespace

int main(int argc, char** argv) {
  return with_options(argc, argv, "step_share", "The share of a training step that its matrix products take.", measure);
}
