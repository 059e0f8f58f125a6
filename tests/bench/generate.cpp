// generate: tokens a second of a model that continues a single one, with what it keeps of those it has read and without; and how
// many times a second all its weights can be read from memory, which no cache of keys and values spares.
// --sample-chars: how many tokens, --steps: how many times.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/core.h"
#include "examples/shared/data/median.h"
#include "nn/nn.h"
#include "tests/bench/program.h"

using namespace gradus;
using namespace gradus::bench;

namespace {

// Every token so far through the model again for the next: what nn::sample spares.
std::vector<int64_t> sample_anew(nn::LanguageModel& model, std::vector<int64_t> ids, const nn::SampleOptions& options,
                                 Generator& generator) {
  const NoGrad off;
  for (int64_t i = 0; i < options.count; ++i) {
    const auto length = static_cast<int64_t>(ids.size());
    const Tensor logits = model(from_vector(ids, {1, length}));
    ids.push_back(nn::draw(select(select(logits, 0, 0), 0, -1), options, generator));
  }
  return ids;
}

template <typename Sample>
double tokens_per_second(Sample sample, nn::LanguageModel& model, nn::SampleOptions options, int64_t times) {
  std::vector<double> taken;
  for (int64_t i = 0; i < times; ++i) {
    Generator generator(static_cast<std::uint64_t>(i));
    taken.push_back(milliseconds([&] { sample(model, {0}, options, generator); }));
  }
  return 1000 * static_cast<double>(options.count) / examples::median(taken);
}

// Bytes a second in which a product of one row reads a matrix from memory, the best of many times.
double read_bandwidth() {
  constexpr int64_t width = 1 << 13;  // 256 MiB, more than most caches
  const Tensor row = ones({1, width}), matrix = ones({width, width});
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i) least = std::min(least, milliseconds([&] { matmul(row, matrix, {.transpose_b = true}); }));
  return 1000 * 4 * static_cast<double>(matrix.numel()) / least;
}

void measure(const examples::TrainOptions& options) {
  const int64_t tokens = options.sample_chars, times = options.schedule.total;
  check<ValueError>(tokens > 0 && tokens < options.model.context, "--sample-chars: one token and {} more do not fit into a context of {}",
                    tokens, options.model.context);
  manual_seed(options.seed);
  nn::LanguageModel model(options.model);
  model.eval();
  nn::SampleOptions sampling = options.sampling;
  sampling.count = tokens;
  const double kept = tokens_per_second(nn::sample, model, sampling, times);
  const double anew = tokens_per_second(sample_anew, model, sampling, times);
  int64_t weights = 0;
  for (const Tensor& parameter : model.parameters()) weights += parameter.numel();
  fmt::print("result tokens={} times={} tokens_per_s={:.1f} tokens_per_s_anew={:.1f} reads_per_s={:.1f}\n", tokens, times, kept, anew,
             read_bandwidth() / (4 * static_cast<double>(weights)));
}

}  // namespace

int main(int argc, char** argv) { return with_options(argc, argv, "generate", "How many tokens a second a model generates.", measure); }
