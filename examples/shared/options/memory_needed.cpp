#include "examples/shared/options/memory_needed.h"

#include <algorithm>
#include <cmath>

#include "examples/shared/report/words.h"
#include "optim/optimizer_table.h"

namespace gradus::examples {
namespace {

// Numbers that the optimizer remembers for each weight of a matrix.
double remembered(const TrainOptions& o) {
  constexpr int64_t side = 64;  // wide enough that what it keeps of a row or a column alone is next to nothing
  const Tensor matrix = zeros({side, side}, dtype_from_name(o.dtype)).set_requires_grad();
  const auto optimizer = optim::optimizers().find(o.optimizer).value(optim::ParameterGroups{{{{"one", matrix}}}}, o.constants);
  double count = 0;
  for (const auto& [name, tensor, role] : optimizer->state()) count += static_cast<double>(tensor.numel());
  return count / (side * side);
}

// The numbers of the model's matrices and tables, from `shared`, its heads of keys over those of queries.
double least_parameters(const nn::LanguageModelOptions& m, double shared) {
  const auto width = static_cast<double>(m.d_model), inner = static_cast<double>(m.d_ff), layers = static_cast<double>(m.layers);
  const double attention = (2 + 2 * shared) * width * width, feed_forward = 2 * width * inner;
  const double tables = (m.tie_weights ? 1 : 2) * static_cast<double>(m.vocabulary) + static_cast<double>(m.classes);
  return layers * (attention + feed_forward) + tables * width;
}

struct Size {
  const char* flag;
  int64_t& (*of)(TrainOptions&);
};

constexpr Size kSizes[] = {{"--batch", [](TrainOptions& o) -> int64_t& { return o.batch; }},
                           {"--context", [](TrainOptions& o) -> int64_t& { return o.model.context; }},
                           {"--d-model", [](TrainOptions& o) -> int64_t& { return o.model.d_model; }},
                           {"--d-ff", [](TrainOptions& o) -> int64_t& { return o.model.d_ff; }},
                           {"--layers", [](TrainOptions& o) -> int64_t& { return o.model.layers; }},
                           {"--vocabulary", [](TrainOptions& o) -> int64_t& { return o.model.vocabulary; }}};

// "12,345", and "0.25" where no whole number tells much.
std::string in_gigabytes(double bytes) {
  const double gigabytes = bytes / 1e9;
  return gigabytes < 10 ? fmt::format("{:.2g}", gigabytes) : with_commas(std::llround(gigabytes));
}

}  // namespace

double least_memory(const TrainOptions& o) {
  const nn::LanguageModelOptions& m = o.model;
  const auto width = static_cast<double>(m.d_model), inner = static_cast<double>(m.d_ff), layers = static_cast<double>(m.layers),
             ids = static_cast<double>(m.vocabulary);
  const double shared = m.kv_heads > 0 ? static_cast<double>(m.kv_heads) / static_cast<double>(m.heads) : 1;
  const double kept = layers * ((4 + 2 * shared) * width + inner) + ids;  // of a byte: what the blocks' maps read, and its scores
  const double bytes_read = static_cast<double>(o.batch / o.accumulate) * static_cast<double>(m.context);
  const double numbers = least_parameters(m, shared) * (2 + remembered(o) + (o.ema > 0 ? 1 : 0)) + bytes_read * kept;
  return numbers * static_cast<double>(size_of(dtype_from_name(o.dtype)));
}

void check_memory(const TrainOptions& options, double available) {
  const double needed = least_memory(options);
  if (needed <= available) return;
  const Size* largest = nullptr;  // the one that, as small as usual, would save most
  double least = needed;
  for (const Size& size : kSizes) {
    TrainOptions smaller = options, usual;
    size.of(smaller) = std::min(size.of(smaller), std::max<int64_t>(size.of(usual), 1));
    const double without = least_memory(smaller);
    if (largest != nullptr && without >= least) continue;
    largest = &size;
    least = without;
  }
  TrainOptions given = options;
  throw ValueError(fmt::format("{} {}: training takes at least {} GB of memory, and there are {}", largest->flag, largest->of(given),
                               in_gigabytes(needed), in_gigabytes(available)));
}

}  // namespace gradus::examples
