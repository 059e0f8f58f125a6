#include "examples/train/run_report.h"

#include "examples/shared/options/train_config.h"
#include "tests/examples/shared/training/tiny_run.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

RunStory story() {
  return {{{{"step", 0}, {"validation_loss", 5.6}}, {{"step", 1}, {"loss", 5.0}}, {{"step", 2}, {"loss", 3.0}, {"validation_loss", 2.25}}},
          to_json(tiny()),
          "A text of a < b",
          {5.545, 3.4, 2.5, 2.0},
          12345,
          "a <b>\x01"};
}

}  // namespace

TEST_CASE("report of a run: its last loss, what it has passed, its sample and its shape, as text and not as HTML") {
  const std::string page = report_of(story());
  for (const char* part : {"2.250", "after 2 steps", "It has passed the line of pairs: 2.50 nats.", "a &lt;b&gt;\\x01",
                           "A text of a &lt; b", "<code>layers</code></th><td data-k=\"value\">2<", "12,345"}) {
    CAPTURE(part);
    CHECK(mentions(page, part));
  }
  CHECK_FALSE(mentions(page, "A suspicion"));
}

TEST_CASE("report of a run: all suspicions are told, and a loss above every line is a guess") {
  RunStory told = story();
  told.metrics[0]["suspicion"] = "first & foremost";
  told.metrics[2]["suspicion"] = "second";
  told.metrics[2]["validation_loss"] = 5.6;
  const std::string page = report_of(told);
  CHECK(mentions(page, "<strong>A suspicion:</strong> first &amp; foremost."));
  CHECK(mentions(page, "<strong>A suspicion:</strong> second."));
  CHECK(mentions(page, "It has not learned more than to guess."));
}

TEST_CASE("report of a run: one that has not taken a step, and one without a sample, are pages too") {
  RunStory empty = story();
  empty.metrics.clear();
  empty.sample.clear();
  const std::string page = report_of(empty);
  CHECK(mentions(page, "</html>"));
  CHECK_FALSE(mentions(page, "What it says"));
}

TEST_CASE("loss curves: means of neighbours, at most as many as asked for; the step at which a line is first seen above") {
  LossCurve curve;
  for (int i = 1; i <= 5; ++i) curve.add(i, 10 - i);
  const LossCurve means = smoothed(curve, 3);
  CHECK(means.steps == std::vector<double>{1.5, 3.5, 5});
  CHECK(means.losses == std::vector<double>{8.5, 6.5, 5});
  CHECK(smoothed(curve, 5).losses == curve.losses);
  CHECK(smoothed({}, 5).losses.empty());
  CHECK(first_below(curve, 7.5) == 3);
  CHECK(first_below(curve, 7) == 4);
  CHECK(first_below(curve, 5) == -1);
}

TEST_CASE(
    "loss plot: alone the validation loss is a line, with dots where it passes; beside a training loss it is dots "
    "alone") {
  LossCurve validation, training;
  for (const auto& [step, loss] : {std::pair{0.0, 5.6}, {10.0, 3.0}, {20.0, 2.25}}) validation.add(step, loss);
  training.add(5, 4);
  const NgramLines lines{5.545, 3.4, 2.5, 2.0};
  using Dots = std::vector<std::pair<double, double>>;
  CHECK(loss_plot({}, validation, lines).dots == Dots{{10, 5.545}, {10, 3.4}, {20, 2.5}});
  const Plot both = loss_plot(training, validation, lines);
  CHECK(both.dots == Dots{{0, 5.6}, {10, 3.0}, {20, 2.25}});
  CHECK(both.lines[0].y == training.losses);
  CHECK(both.x.to == 20);
  CHECK(mentions(both.alt, "first seen below the line pairs 2.50 at step 20"));
  CHECK(mentions(both.alt, "It stays above the line triples 2.00"));
}
