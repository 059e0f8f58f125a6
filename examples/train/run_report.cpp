#include "examples/train/run_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/shared/report/printable.h"
#include "examples/shared/report/report.h"
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

ReportTable configuration(const nlohmann::ordered_json& config) {
  ReportTable table{
      "The shape and the pace of the run; <code>config.json</code> beside this page has every option.", {{"option"}, {"value"}}, {}};
  for (const char* name : {"d_model", "layers", "heads", "context", "position", "norm", "placement", "feed_forward", "tie_weights",
                           "optimizer", "lr", "schedule", "warmup", "steps", "batch", "seed"}) {
    const auto& value = config.at(name);
    table.rows.push_back({fmt::format("<code>{}</code>", name), escaped(value.is_string() ? value.get<std::string>() : value.dump())});
  }
  return table;
}

ReportTable counted(const LossCurve& validation, const NgramLines& lines) {
  ReportTable table{"What counting alone reaches on the same validation text, counted in the training text.",
                    {{"model"}, {"it knows"}, {"loss", "nats per byte", true}, {"first seen below", "at step", true}},
                    {}};
  const std::tuple<const char*, const char*, double> all[] = {{"guess", "nothing: ln 256", lines.guess},
                                                              {"unigram (bytes)", "how often each byte comes", lines.unigram},
                                                              {"bigram (pairs)", "what comes after a byte", lines.bigram},
                                                              {"trigram (triples)", "what comes after two", lines.trigram}};
  for (const auto& [name, knows, line] : all) {
    const double step = first_below(validation, line);
    table.rows.push_back({name, knows, fixed(line, 3), step < 0 ? "–" : shown(step)});
  }
  return table;
}

void write_loss(Report& report, const RunStory& story, const LossCurve& validation) {
  report.section("loss", "The loss");
  if (!validation.losses.empty()) {
    report.one_number(fixed(validation.losses.back(), 3),
                      fmt::format("Cross-entropy on validation text, in nats per byte, after {} steps. {}", shown(validation.steps.back()),
                                  reached(validation.losses.back(), story.lines)));
  }
  for (const Json& line : story.metrics) {
    if (!line.contains("suspicion")) continue;
    report.text("<strong>A suspicion:</strong> " + escaped(line.value("suspicion", "")) + ".");
  }
  report.figure({"Each line that the loss falls below is something learned that counting does not know.", draw(plot_of(story)),
                 "Line: the training loss, means over neighbouring batches, with z-loss and label smoothing where "
                 "the run has them. "
                 "Dots: cross-entropy on validation text, the last on all of it. Dashed: what counting reaches there."});
  report.table(counted(validation, story.lines));
}

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

Plot plot_of(const RunStory& story) {
  return loss_plot(smoothed(curve_of(story.metrics, "loss"), 200), curve_of(story.metrics, "validation_loss"), story.lines);
}

std::string report_of(const RunStory& story) {
  Report report("", "A training run", escaped(story.text) + ".");
  write_loss(report, story, curve_of(story.metrics, "validation_loss"));
  if (!story.sample.empty()) {
    report.section("sample", "What it says");
    report.transcript(printable(story.sample), "A sample of the model");
  }
  report.section("configuration", "How it was made");
  report.table(configuration(story.config));
  return report.html({{"parameters", with_commas(story.parameters)},
                      {"numbers", "<code>metrics.jsonl</code> beside this page, one line a step"},
                      {"picture", "<code>loss.svg</code>"}});
}

}  // namespace gradus::examples
