#include "nn/model/language_model.h"

#include "core/tape/grad_mode.h"
#include "nn/block/sphere.h"
#include "nn/call_scope.h"
#include "nn/init.h"

namespace gradus::nn {
namespace {

// ValueError unless every block has read as many ids as the cache says.
void check_cache(const GenerationCache& past) {
  const bool holds_layers = !past.layers.empty();
  check<ValueError>(holds_layers || past.length == 0, "the cache is of length {}, but holds no layers", past.length);
  for (std::size_t i = 0; i < past.layers.size(); ++i) {
    check<ValueError>(past.layers[i].length() == past.length, "the cache is of length {}, but its layer {} of {}", past.length, i,
                      past.layers[i].length());
  }
}

}  // namespace

LanguageModel::LanguageModel(const LanguageModelOptions& o)
    : options_(checked(o, StackKind::decoder)),
      embedding_(o.vocabulary, o.d_model),
      dropout_(o.embedding_dropout),
      position_(make_position(o, StackKind::decoder)),
      stack_(stack_options(options_, {.layers = o.layers}), position_) {
  if (o.embedding_scale == 0) options_.embedding_scale = position_.first->embedding_scale(o.d_model);
  if (!o.tie_weights) head_.emplace(o.d_model, o.vocabulary, LinearOptions{.bias = false, .role = Role::head});
  if (o.classes > 0) classes_.emplace(o.classes, o.d_model);
  if (o.per_layer_width > 0) per_layer_.emplace(o.vocabulary, o.layers, o.per_layer_width, o.d_model, options_.norm.of(0));
  if (stack_.block(stack_.size() - 1).placement().extras().sphere) logit_gain_ = full({o.vocabulary}, 1 / root_of_width());
  initialize();
}

// The embedding and the blocks start as options().init says, positions by a rule of their own, and an own head N(0, 0.02²),
// so that the first scores are nearly alike. Those of a tied head have the variance of the embedding's rows.
void LanguageModel::initialize() {
  options_.init.make({})(embedding_.weight, Role::table);
  stack_.initialize();
  if (head_) init_normal(head_->weight, 0.02);
  own_step({});
}

void LanguageModel::own_step(const SumOverRanks&) {
  if (!logit_gain_.defined()) return;
  to_unit_rows(embedding_.named_parameters());
  if (head_) to_unit_rows(head_->named_parameters());
}

Tensor LanguageModel::embed(const Tensor& ids, GenerationCache* past) {
  const CallScope call(*this);
  check_defined({{"ids", ids}}, "forward");
  check<ShapeError>(ids.rank() == 2, "expected ids [B, T], got {}", ids.shape());
  const int64_t before = past != nullptr ? past->length : 0, count = ids.size(1);
  if (past != nullptr && !past->layers.empty() && past->layers[0].length() > 0) {
    const int64_t batch = past->layers[0].keys.size(0);
    check<ShapeError>(ids.size(0) == batch, "ids have shape {}, but the cache is of batch {}", ids.shape(), batch);
  }
  check<ValueError>(before + count <= options_.context, "{} ids, but the context is {}; give fewer, or build it with a larger context",
                    before + count, options_.context);
  Tensor x = embedding_(ids);
  if (options_.embedding_scale != 1) x = x * options_.embedding_scale;
  const Tensor positions = arange(count) + static_cast<double>(before);
  return dropout_(past != nullptr ? position_.first->on_next_embedding(x, positions, past->position)
                                  : position_.first->on_embedding(x, positions));
}

// #region model-softcap
// #region model-tying
Tensor LanguageModel::logits(const Tensor& x) {
  const CallScope call(*this);
  Tensor z = head_ ? (*head_)(x) : linear(x, embedding_.weight);
  if (logit_gain_.defined()) z = z * (root_of_width() * logit_gain_);
  return options_.logit_softcap > 0 ? softcap(z, options_.logit_softcap) : z;
}
// #endregion model-tying
// #endregion model-softcap

// #region model-lm
Tensor LanguageModel::operator()(const Tensor& ids, const Tensor& condition) {
  const CallScope call(*this);
  const Tensor x = embed(ids);
  return logits(stack_(x, {.condition = condition, .ids = ids, .per_layer = per_layer(ids, x)}));
}
// #endregion model-lm

Stack& LanguageModel::stack() {
  check_still_here();
  return stack_;
}

Tensor LanguageModel::condition(const Tensor& classes) {
  const CallScope call(*this);
  check<ValueError>(classes_.has_value(), "the model has no classes; set the option `classes`");
  return (*classes_)(classes);
}

Tensor LanguageModel::operator()(const Tensor& ids, GenerationCache& past) {
  const CallScope call(*this);
  check_cache(past);
  GenerationCache grown = past;  // handles: a call that fails leaves `past` as it was
  const Tensor x = embed(ids, &grown);
  const Tensor y = logits(stack_(x, {.caches = &grown.layers, .condition = past.condition, .ids = ids, .per_layer = per_layer(ids, x)}));
  grown.length += ids.size(1);
  past = std::move(grown);
  return y;
}

void LanguageModel::members(Members& m) {
  m.child("embedding", embedding_);
  m.child("dropout", dropout_);
  if (position_.shared()) m.child("position", *position_.first);
  stack_.members(m);
  if (head_) m.child("head", *head_);
  m.parameter("logit_gain", logit_gain_, Role::gain);
  if (classes_) m.child("classes", *classes_);
  if (per_layer_) m.child("per_layer", *per_layer_);
}

std::string LanguageModel::describe() const {
  return fmt::format("LanguageModel({} ids, context {}, d_model {}, {})", options_.vocabulary, options_.context, options_.d_model,
                     head_ ? "own head" : "tied head");
}

std::vector<int64_t> sample(LanguageModel& model, std::vector<int64_t> ids, const SampleOptions& options, Generator& generator) {
  check<ValueError>(!ids.empty(), "sample: needs at least one id to continue");
  check_options(options);
  const NoGrad off;
  const Evaluating mode(model);
  GenerationCache past;
  if (options.class_id) past.condition = model.condition(from_vector(std::vector<int64_t>{*options.class_id}, {1}));
  for (int64_t i = 0; i < options.count; ++i) {
    const auto total = static_cast<int64_t>(ids.size());
    if (total > model.options().context) past = {.condition = past.condition};  // all ids stand one place earlier: read anew
    const int64_t unread = std::min(total, model.options().context) - past.length;
    const Tensor next = from_vector(std::vector<int64_t>(ids.end() - unread, ids.end()), {1, unread});
    const Tensor last = select(select(model(next, past), 0, 0), 0, -1);  // [vocabulary]
    ids.push_back(draw(last, options, generator));
  }
  return ids;
}

}  // namespace gradus::nn
