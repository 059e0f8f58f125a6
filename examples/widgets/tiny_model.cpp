#include "examples/widgets/tiny_model.h"

#include <algorithm>

#include "core/core.h"
#include "nn/block/norm_placement.h"
#include "nn/loss/cross_entropy.h"
#include "nn/position/rope.h"

namespace gradus::widgets {
namespace {

constexpr std::int64_t kBytes = 256, kWidth = 32, kHeads = 2, kHidden = 64, kBatch = 4;

SmallBlockOptions block_options(std::int64_t context) {
  const nn::PositionOptions places{.d_model = kWidth, .heads = kHeads, .head_dim = kWidth / kHeads, .max_length = TinyModel::kMostRead};
  return {.width = kWidth,
          .heads = kHeads,
          .hidden = kHidden,
          .window = context,
          .make_norm = [] { return std::make_unique<nn::RMSNorm>(kWidth); },
          .make_placement = [](const nn::PlacementOptions& o) { return std::make_unique<nn::PreNorm>(o); },
          .position = std::make_shared<nn::RoPE>(places)};
}

std::int64_t id(char byte) { return static_cast<unsigned char>(byte); }

// The model whose numbers come from this seed.
TinyModel model_from(std::uint64_t seed, std::int64_t context) {
  manual_seed(seed);
  return TinyModel(context);
}

}  // namespace

TinyModel::TinyModel(std::int64_t context) : table(kBytes, kWidth), block(block_options(context)), norm(kWidth) { to(DType::f64); }

Tensor TinyModel::stream(const Tensor& ids, nn::KeyValueCache* past) { return norm(block({table(ids)}, past).x); }

Tensor TinyModel::operator()(const Tensor& ids) { return nn::linear(stream(ids, nullptr), table.weight); }

Tensor TinyModel::next(std::string_view text, nn::KeyValueCache& past) {
  const NoGrad off;
  std::vector<std::int64_t> ids(text.size());
  std::transform(text.begin(), text.end(), ids.begin(), id);
  const Tensor read = stream(from_vector(ids, {1, static_cast<std::int64_t>(ids.size())}), &past);
  return select(nn::linear(select(read, 1, -1), table.weight), 0, 0);
}

void TinyModel::members(nn::Members& m) {
  m.child("table", table);
  m.child("block", block);
  m.child("norm", norm);
}

TinyTraining::TinyTraining(const TinyTrainingOptions& options)
    : options_(options),
      model_(model_from(options.seed, options.context)),
      optimizer_(model_.named_parameters(), {.lr = options.learning_rate, .beta2 = 0.95}),
      windows_(options.seed) {
  check<ValueError>(static_cast<std::int64_t>(options.text.size()) > options.context,
                    "the text has {} bytes; a context of {} needs at least {}", options.text.size(), options.context, options.context + 1);
  loss_ = loss_of_next_windows();
}

// The mean cross-entropy of four windows' next bytes; what it comes to is added to losses().
Tensor TinyTraining::loss_of_next_windows() {
  const std::int64_t length = options_.context + 1;
  std::vector<std::int64_t> ids;
  for (std::int64_t i = 0; i < kBatch; ++i) {
    const auto from = options_.text.begin() + windows_.below(static_cast<std::int64_t>(options_.text.size()) - length + 1);
    std::transform(from, from + length, std::back_inserter(ids), id);
  }
  const Tensor windows = from_vector(ids, {kBatch, length});
  const Tensor loss = nn::cross_entropy(model_(slice(windows, 1, 0, -1)), slice(windows, 1, 1));
  losses_.push_back(loss.item());
  return loss;
}

void TinyTraining::take_step() {
  loss_.backward();
  optimizer_.step();
  optimizer_.zero_grad();
  loss_ = loss_of_next_windows();
}

}  // namespace gradus::widgets
