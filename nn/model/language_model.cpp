#include "nn/model/language_model.h"

#include <cmath>

#include "core/autograd/grad_mode.h"
#include "nn/activation/softmax.h"
#include "nn/init.h"
#include "nn/norm/norms.h"

namespace gradus::nn {
namespace {

const LanguageModelOptions& checked(const LanguageModelOptions& o) {
  for (const auto& [name, value] : {std::pair{"vocabulary", o.vocabulary}, {"context", o.context}, {"d_model", o.d_model},
                                    {"layers", o.layers}, {"heads", o.heads}, {"d_ff", o.d_ff}}) {
    check<ValueError>(value > 0, "LanguageModel: {} must be positive, got {}", name, value);
  }
  check<ValueError>(o.d_model % o.heads == 0, "LanguageModel: {} heads do not divide d_model {}", o.heads, o.d_model);
  return o;
}

BlockOptions block_options(const LanguageModelOptions& o) {
  return {.attention = {.d_model = o.d_model, .heads = o.heads, .dropout = o.dropout},
          .feed_forward = {.d_model = o.d_model, .d_ff = o.d_ff, .dropout = o.dropout},
          .layers = o.layers,
          .norm = o.norm,
          .placement = o.placement,
          .feed_forward_name = o.feed_forward};
}

PositionOptions position_options(const LanguageModelOptions& o) {
  return {.d_model = o.d_model, .heads = o.heads, .head_dim = o.d_model / o.heads, .max_length = o.context};
}

}  // namespace

LanguageModel::LanguageModel(const LanguageModelOptions& o)
    : options_(checked(o)),
      embedding_(o.vocabulary, o.d_model),
      dropout_(o.dropout),
      position_(positions().find(o.position).make(position_options(o))) {
  for (int64_t layer = 0; layer < o.layers; ++layer) blocks_.emplace_back(block_options(o), position_.get());
  if (blocks_[0].placement().needs_final_norm()) final_norm_ = norms().find(o.norm).make({.width = o.d_model});
  if (!o.tie_weights) head_.emplace(o.d_model, o.vocabulary, LinearOptions{.bias = false});
  initialize();
}

// Matrices start N(0, 0.02²); those that write into the residual stream smaller by √(2 · layers), so that the stream's
// variance does not grow with depth (Radford et al., 2019).
void LanguageModel::initialize() {
  const double residual = 0.02 / std::sqrt(2.0 * static_cast<double>(options_.layers));
  for (auto& [path, parameter] : named_parameters()) {
    if (parameter.rank() != 2) continue;
    const bool writes_stream = path.find("out_proj") != std::string::npos || path.find("w2") != std::string::npos;
    init_normal(parameter, writes_stream ? residual : 0.02);
  }
}

// #region model-lm
Tensor LanguageModel::forward(const Tensor& ids) {
  check<ShapeError>(ids.rank() == 2, "LanguageModel: expected ids [B, T], got {}", ids.shape());
  check<ValueError>(ids.size(1) <= options_.context, "LanguageModel: {} ids, but the context is {}", ids.size(1),
                    options_.context);
  const Tensor places = arange(ids.size(1));
  Stream stream{dropout_(position_->on_embedding(embedding_(ids), places))};
  for (Block& block : blocks_) stream = block.forward(stream, {.self = {.places = places}});
  const Tensor x = blocks_.back().placement().finish(stream, final_norm_.get());
  return head_ ? (*head_)(x) : matmul(x, embedding_.weight, {.transpose_b = true});
}
// #endregion model-lm

void LanguageModel::members(Members& m) {
  m.child("embedding", embedding_);
  m.child("dropout", dropout_);
  m.child("position", *position_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) m.child(fmt::format("blocks.{}", i), blocks_[i]);
  if (final_norm_) m.child("final_norm", *final_norm_);
  if (head_) m.child("head", *head_);
}

std::string LanguageModel::name() const {
  return fmt::format("LanguageModel({} ids, context {}, d_model {}, {})", options_.vocabulary, options_.context,
                     options_.d_model, head_ ? "own head" : "tied head");
}

namespace {

// Eval mode for a while, however the scope is left.
struct Evaluating {
  explicit Evaluating(Module& the_module) : module(the_module), was_training(the_module.training()) { module.eval(); }
  ~Evaluating() { module.train(was_training); }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;
  Module& module;
  bool was_training;
};

}  // namespace

std::vector<int64_t> sample(LanguageModel& model, std::vector<int64_t> ids, const SampleOptions& options,
                            Generator& generator) {
  check<ValueError>(!ids.empty(), "sample: needs at least one id to continue");
  check<ValueError>(options.temperature > 0, "sample: the temperature must be positive, got {}", options.temperature);
  const NoGrad off;
  const Evaluating mode(model);
  for (int64_t i = 0; i < options.count; ++i) {
    const auto seen = std::min<int64_t>(static_cast<int64_t>(ids.size()), model.options().context);
    const Tensor window = from_vector(std::vector<int64_t>(ids.end() - seen, ids.end()), {1, seen});
    const Tensor last = select(select(model(window), 0, 0), 0, -1);  // [vocabulary]
    const std::vector<double> probability = to_vector(softmax(last / options.temperature));
    double left = generator.uniform();
    int64_t next = 0;
    for (; next + 1 < static_cast<int64_t>(probability.size()); ++next) {
      left -= probability[static_cast<std::size_t>(next)];
      if (left < 0) break;
    }
    ids.push_back(next);
  }
  return ids;
}

}  // namespace gradus::nn
