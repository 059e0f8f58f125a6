#include "examples/support/train_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "nn/model/compatibility.h"
#include "optim/optimizer_table.h"

namespace gradus::examples {

namespace {

// Every option that decides a run's result: its name in config.json, where the flag has - for _, and its help.
template <typename Options, typename Field> void for_each_field(Options& o, const Field& field) {
  field("data", o.data, "text to learn; the last tenth is for validation (default: this project's own sources)");
  field("steps", o.schedule.total, "optimizer steps");
  field("batch", o.batch, "windows of text a step");
  field("accumulate", o.accumulate, "parts of a batch, one after the other, to save memory");
  field("context", o.model.context, "bytes a window");
  field("d_model", o.model.d_model, "width of the residual stream");
  field("layers", o.model.layers, "Transformer blocks");
  field("heads", o.model.heads, "attention heads; must divide d-model");
  field("kv_heads", o.model.kv_heads, "heads of keys and values; must divide heads; 0: as many");
  field("d_ff", o.model.d_ff, "inner width of the feed-forward layer; 0: 4 d-model, or 8/3 of it with a gate");
  field("vocabulary", o.model.vocabulary, "ids of the model; bytes need 256");
  field("norm", o.model.norm, "norm; --list names the choices");
  field("placement", o.model.placement, "where the norms stand");
  field("position", o.model.position, "position encoding");
  field("feed_forward", o.model.feed_forward, "feed-forward layer");
  field("init", o.model.init, "how the embedding and the blocks' matrices start; DeepNorm has its own rule for blocks");
  field("share_position", o.model.share_position,
        "one position encoding for all layers, or one each (true or false; default: as its paper has it)");
  field("qk_norm", o.model.qk_norm, "norm of queries and keys (default: none)");
  field("window", o.model.window, "bytes that each byte sees, itself included; 0: all before it");
  field("softcap", o.model.softcap, "limit of attention's scores; 0: none");
  field("bias", o.model.bias, "biases in attention and feed-forward layer (true or false)");
  field("embedding_scale", o.model.embedding_scale,
        "what the embedding is multiplied by; 0: √d-model with sinusoidal positions, else 1");
  field("optimizer", o.optimizer, "optimizer");
  field("schedule", o.schedule_name, "how the learning rate changes");
  field("lr", o.schedule.max_lr, "highest learning rate, after the warm-up");
  field("min_lr", o.schedule.min_lr, "learning rate at the end (default: a tenth of the highest)");
  field("warmup", o.schedule.warmup, "steps of linear warm-up (default: a tenth of the steps, at most 100)");
  field("weight_decay", o.weight_decay, "decay of matrices");
  field("clip", o.clip, "largest gradient norm; 0: no limit");
  field("dropout", o.model.dropout, "share of each sublayer's result zeroed in training");
  field("embedding_dropout", o.model.embedding_dropout, "… of the embedding");
  field("attention_dropout", o.model.attention_dropout, "… of the attention's probabilities");
  field("z_loss", o.z_loss, "coefficient of (log Z)² in the loss");
  field("label_smoothing", o.label_smoothing, "share of each target spread over all bytes");
  field("ema", o.ema, "share of the past in an average of the weights, which validation and sample use; 0: none");
  field("tie_weights", o.model.tie_weights, "the output projection is the embedding (true or false)");
  field("dtype", o.dtype, "f32 or f64");
  field("seed", o.seed, "of weights, batches, dropout and sample");
  field("eval_every", o.eval_every, "steps between validations and checkpoints");
  field("sample_chars", o.sample_chars, "length of the sample at the end");
  field("prompt", o.prompt, "text that the sample continues (default: a line break)");
  field("temperature", o.sampling.temperature, "of the sample: the higher, the more varied");
  field("top_k", o.sampling.top_k, "sample from the k likeliest bytes; 0: from all");
  field("top_p", o.sampling.top_p, "sample from the likeliest bytes that reach this probability together");
}

// A variant is its name on the command line and in config.json; "" is none, where there may be none.
template <typename T> struct IsChoice : std::false_type {};
template <auto& family> struct IsChoice<Choice<family>> : std::true_type {};
template <typename T> struct IsChoice<std::optional<T>> : IsChoice<T> {};

template <auto& family> std::string name_of(const Choice<family>& choice) { return choice.name; }
template <auto& family> std::string name_of(const std::optional<Choice<family>>& choice) {
  return choice ? choice->name : "";
}

template <auto& family> void choose(Choice<family>& choice, const std::string& name) { choice = name; }
template <auto& family> void choose(std::optional<Choice<family>>& choice, const std::string& name) {
  if (name.empty()) {
    choice.reset();
  } else {
    choice = Choice<family>(name);
  }
}

}  // namespace

void add_options(CLI::App& app, TrainOptions& o) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);  // the last one given counts
  for_each_field(o, [&](std::string name, auto& value, const std::string& help) {
    std::replace(name.begin(), name.end(), '_', '-');
    const std::string flag = "--" + name;
    if constexpr (IsChoice<std::decay_t<decltype(value)>>::value) {
      const auto choose_it = [&value](const std::string& given) { choose(value, given); };
      app.add_option_function<std::string>(flag, choose_it, help)->default_str(name_of(value));
    } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::optional<bool>>) {
      app.add_option(flag, value, help);
    } else if (name == "min-lr") {  // these two follow from the others unless they are given
      app.add_option(flag, o.min_lr, help);
    } else if (name == "warmup") {
      app.add_option(flag, o.warmup, help);
    } else {
      app.add_option(flag, value, help)->capture_default_str();
    }
  });
  app.add_option("--threads", o.threads, "0: all cores")->capture_default_str();
  app.add_option("--out", o.out, "directory for the run's files (default: runs/<name>)");
  app.add_option("--resume", o.resume, "directory of a run to go on with");
  app.add_flag("--quiet", o.quiet, "print the result line only");
  app.add_flag("--list", o.list, "print every variant as: family name formula-id");
}

