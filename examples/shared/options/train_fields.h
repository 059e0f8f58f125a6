// Every option that decides a run's result, once: the command line, config.json and --help are made of this list.
#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "examples/shared/options/train_options.h"

namespace gradus::examples {

// A part of --help. What a checkpoint's contents depend on stays as it was when a run is resumed.
struct OptionGroup {
  const char* title;
  bool fixed = false;
};

// Calls field(group, name, value, help) for each option; `name` as in config.json, where the flag has - for _.
template <typename Options, typename Field> void for_each_field(Options& o, const Field& field) {
  constexpr OptionGroup data{"Text"}, model{"Model", true}, attention{"Attention and positions", true};
  field(data, "data", o.data, "text to learn; the last tenth is for validation (default: some of Shakespeare's plays)");
  field(data, "batch", o.batch, "windows of text a step");
  field(data, "accumulate", o.accumulate, "micro-batches: parts of a batch, one after the other, to save memory, or on several ranks");

  field(model, "context", o.model.context, "bytes a window");
  field(model, "d_model", o.model.d_model, "width of the residual stream");
  field(model, "layers", o.model.layers, "Transformer blocks");
  field(model, "d_ff", o.model.d_ff,
        "inner width of the feed-forward layer; 0: 4 d-model, or with a gate 8/3 of it, up to a multiple of 64");
  field(model, "vocabulary", o.model.vocabulary, "ids of the model; bytes need 256");
  field(model, "norm", o.model.norm,
        "norm (--list names them); one for all layers, or a pattern: rms:3,layer is three of rms, one of layer, …");
  field(model, "norm_eps", o.model.norm_eps, "ε of the norms (default: the norm's own)");
  field(model, "one_plus_gain", o.model.one_plus_gain, "norm rms multiplies by 1 + γ, γ from 0 (true or false)");
  field(model, "init", o.model.init, "how the embedding and the blocks' matrices start; DeepNorm has its own rule for blocks (--list)");
  field(model, "placement", o.model.placement, "where the norms stand (--list)");
  field(model, "feed_forward", o.model.feed_forward, "feed-forward layer (--list)");
  field(model, "activation", o.model.activation, "of a feed-forward layer without a gate (--list; default, and \"\": its own)");
  field(model, "experts", o.model.experts.count, "of feed-forward layer moe: how many there are, each of width d-ff");
  field(model, "experts_per_token", o.model.experts.per_token, "… how many of them a byte goes through");
  field(model, "shared_experts", o.model.experts.shared, "… how many more, through which every byte goes");
  field(model, "expert_latent", o.model.experts.latent, "… width of the space in which they work; 0: d-model");
  field(model, "router", o.model.experts.router, "… how they are chosen and weighed (--list)");
  field(model, "expert_scale", o.model.experts.scale, "… what their weights are multiplied by");
  field(model, "balance_loss", o.model.experts.balance_loss, "… coefficient of the loss that balances their load; 0: none");
  field(model, "balance_bias", o.model.experts.balance_bias, "… by how much a bias moves to balance their load, each step; 0: no biases");
  field(model, "capacity", o.model.experts.capacity, "… how many times the mean load one takes in training, which drops the rest; 0: all");
  field(model, "swish_beta", o.model.swish_beta, "β of swiglu, and where that of swiglu-beta starts (default: 1)");
  field(model, "bias", o.model.bias, "biases in attention and feed-forward layer (true or false)");
  field(model, "per_layer_width", o.model.per_layer_width,
        "width of a vector for each byte and layer, which the layer reads through a gate; 0: none");
  field(model, "embedding_scale", o.model.embedding_scale,
        "what the embedding is multiplied by; 0: √d-model with sinusoidal positions, else 1");
  field(model, "tie_weights", o.model.tie_weights, "the output projection is the embedding (true or false)");
  field(model, "dtype", o.dtype, "f32, f64, or bf16: f32 whose products round their operands to bf16");
  field(model, "logit_softcap", o.model.logit_softcap, "limit of the scores of the next byte; 0: none");

  field(attention, "heads", o.model.heads, "attention heads; must divide d-model, unless head-dim is given");
  field(attention, "kv_heads", o.model.kv_heads, "heads of keys and values; must divide heads; 0: as many");
  field(attention, "head_dim", o.model.head_dim, "width of a head; 0: d-model / heads");
  field(attention, "qk_norm", o.model.qk_norm, "norm of queries and keys (--list; default, and \"\": none)");
  field(attention, "attention_scale", o.model.attention_scale, "of the scores q · k; 0: 1/√(head width), or 1 with qk-norm cosine");
  field(attention, "softcap", o.model.softcap, "limit of attention's scores; 0: none");
  field(attention, "sink", o.model.sink, "s of one more term e^s in attention's softmax (default: no such term)");
  field(attention, "train_sink", o.model.train_sink, "a sink for each head, trained from that s (true or false)");
  field(attention, "value_residual", o.model.value_residual, "later layers mix the first one's values into theirs (true or false)");
  field(attention, "value_embedding", o.model.value_embedding,
        "a layer adds a gated vector of the byte itself to its values (true or false); false,true is a pattern");
  field(attention, "residual_scores", o.model.residual_scores, "each layer adds the scores of the one below to its own (true or false)");
  field(attention, "window", o.model.window,
        "bytes that each byte sees, itself included; 0: all before it; 512:5,0 is a pattern over the layers");
  field(attention, "position", o.model.position, "position encoding (--list); rope:3,none is a pattern");
  field(attention, "rope_theta", o.model.rope_theta, "θ of the rotary encodings (default: 10000); 10000:5,1000000 is a pattern");
  field(attention, "rope_factor", o.model.rope_factor,
        "of rope-interpolation, rope-ntk, rope-bands, yarn and yarn-half: how many times as long (default: 2)");
  field(attention, "share_position", o.model.share_position,
        "one position encoding for all layers, or one each (true or false; default: as its paper has it)");
  field(attention, "temperature_growth", o.model.temperature_growth,
        "β of the factor 1 + β log(1 + ⌊(p + 1) / L⌋) of a query at position p; 0:3,0.1 is a pattern");
  field(attention, "temperature_length", o.model.temperature_length, "L of that");
  field(attention, "shared_kv_layers", o.model.shared_kv_layers,
        "the last layers, which take keys and values of the last one before them with their window and position");

  constexpr OptionGroup optimizer{"Optimizer"}, rate{"Learning rate"}, regular{"Regularisation"};
  field({"Optimizer", true}, "optimizer", o.optimizer, "optimizer (--list)");
  field({"Optimizer", true}, "amsgrad", o.constants.amsgrad, "adam and adamw divide by the largest v so far (true or false)");
  field(optimizer, "beta1", o.constants.beta1, "β₁ (default: the optimizer's own)");
  field(optimizer, "beta2", o.constants.beta2, "β₂ (default: the optimizer's own; Adam and AdamW: 0.95)");
  field(optimizer, "eps", o.constants.eps, "ε (default: the optimizer's own)");
  field(optimizer, "momentum", o.constants.momentum, "μ (default: the optimizer's own)");
  field(optimizer, "clip", o.clip, "largest gradient norm; 0: no limit");
  field(optimizer, "clip_value", o.clip_value, "largest value of a gradient, after that; 0: no limit");

  field(rate, "steps", o.schedule.total, "optimizer steps");
  field(rate, "lr", o.schedule.max_lr, "highest learning rate, after the warm-up (adadelta, whose steps are relative, wants about 1)");
  field(rate, "min_lr", o.schedule.min_lr, "learning rate at the end (default: a tenth of the highest)");
  field(rate, "warmup", o.schedule.warmup, "steps of linear warm-up (default: a tenth of the steps, at most 100)");
  field(rate, "schedule", o.schedule_name, "how the learning rate changes (--list)");
  field(rate, "cycles", o.schedule.cycles, "of cosine-restarts");
  field(rate, "cycle_growth", o.schedule.cycle_growth, "how many times as long as the one before each of them is");
  field(rate, "decay_share", o.schedule.decay_share, "of wsd: share of the steps in which the rate falls");
  field(rate, "power", o.schedule.power, "of polynomial");
  field(rate, "decay_factor", o.schedule.decay_factor, "of exponential and step: what the rate is multiplied by …");
  field(rate, "decay_every", o.schedule.decay_every, "… in this many steps");
  field(rate, "rise_share", o.schedule.rise_share, "of one-cycle, in place of the warm-up: share of the steps in which the rate rises");
  field(rate, "start_divisor", o.schedule.start_divisor, "of one-cycle: how many times the start's rate the highest is");
  field(rate, "end_divisor", o.schedule.end_divisor, "of one-cycle, in place of min-lr: how many times the end's rate the start's is");

  field(regular, "weight_decay", o.weight_decay,
        "decay of matrices: adamw, lamb, lion, muon and adafactor shrink the weight by it, the others add it to the gradient");
  field(regular, "decay_embeddings", o.decay_embeddings, "does the embedding decay, too? (true or false)");
  field(regular, "dropout", o.model.dropout, "share of each sublayer's result zeroed in training");
  field(regular, "stochastic_depth", o.model.stochastic_depth,
        "probability with which, for each sample, the last block drops a sublayer's whole result");
  field(regular, "stochastic_depth_grows", o.model.stochastic_depth_grows,
        "earlier blocks drop less, in proportion to their place; or all the same (true or false)");
  field(regular, "embedding_dropout", o.model.embedding_dropout, "… of the embedding");
  field(regular, "attention_dropout", o.model.attention_dropout, "… of the attention's probabilities");
  field(regular, "z_loss", o.z_loss, "coefficient of (log Z)² in the loss");
  field(regular, "label_smoothing", o.label_smoothing, "share of each target spread over all bytes");
  field(regular, "ema", o.ema, "share of the past in an average of the weights, which validation and sample use; 0: none");

  constexpr OptionGroup sample{"Sample"};
  field(sample, "sample_chars", o.sample_chars, "length of the sample at the end");
  field(sample, "prompt", o.prompt, "text that the sample continues (default: a line break)");
  field(sample, "temperature", o.sampling.temperature, "the higher, the more varied");
  field(sample, "top_k", o.sampling.top_k, "sample from the k likeliest bytes; 0: from all");
  field(sample, "top_p", o.sampling.top_p, "sample from the likeliest bytes that reach this probability together");
  field({"Run", true}, "seed", o.seed, "of weights, batches, dropout and sample");
  field({"Run"}, "eval_every", o.eval_every, "steps between validations and checkpoints");
}

template <typename T> struct IsOptional : std::false_type {};
template <typename T> struct IsOptional<std::optional<T>> : std::true_type {};

// A variant is its name on the command line and in config.json; "" is none, where there may be none.
template <typename T> struct IsChoice : std::false_type {};
template <auto& family> struct IsChoice<Choice<family>> : std::true_type {};
template <typename T> struct IsChoice<std::optional<T>> : IsChoice<T> {};

template <typename T> struct IsChoice<PerLayer<T>> : IsChoice<T> {};

// A pattern over the layers is "512:5,0" on the command line, and the list of its layers in config.json.
template <typename T> struct IsPerLayer : std::false_type {};
template <typename T> struct IsPerLayer<PerLayer<T>> : std::true_type {};

template <auto& family> std::string name_of(const Choice<family>& choice) { return choice.name; }
template <auto& family> std::string name_of(const std::optional<Choice<family>>& choice) { return choice ? choice->name : ""; }

template <auto& family> void choose(Choice<family>& choice, const std::string& name) { choice = name; }
template <auto& family> void choose(std::optional<Choice<family>>& choice, const std::string& name) {
  if (name.empty()) {
    choice.reset();
  } else {
    choice = Choice<family>(name);
  }
}
template <auto& family> void choose(PerLayer<Choice<family>>& choices, const std::string& name) { choices = name; }

}  // namespace gradus::examples
