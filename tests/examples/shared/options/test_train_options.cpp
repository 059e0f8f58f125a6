// What train makes of its options, and of the configuration of an older run.
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/machine/threads.h"
#include "examples/shared/options/environment.h"
#include "examples/shared/options/train_config.h"
#include "nn/activation/relu.h"
#include "nn/activation/swish.h"
#include "nn/model/layouts.h"
#include "tests/examples/shared/options/train_command.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

const auto& parsed = test::train_command;

}  // namespace

TEST_CASE("train options: the rate at the end and the warm-up follow from what is given") {
  CHECK(parsed({}).schedule.min_lr == 2e-4);
  CHECK(parsed({"--lr", "1e-4"}).schedule.min_lr == 1e-4 / 10);
  CHECK(parsed({"--lr", "1e-4", "--min-lr", "5e-5"}).schedule.min_lr == 5e-5);
  CHECK(parsed({"--steps", "50"}).schedule.warmup == 5);
  CHECK_THROWS_WITH_AS(parsed({"--lr", "1e-4", "--min-lr", "2e-4"}), "--min-lr: must be at most --lr, 0.0001, got 0.0002", ValueError);
}

TEST_CASE("train options: a run that is resumed keeps its own, unless told") {
  TrainOptions options;
  options.resume = "somewhere";
  from_json({{"lr", 1e-2}, {"min_lr", 1e-3}, {"warmup", 7}, {"d_ff", 100}}, options, "config.json");
  fill_defaults(options);
  CHECK(options.schedule.min_lr == 1e-3);
  CHECK(options.schedule.warmup == 7);
  CHECK(options.model.d_ff == 100);
  options.min_lr = 0;
  fill_defaults(options);
  CHECK(options.schedule.min_lr == 0);
}

TEST_CASE("ffn-width: unless told, the feed-forward layer has its usual width, and the configuration says which") {
  CHECK(to_json(parsed({})).at("d_ff") == 384);
  CHECK(to_json(parsed({"--feed-forward", "relu"})).at("d_ff") == 512);
  CHECK(to_json(parsed({"--feed-forward", "relu", "--d-ff", "40"})).at("d_ff") == 40);
}

TEST_CASE("train options: what is written is read back") {
  TrainOptions options = parsed({"--bias", "true", "--ema", "0.9", "--label-smoothing", "0.1", "--prompt", "so", "--embedding-scale", "3",
                                 "--qk-norm", "rms", "--lr", "0.25"});
  TrainOptions read;
  from_json(to_json(options), read, "config.json");
  CHECK(to_json(read) == to_json(options));
  CHECK(read.model.bias);
  CHECK(read.ema == 0.9);
  CHECK(read.prompt == "so");
}

TEST_CASE("train options: a variant is its name, on the command line and in the configuration") {
  const nlohmann::ordered_json json = to_json(parsed({"--norm", "layer", "--placement", "post", "--qk-norm", "rms"}));
  CHECK(json.at("norm") == "layer");
  CHECK(json.at("placement") == "post");
  CHECK(json.at("position") == "rope");
  CHECK(json.at("qk_norm") == "rms");
  CHECK(to_json(parsed({})).at("qk_norm") == "");
  CHECK_FALSE(parsed({"--qk-norm", "rms", "--qk-norm", ""}).model.qk_norm.has_value());
  TrainOptions options;
  options.model.norm = nn::MakeNorm(nn::norms().find("rms").value);
  CHECK(to_json(options).at("norm") == "own");
  CHECK_THROWS_WITH_AS(from_json({{"norm", "rsm"}}, options, "config.json"), "unknown norm 'rsm'; did you mean 'rms'?", ValueError);
  CHECK_THROWS_WITH_AS(from_json({{"norm", 3}}, options, "config.json"), "config.json: \"norm\" is 3, which is of the wrong type",
                       ValueError);
}

