// A run's configuration, its metrics and a study's journal as anybody may have left them: what does not fit is refused by
// file and key, in a few words, however large or deep it is.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/shared/experiment/journal.h"
#include "examples/shared/options/train_config.h"
#include "examples/shared/options/train_fields.h"
#include "examples/shared/report/read_json.h"
#include "examples/shared/training/run_files.h"
#include "nn/activation/relu.h"
#include "tests/core/io/temporary_directory.h"
#include "tests/examples/shared/options/train_command.h"
#include "tests/support/bad_input.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

using Json = nlohmann::json;

std::string nested(int deep) { return std::string(static_cast<std::size_t>(deep), '[') + std::string(static_cast<std::size_t>(deep), ']'); }

BadCall refused_config(const Json& config, const std::string& text) {
  const auto call = [config] {
    TrainOptions options;
    from_json(config, options, "config.json");
  };
  return {told(config) + " with " + (config.empty() ? "" : config.begin().key() + ": " + told(*config.begin())), call, Raises::value, text};
}

// What no key of a type may be, and how the error shows it.
template <typename T> std::vector<std::pair<Json, std::string>> never_in_config() {
  if constexpr (IsPerLayer<T>::value) {  // a list of values is one, too
    auto values = never_in_config<typename T::value_type>();
    for (auto& [json, shown] : values) {
      if (json.is_array()) json = Json::array();
    }
    values.push_back({Json::array({1, Json::object()}), "a list"});
    return values;
  }
  if constexpr (IsOptional<T>::value && !IsChoice<T>::value) {
    auto values = never_in_config<typename T::value_type>();
    std::erase_if(values, [](const auto& value) { return value.first.is_null(); });
    return values;
  }
  std::vector<std::pair<Json, std::string>> values{{Json::array({1}), "a list"}, {Json::object(), "an object"}, {nullptr, "null"}};
  std::vector<Json> wrong{"wide", "", "3"};
  if (IsChoice<T>::value || std::is_same_v<T, std::string>) wrong = {3, true};
  if (std::is_same_v<T, bool>) wrong.push_back(1);
  if (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    for (const Json& number : {Json(2.5), Json(3.0), Json(1e300), Json(true)}) wrong.push_back(number);
    wrong.push_back(std::is_unsigned_v<T> ? Json(-1) : Json(18446744073709551615U));
  }
  for (const Json& value : wrong) values.emplace_back(value, value.dump());
  return values;
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// A run's directory with this configuration.
std::string run_with(const TemporaryDirectory& directory, const std::string& config) {
  write(directory.file("config.json"), config);
  write(directory.file("checkpoint.safetensors"), "");
  return std::filesystem::path(directory.file("config.json")).parent_path().string();
}

}  // namespace

TEST_CASE("bad input: each key of a configuration refuses what is not of its type, by file and key") {
  BadCalls rows;
  const TrainOptions usual;
  for_each_field(usual, [&](const OptionGroup&, const char* name, const auto& value, const char*) {
    for (const auto& [given, shown] : never_in_config<std::decay_t<decltype(value)>>()) {
      rows += refused_config({{name, given}}, fmt::format("config.json: \"{}\" is {}, which is of the wrong type", name, shown));
    }
  });
  MESSAGE(rows.size(), " calls");
  check_bad_calls(rows);
}

TEST_CASE("bad input: a key that a configuration does not have is refused with the nearest") {
  check_bad_calls({
      refused_config({{"d_modl", 64}}, "config.json: unknown key \"d_modl\"; did you mean \"d_model\"?"),
      refused_config({{"STEPS", 64}}, "config.json: unknown key \"STEPS\""),
      refused_config({{"d-model", 64}}, "did you mean \"d_model\"?"),
      refused_config({{"", 64}}, "config.json: unknown key \"\""),
      refused_config({{"threads", 2}}, "config.json: unknown key \"threads\""),
      refused_config({{"norm", "rsm"}}, "unknown norm 'rsm'; did you mean 'rms'?"),
      refused_config({{"activation", "rleu"}}, "did you mean 'relu'?"),
  });
}