void fill_defaults(TrainOptions& o) {
  if (o.resume.empty()) {  // a run that is resumed has them from its configuration
    o.schedule.warmup = std::clamp<int64_t>(o.schedule.total / 10, 0, 100);
    o.schedule.min_lr = o.schedule.max_lr / 10;
  }
  if (o.warmup) o.schedule.warmup = *o.warmup;
  if (o.min_lr) o.schedule.min_lr = *o.min_lr;
  if (o.model.d_ff == 0) o.model.d_ff = nn::feed_forward_width(o.model.feed_forward, o.model.d_model);
}

namespace {

bool is_utf8(const std::string& text) {
  try {
    return !nlohmann::json(text).dump().empty();
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace

void check_options(const TrainOptions& o) {
  for (const auto& [name, text] : {std::pair{"--data", o.data}, {"--prompt", o.prompt}}) {
    check<ValueError>(is_utf8(text), "{}: not UTF-8, which config.json is written in", name);
  }
  for (const auto& [name, value] : {std::pair{"--steps", o.schedule.total}, {"--batch", o.batch},
                                    {"--context", o.model.context}, {"--eval-every", o.eval_every}}) {
    check<ValueError>(value > 0, "{} must be positive, got {}", name, value);
  }
  check<ValueError>(o.resume.empty() || o.out.empty(), "--out: a run that is resumed stays in its directory {}", o.resume);
  check<ValueError>(o.sample_chars >= 0, "--sample-chars must not be negative, got {}", o.sample_chars);
  check<ValueError>(o.threads >= 0, "--threads must not be negative, got {}", o.threads);
  check<ValueError>(o.weight_decay >= 0, "--weight-decay must not be negative, got {}", o.weight_decay);
  check<ValueError>(o.clip >= 0, "--clip must not be negative, got {}", o.clip);
  check<ValueError>(o.z_loss >= 0, "--z-loss must not be negative, got {}", o.z_loss);
  check<ValueError>(o.label_smoothing >= 0 && o.label_smoothing <= 1, "--label-smoothing must be in [0, 1], got {}",
                    o.label_smoothing);
  check<ValueError>(o.ema >= 0 && o.ema < 1, "--ema must be in [0, 1), got {}", o.ema);
  check<ValueError>(o.model.vocabulary >= 256, "--vocabulary: bytes need at least 256 ids, got {}", o.model.vocabulary);
  check<ValueError>(o.dtype == "f32" || o.dtype == "f64", "--dtype: trains in f32 or f64, got '{}'", o.dtype);
  check<ValueError>(o.accumulate > 0 && o.batch % o.accumulate == 0, "--accumulate: a batch of {} cannot be cut into {} parts",
                    o.batch, o.accumulate);
  optim::check_schedule(o.schedule);
  optim::schedules().find(o.schedule_name);
  optim::optimizers().find(o.optimizer);
  nn::check_options(o.sampling);
  const std::string reason = nn::why_not(o.model);
  check<ValueError>(reason.empty(), "{}", reason);
}

nlohmann::ordered_json to_json(const TrainOptions& options) {
  nlohmann::ordered_json json;
  for_each_field(options, [&](const char* name, const auto& value, const char*) {
    if constexpr (IsChoice<std::decay_t<decltype(value)>>::value) {
      json[name] = name_of(value);
    } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::optional<bool>>) {
      json[name] = value ? nlohmann::ordered_json(*value) : nullptr;
    } else {
      json[name] = value;
    }
  });
  return json;
}

void from_json(const nlohmann::json& json, TrainOptions& options, const std::string& file) {
  options.model.init = "gpt2";  // these two as every run had them before they could be chosen
  options.model.share_position = true;
  for_each_field(options, [&](const char* name, auto& value, const char*) {
    if (!json.contains(name)) return;  // an older run keeps the default of what came later
    try {
      if constexpr (IsChoice<std::decay_t<decltype(value)>>::value) {
        choose(value, json.at(name).template get<std::string>());
      } else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::optional<bool>>) {
        value = json.at(name).is_null() ? std::nullopt : std::optional(json.at(name).template get<bool>());
      } else {
        json.at(name).get_to(value);
      }
    } catch (const nlohmann::json::type_error&) {
      throw ValueError(fmt::format("{}: \"{}\" is {}, which is of the wrong type", file, name, json.at(name).dump()));
    }
  });
}

}  // namespace gradus::examples
