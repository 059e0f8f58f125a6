// LanguageModel: from ids to the scores of every next id, by embedding → blocks → final norm → projection to the vocabulary.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/model/sampling.h"
#include "nn/model/transformer_options.h"

namespace gradus::nn {

using LanguageModelOptions = TransformerOptions;

// A model's memory of the ids it has read, so that the next ids cost no more than themselves.
struct GenerationCache {
  std::vector<KeyValueCache> layers = {};  // one for each block
  Tensor position = {};                    // the state of PositionEncoding::on_next_embedding
  int64_t length = 0;                      // the number of ids read so far
  Tensor condition = {};                   // [B, d_model], to be set before the first ids; undefined for none
};

// A causal Transformer over ids.
class LanguageModel : public Layer {
 public:
  // ValueError as of checked(), and for options that a part refuses.
  explicit LanguageModel(const LanguageModelOptions& options);

  // ids [B, T] (i64) to logits [B, T, vocabulary] of the id that follows each. ValueError if T > context.
  // `condition` [B, d_model] (ShapeError) is for a placement that takes one: say condition(classes).
  Tensor operator()(const Tensor& ids, const Tensor& condition = {});
  // The trained condition of each class: classes [B] (i64) to [B, d_model]. ValueError for a model without classes.
  Tensor condition(const Tensor& classes);

  // The logits of the ids after those that `past` has seen, which then has seen them too: the same as for the whole sequence at
  // once. Throws, leaving `past` as it was: ShapeError for ids of another batch, ValueError for more ids than the context, and
  // for the cache of a model of another depth.
  Tensor operator()(const Tensor& ids, GenerationCache& past);

  // Its three parts: logits(stack()(embed(ids))). Layers that read the ids are given them, or per_layer(), in StackInputs.
  Tensor embed(const Tensor& ids) { return embed(ids, nullptr); }  // [B, T] to [B, T, d_model], with positions and dropout
  Stack& stack();
  // The vectors of all layers for these ids and x = embed(ids), [B, T, layers, per_layer_width]; undefined without.
  Tensor per_layer(const Tensor& ids, const Tensor& x) { return per_layer_ ? (*per_layer_)(ids, x) : Tensor(); }
  Tensor logits(const Tensor& x);  // [B, T, d_model] to [B, T, vocabulary]

  void own_step(const SumOverRanks& sum) override;
  void members(Members& m) override;
  std::string describe() const override;
  const LanguageModelOptions& options() const { return options_; }  // with defaults resolved

 private:
  Tensor forward(const Tensor& ids) override { return (*this)(ids); }
  void initialize();
  double root_of_width() const { return std::sqrt(static_cast<double>(options_.d_model)); }
  Tensor embed(const Tensor& ids, GenerationCache* past);

  LanguageModelOptions options_;
  Embedding embedding_;
  Dropout dropout_;
  StackPosition position_;
  Stack stack_;
  std::optional<Linear> head_;  // none when tied
  Parameter logit_gain_;        // s / √d_model of placement "sphere", [vocabulary], s from 1; else undefined
  std::optional<Embedding> classes_;
  std::optional<PerLayerTable> per_layer_;
};

// Continues `ids` by drawing from the model's distribution, one id after the other. The model's mode stays.
std::vector<int64_t> sample(LanguageModel& model, std::vector<int64_t> ids, const SampleOptions& options, Generator& generator);

}  // namespace gradus::nn
