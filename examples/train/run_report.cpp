#include "examples/train/run_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/shared/report/printable.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

using Json = nlohmann::json;

LossCurve curve_of(const std::vector<Json>& metrics, const char* key) {
  LossCurve curve;
  for (const Json& line : metrics) {
    if (line.contains(key)) curve.add(line.value("step", 0.0), line.value(key, 0.0));
  }
  return curve;
}

nlohmann::ordered_json in_words(const nlohmann::ordered_json& config) {
  nlohmann::ordered_json words;
  for (const char* name : {"d_model", "layers", "heads", "context", "position", "norm", "placement", "feed_forward", "tie_weights",
                           "optimizer", "lr", "schedule", "warmup", "steps", "batch", "seed"}) {
    const auto& value = config.at(name);
    words[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return words;
}

std::vector<std::string> suspicions(const std::vector<Json>& metrics) {
  std::vector<std::string> found;
  for (const Json& line : metrics) {
    if (line.contains("suspicion")) found.push_back(line.value("suspicion", ""));
  }
  return found;
}

nlohmann::ordered_json drawn(const LossCurve& curve) { return {{"x", curve.steps}, {"y", curve.losses}}; }

}  // namespace

std::string reached(double validation_loss, const NgramLines& lines) {
  std::pair<double, const char*> all[] = {
      {lines.trigram, "triples"}, {lines.bigram, "pairs"}, {lines.unigram, "bytes"}, {lines.guess, "guessing"}};
  std::sort(std::begin(all), std::end(all));
  for (const auto& [line, name] : all) {
    if (validation_loss < line) return fmt::format("It has passed the line of {}: {} nats.", name, fixed(line, 2));
  }
  return "It has not learned more than to guess.";
}

nlohmann::ordered_json data_of(const RunStory& story) {
  const LossCurve validation = curve_of(story.metrics, "validation_loss");
  const auto& [guess, unigram, bigram, trigram] = story.lines;
  nlohmann::ordered_json data{{"program", "train"}, {"title", "A training run"}, {"idea", story.text + "."}};
  data["reached"] = validation.losses.empty() ? "" : reached(validation.losses.back(), story.lines);
  data["series"] = {{"training", drawn(smoothed(curve_of(story.metrics, "loss"), 200))},
                    {"validation", drawn(validation)},
                    {"lines", {guess, unigram, bigram, trigram}},
                    {"suspicions", suspicions(story.metrics)}};
  data["sample"] = printable(story.sample);
  data["config"] = in_words(story.config);
  data["parameters"] = story.parameters;
  if (!story.timelines.empty()) data["timelines"] = story.timelines;
  return data;
}

}  // namespace gradus::examples