TEST_CASE("model-layer-pattern: a pattern is 512:5,0 on the command line, and the list of its layers in the configuration") {
  const TrainOptions options = parsed({"--layers", "7", "--window", "512:5,0", "--position", "rope:3,none:1", "--rope-theta", "1e4:5/1e6"});
  const nlohmann::ordered_json json = to_json(options);
  CHECK(json.at("window") == nlohmann::json{512, 512, 512, 512, 512, 0});
  CHECK(json.at("position") == nlohmann::json{"rope", "rope", "rope", "none"});
  CHECK(json.at("rope_theta") == nlohmann::json{1e4, 1e4, 1e4, 1e4, 1e4, 1e6});
  TrainOptions read;
  from_json(json, read, "config.json");
  CHECK(to_json(read) == json);
  CHECK(read.model.window.of(11) == 0);
  CHECK(read.model.position.of(3).name == "none");
  for (const char* name : {"window", "position", "norm", "placement", "feed_forward", "rope_theta"}) {
    CHECK_FALSE(to_json(parsed({})).at(name).is_array());  // as in every run before there were patterns
  }
  CHECK(parsed({"--norm", "rms:2,layer"}).model.norm.of(2).name == "layer");
  CHECK_THROWS_WITH_AS(parsed({"--norm", "rms:2,laier"}), "unknown norm 'laier'; did you mean 'layer'?", ValueError);
  CHECK_THROWS_WITH_AS(
      parsed({"--window", "512:5,0"}),
      "LanguageModel: the pattern of window is of 6 layers, but the model has 4; give it more layers, or a shorter pattern", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--window", "5:0"}), "PerLayer: a run must be of 1 to 2²⁰ layers, got 0", ValueError);
}

TEST_CASE("model-layouts: --layout is a known model's choices; other options change them, and its pattern says how many layers it needs") {
  const nn::LanguageModelOptions gemma3 = parsed({"--layout", "gemma3", "--norm-eps", "1e-3", "--d-model", "64"}).model;
  CHECK(gemma3.window.of(4) == 512);
  CHECK(gemma3.window.of(5) == 0);
  CHECK(gemma3.layers == 6);
  CHECK(gemma3.norm_eps == 1e-3);
  CHECK(gemma3.embedding_scale == 8);
  CHECK(parsed({"--window", "3", "--layout", "gemma3", "--layers", "12"}).model.window.of(0) == 3);
  CHECK(parsed({"--layers", "12", "--layout", "gemma3"}).model.layers == 12);
  CHECK(parsed({"--layout", "qwen3"}).model.layers == 4);
  CHECK_THROWS_WITH_AS(parsed({"--layout", "gemma3", "--layers", "4"}), doctest::Contains("the pattern of "), ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--layout", "gema3"}), "unknown layout 'gema3'; did you mean 'gemma3'?", ValueError);
  for (const auto& row : nn::layouts().variants) CHECK_NOTHROW(parsed({"--layout", std::string(row.name)}));
}

TEST_CASE("train options: --head-dim is a width of heads that need not divide --d-model; a run from before it has d_model / heads") {
  CHECK(parsed({"--heads", "3", "--head-dim", "16"}).model.head_dim == 16);
  CHECK_THROWS_WITH_AS(parsed({"--head-dim", "-1"}), "--head-dim must not be negative, got -1", ValueError);
  TrainOptions older;
  from_json({{"heads", 2}}, older, "config.json");
  CHECK(older.model.head_dim == 0);
}

TEST_CASE("block-value-embedding, block-per-layer-embedding: options of train, kept in config.json; a run from before them has neither") {
  const TrainOptions given = parsed({"--value-embedding", "false,true", "--per-layer-width", "16"});
  CHECK_FALSE(given.model.value_embedding.of(2));
  CHECK(given.model.value_embedding.of(3));
  CHECK(given.model.per_layer_width == 16);
  TrainOptions read, older;
  from_json(to_json(given), read, "config.json");
  CHECK(read.model.value_embedding.of(1));
  CHECK(read.model.per_layer_width == 16);
  from_json({{"layers", 2}}, older, "config.json");
  CHECK_FALSE(older.model.value_embedding.of(0));
  CHECK(older.model.per_layer_width == 0);
  CHECK_THROWS_WITH_AS(parsed({"--per-layer-width", "-1"}), "--per-layer-width must not be negative, got -1", ValueError);
  CHECK_THROWS_AS(parsed({"--value-embedding", "perhaps"}), ValueError);
  CHECK_THROWS_AS(parsed({"--placement", "mhc", "--per-layer-width", "16"}), ValueError);
}

TEST_CASE("train options: a run from before init and share_position were options keeps what it had") {
  TrainOptions options = parsed({"--init", "orthogonal", "--share-position", "false"});
  const nlohmann::ordered_json json = to_json(options);
  CHECK(json.at("init") == "orthogonal");
  CHECK(json.at("share_position") == false);
  CHECK(to_json(parsed({})).at("share_position") == nullptr);
  from_json({{"position", "shaw"}}, options, "config.json");
  CHECK(options.model.init.name == "gpt2");
  CHECK(options.model.share_position == true);
  from_json(to_json(parsed({})), options, "config.json");
  CHECK_FALSE(options.model.share_position.has_value());
  from_json(json, options, "config.json");
  CHECK(options.model.init.name == "orthogonal");
  CHECK(options.model.share_position == false);
  CHECK_THROWS_WITH_AS(parsed({"--init", "lecunn"}), "unknown init 'lecunn'; did you mean 'lecun'?", ValueError);
  CHECK_THROWS_WITH_AS(from_json({{"share_position", 2}}, options, "config.json"),
                       "config.json: \"share_position\" is 2, which is of the wrong type", ValueError);
}

TEST_CASE("train options: a configuration with a value of the wrong type is refused by its name") {
  TrainOptions options;
  CHECK_THROWS_WITH_AS(from_json({{"d_model", "wide"}}, options, "runs/a/config.json"),
                       "runs/a/config.json: \"d_model\" is \"wide\", which is of the wrong type", ValueError);
}

TEST_CASE("train options: values that no run can have") {
  CHECK_THROWS_WITH_AS(parsed({"--context", "-5"}), "--context must be positive, got -5", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--ema", "1"}), "--ema must be in [0, 1), got 1", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--label-smoothing", "2"}), "--label-smoothing must be in [0, 1], got 2", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--qk-norm", "rsm"}), "unknown qk-norm 'rsm'; did you mean 'rms'?", ValueError);
}

TEST_CASE("train options: an ε that is 0 in f32 is refused there, and taken in f64") {
  CHECK(parsed({"--eps", "1e-40", "--dtype", "f64"}).constants.eps == 1e-40);
  CHECK_THROWS_WITH_AS(parsed({"--eps", "1e-40"}),
                       "--optimizer adamw: AdamW: eps must be at least 1.18e-38 for the f32 parameter of the "
                       "model, got 1e-40",
                       ValueError);
}

TEST_CASE("train options: an empty value is refused by its option, but where it means none") {
  for (const char* flag : {"--lr", "--warmup", "--seed", "--steps", "--threads", "--tie-weights", "--share-position", "--norm",
                           "--optimizer", "--dtype", "--data", "--prompt", "--out", "--resume"}) {
    CAPTURE(flag);
    CHECK_THROWS_WITH_AS(parsed({flag, ""}), (flag + std::string(": the value is empty")).c_str(), ValueError);
  }
  CHECK_FALSE(parsed({"--qk-norm", ""}).model.qk_norm.has_value());
  CHECK_FALSE(parsed({"--activation", ""}).model.activation.has_value());
}

TEST_CASE("train options: a number is decimal, whole where it counts, finite, and does not wrap around") {
  CHECK(parsed({"--steps", "010"}).schedule.total == 10);
  CHECK(parsed({"--seed", "18446744073709551615"}).seed == 18446744073709551615u);
  CHECK(parsed({"--lr", "1e-3", "--min-lr", ".5e-3"}).schedule.min_lr == 0.5e-3);
  CHECK(parsed({"--tie-weights", "False"}).model.tie_weights == false);
  CHECK(parsed({"--share-position", "1"}).model.share_position == true);
  for (const auto& [flag, text, reason] : {
           std::array{"--seed", "99999999999999999999999",
                      "99999999999999999999999 is out of range, which is from 0 to 18446744073709551615"},
           {"--seed", "-1", "'-1' is not a whole number of at least 0"},
           {"--threads", "9999999999", "9999999999 is out of range, which is from -2147483648 to 2147483647"},
           {"--steps", "abc", "'abc' is not a whole number"},
           {"--steps", "0x10", "'0x10' is not a whole number"},
           {"--steps", "2.5", "'2.5' is not a whole number"},
           {"--batch", "12 ", "'12 ' is not a whole number"},
           {"--warmup", "1e3", "'1e3' is not a whole number"},
           {"--lr", "1e-3x", "'1e-3x' is not a finite number"},
           {"--lr", "1e400", "'1e400' is not a finite number"},
           {"--clip", "inf", "'inf' is not a finite number"},
           {"--temperature", "nan", "'nan' is not a finite number"},
           {"--norm-eps", "-infinity", "'-infinity' is not a finite number"},
           {"--bias", "maybe", "'maybe' is not true or false"},
       }) {
    CHECK_THROWS_WITH_AS(parsed({flag, text}), fmt::format("{}: {}", flag, reason).c_str(), ValueError);
  }
}

TEST_CASE("train options: a mistyped option is told with the nearest one, a name is found whatever its case") {
  CHECK_THROWS_WITH_AS(parsed({"--nrom", "rms"}), "unknown option '--nrom'; did you mean '--norm'? --help names all", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--DModel=3"}), "unknown option '--DModel'; did you mean '--d-model'? --help names all", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--setps", "3"}), "unknown option '--setps'; did you mean '--steps'? --help names all", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"rms"}), "'rms' belongs to no option; --help names them", ValueError);
  CHECK(parsed({"--optimizer", "AdamW"}).optimizer == "adamw");
  CHECK(parsed({"--norm", "RMS"}).model.norm.of(0).name == "rms");
}