TEST_CASE("bad input: a configuration that is no configuration, or nested without end, is refused in a few words") {
  const TemporaryDirectory directory;
  std::vector<std::pair<std::string, std::string>> cases{
      {R"({"steps": 5, "lr": 1e-3, "steps": 9})", "one with a key twice"},
      {R"({"steps": )" + nested(20) + "}", "\"steps\" is a list, which is of the wrong type"},
      {R"({"steps": ")" + std::string(1000000, 'x') + "\"}", "\"steps\" is \"xxx"}};
  for (const std::string& text :
       std::vector<std::string>{"", "{", "[]", "3", std::string("{}\0{}", 5), R"({"lr": NaN})", R"({"lr": 1e999})",
                                "{\"prompt\": \"\xff\"}", nested(100000), R"({"steps": )" + nested(100000) + "}"}) {
    cases.emplace_back(text, "is not a run's configuration");
  }
  for (const auto& [text, says] : cases) {
    const std::string run = run_with(directory, text);
    try {
      train_command({"--resume", run});
      FAIL("taken: " << text.substr(0, 40));
    } catch (const Error& error) {
      const std::string message = error.what();
      CAPTURE(message);
      CHECK(message.find(says) != std::string::npos);
      CHECK(message.find("config.json") != std::string::npos);
      CHECK(message.size() < run.size() + 200);
    }
  }
}

TEST_CASE("bad input: numbers in a configuration are held to the ranges of the command line") {
  const TemporaryDirectory directory;
  for (const auto& [config, says] :
       std::vector<std::pair<const char*, const char*>>{{"{\"steps\": 0}", "--steps must be positive, got 0"},
                                                        {"{\"layers\": 4294967296}", "--layers must be at most 10000, got 4294967296"},
                                                        {"{\"batch\": 9223372036854775807}", "--batch must be at most 1000000"},
                                                        {"{\"d_model\": 1000000}", "training takes at least"},
                                                        {"{\"d_model\": -128}", "--d-model must be positive, got -128"},
                                                        {"{\"lr\": -1, \"min_lr\": -2}", "lr"},
                                                        {"{\"ema\": 1}", "--ema must be in [0, 1), got 1"},
                                                        {"{\"optimizer\": \"adma\"}", "unknown optimizer 'adma'"},
                                                        {"{\"dtype\": \"f16\"}", "--dtype: trains in f32, f64 or bf16"}}) {
    const std::string run = run_with(directory, config);
    check_bad_calls({{config, [&] { train_command({"--resume", run}); }, Raises::value, says}});
  }
}

TEST_CASE("bad input: lines of the metrics that are no step's are left out, whatever they are") {
  const TemporaryDirectory directory;
  const std::string good = R"({"step":1,"loss":2.5,"lr":0.1,"gradient_norm":1.0,"ms":3.0})";
  std::string metrics;
  for (const std::string& line :
       std::vector<std::string>{good, "x", "[]", "null", R"({"step":"x","loss":1})", R"({"step":1.5,"loss":1})", R"({"step":1,"loss":"x"})",
                                R"({"step":1,"loss":null})", R"({"step":1,"loss":1,"suspicion":7})",
                                R"({"step":1,"loss":)" + nested(100000) + "}", R"({"loss":1})", "\xff\xfe", R"({"step":1,"lo)"}) {
    metrics += line + "\n";
  }
  write(directory.file("metrics.jsonl"), metrics);
  RunFiles files = RunFiles::open(run_with(directory, "{}"));
  CHECK(files.read_metrics().size() == 1);
  files.keep_metrics_until(1, true);
  CHECK(files.read_metrics().size() == 1);
  CHECK(std::filesystem::file_size(files.metrics()) == good.size() + 1);
}

TEST_CASE("bad input: a journal with a line that is no measurement, or one nested without end, is refused by file and line") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("cells.jsonl"), good = "{\"key\":\"a\",\"program\":\"p\",\"value\":1}\n";
  for (const std::string& line : std::vector<std::string>{"x", "[]", "7", "{}", R"({"key":"a"})", R"({"key":1,"program":"p","value":1})",
                                                          R"({"key":"a","program":null,"value":1})", R"({"key":"a","program":"p"})", "\xff",
                                                          nested(100000), R"({"key":"a","program":"p","value":)" + nested(100000) + "}"}) {
    write(path, good + line + "\n" + good);
    check_bad_calls(
        {{"a journal with the line " + line.substr(0, 40), [&] { Journal(path, "p"); }, Raises::io, path + ": line 2 is no measurement"}});
  }
  for (const auto& [kept, shown] : std::vector<std::pair<Json, const char*>>{
           {"banana", "\"banana\""}, {nullptr, "null"}, {Json::object(), "an object"}, {Json::array({1, 2}), "a list"}, {true, "true"}}) {
    check_bad_calls({{"a number that is " + told(kept), [kept = kept] { number_of(kept); }, Raises::io,
                      fmt::format("cells.jsonl holds {} in place of a number: it is damaged", shown)}});
  }
}
