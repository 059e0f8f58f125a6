// What train makes of its options, and of the configuration of an older run.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "examples/support/process.h"
#include "examples/support/train_options.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// As train reads a command line.
TrainOptions parsed(std::vector<std::string> arguments) {
  TrainOptions options;
  CLI::App app;
  add_options(app, options);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  app.parse(arguments);
  fill_defaults(options);
  check_options(options);
  return options;
}

}  // namespace

TEST_CASE("train options: the rate at the end and the warm-up follow from what is given") {
  CHECK(parsed({}).schedule.min_lr == 2e-4);
  CHECK(parsed({"--lr", "1e-4"}).schedule.min_lr == 1e-4 / 10);
  CHECK(parsed({"--lr", "1e-4", "--min-lr", "5e-5"}).schedule.min_lr == 5e-5);
  CHECK(parsed({"--steps", "50"}).schedule.warmup == 5);
  CHECK_THROWS_WITH_AS(parsed({"--lr", "1e-4", "--min-lr", "2e-4"}),
                       "schedule: needs 0 <= min_lr <= max_lr, got 0.0002 and 0.0001", ValueError);
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
  TrainOptions options = parsed({"--bias", "true", "--ema", "0.9", "--label-smoothing", "0.1", "--prompt", "so",
                                 "--embedding-scale", "3", "--qk-norm", "rms", "--lr", "0.25"});
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
  CHECK_THROWS_WITH_AS(from_json({{"norm", "rsm"}}, options, "config.json"), "unknown norm 'rsm'; did you mean 'rms'?",
                       ValueError);
  CHECK_THROWS_WITH_AS(from_json({{"norm", 3}}, options, "config.json"),
                       "config.json: \"norm\" is 3, which is of the wrong type", ValueError);
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
  CHECK_THROWS_WITH_AS(parsed({"--resume", "a", "--out", "b"}), "--out: a run that is resumed stays in its directory a",
                       ValueError);
  CHECK_THROWS_WITH_AS(parsed({"--qk-norm", "rsm"}), "unknown norm 'rsm'; did you mean 'rms'?", ValueError);
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