TEST_CASE("train options: a constant that the optimizer does not have, or that is out of range, is refused by name") {
  CHECK(parsed({"--beta1", "0.8", "--eps", "1e-6"}).constants.beta1 == 0.8);
  CHECK_THROWS_WITH_AS(parsed({"--optimizer", "sgd", "--momentum", "0.9"}), "--optimizer sgd: the optimizer has no momentum", ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--optimizer", "lion", "--eps", "0.9"}), "--optimizer lion: the optimizer has no eps", ValueError);
  CHECK_THROWS_AS(parsed({"--beta2", "1"}), ValueError);
}

TEST_CASE("train options: what the chosen part does not have is refused, with the reason") {
  CHECK(parsed({"--norm-eps", "1e-3", "--one-plus-gain", "true"}).model.norm_eps == 1e-3);
  CHECK_THROWS_WITH_AS(parsed({"--norm", "dyt", "--norm-eps", "1e-3"}), "LanguageModel: norm 'dyt' has no eps; take it without norm_eps",
                       ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--norm", "layer", "--one-plus-gain", "true"}),
                       "LanguageModel: norm 'layer' has no one_plus_gain; take norm 'rms'", ValueError);
  CHECK(parsed({"--feed-forward", "relu", "--activation", "mish"}).model.activation->name == "mish");
  CHECK_THROWS_WITH_AS(parsed({"--activation", "mish"}),
                       "LanguageModel: feed_forward 'swiglu' has a gate, whose activation is its own; take feed_forward "
                       "'relu' with activation 'mish'",
                       ValueError);
}

TEST_CASE("train options: a run that is resumed keeps its model, and is told which option differs") {
  TrainOptions run = parsed({}), wanted = parsed({"--lr", "1e-3", "--dropout", "0.5"});
  wanted.resume = "runs/a";
  CHECK_NOTHROW(check_resumable(run, wanted));
  wanted.model.norm = "layer";
  CHECK_THROWS_WITH_AS(check_resumable(run, wanted),
                       "--norm: the run in runs/a has \"rms\", and a run that is resumed keeps it; \"layer\" was given", ValueError);
  wanted = run;
  wanted.resume = "runs/a";
  wanted.seed = 4;
  CHECK_THROWS_WITH_AS(check_resumable(run, wanted), "--seed: the run in runs/a has 0, and a run that is resumed keeps it; 4 was given",
                       ValueError);
  wanted = run;
  wanted.optimizer = "sgd";
  CHECK_THROWS_AS(check_resumable(run, wanted), ValueError);
}

TEST_CASE("train options: a configuration with an unknown key, or a whole number that is none, is refused") {
  TrainOptions options;
  for (const auto& [json, reason] :
       {std::pair{R"({"bath": 3})", "unknown key \"bath\"; did you mean \"batch\"?"},
        {R"({"batch": 2.7})", "\"batch\" is 2.7, which is of the wrong type"},
        {R"({"warmup": 18446744073709551615})", "\"warmup\" is 18446744073709551615, which is of the wrong type"},
        {R"({"batch": 1e300})", "\"batch\" is 1e+300, which is of the wrong type"},
        {R"({"seed": -1})", "\"seed\" is -1, which is of the wrong type"}}) {
    CHECK_THROWS_WITH_AS(from_json(nlohmann::json::parse(json), options, "config.json"), fmt::format("config.json: {}", reason).c_str(),
                         ValueError);
  }
  CHECK_NOTHROW(from_json({{"lr", 1}, {"seed", 18446744073709551615u}}, options, "config.json"));  // the rest: an older run
  CHECK(options.schedule.max_lr == 1);
  CHECK(options.seed == 18446744073709551615u);
}

TEST_CASE("train options: a run that is resumed with fewer steps or a lower rate is told which option does not go with it") {
  TrainOptions options;
  options.resume = "somewhere";
  from_json({{"steps", 40}, {"warmup", 100}}, options, "config.json");
  CHECK_THROWS_WITH_AS(check_options(options), "--steps must be at least the warm-up's, 100, got 40", ValueError);
  from_json({{"warmup", 4}, {"lr", 1e-5}}, options, "config.json");
  CHECK_THROWS_WITH_AS(check_options(options), "--lr: 1e-05 is below the run's --min-lr, 0.0002; give that anew, too", ValueError);
}

TEST_CASE("train options: a size that no machine holds is refused at once, with the largest") {
  for (const char* flag :
       {"--steps", "--batch", "--context", "--d-model", "--d-ff", "--vocabulary", "--layers", "--cycles", "--sample-chars"}) {
    const std::string reason = fmt::format("{} must be at most 10", flag);
    CHECK_THROWS_WITH_AS(parsed({flag, "1000000000001"}), doctest::Contains(reason.c_str()), ValueError);
  }
  CHECK_THROWS_WITH_AS(parsed({"--threads", "99999"}), fmt::format("--threads must be at most {}, got 99999", most_threads()).c_str(),
                       ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--schedule", "cosine-restarts", "--cycles", "2000"}),
                       "--cycles: of 2000, each 2 times as long as the one before, the first has no length", ValueError);
  CHECK(parsed({"--schedule", "cosine-restarts", "--cycles", "2000", "--cycle-growth", "1"}).schedule.cycles == 2000);
  CHECK(parsed({"--cycles", "2000"}).schedule.cycles == 2000);  // which a cosine without restarts does not have
}

TEST_CASE("environment: a variable that is empty or 0 switches nothing on") {
  const char* name = "GRADUS_TEST_SWITCH";
  for (const auto& [value, on] : {std::pair{"", false}, {"0", false}, {"1", true}, {"yes", true}}) {
    ::setenv(name, value, 1);
    CHECK(is_switched_on(name) == on);
  }
  ::unsetenv(name);
  CHECK_FALSE(is_switched_on(name));
}
