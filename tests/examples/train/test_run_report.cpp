#include "examples/train/run_report.h"

#include "examples/shared/options/train_config.h"
#include "examples/shared/report/page.h"
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

TEST_CASE("report of a run: its last loss, what it has passed, its sample and its shape, as plain text") {
  const auto data = data_of(story());
  CHECK(data["reached"] == "It has passed the line of pairs: 2.50 nats.");
  CHECK(data["series"]["validation"]["y"].back() == 2.25);
  CHECK(data["series"]["training"]["x"] == std::vector<double>{1, 2});
  CHECK(data["sample"] == "a <b>\\x01");
  CHECK(data["idea"] == "A text of a < b.");
  CHECK(data["config"]["layers"] == "2");
  CHECK(data["parameters"] == 12345);
  CHECK(data["series"]["suspicions"].empty());
}

TEST_CASE("report of a run: what each rank did in the last step, if there are several") {
  RunStory told = story();
  CHECK(!data_of(told).contains("timelines"));
  const nlohmann::json walk = {{{"kind", "walk"}, {"what", "micro-batch 0"}, {"begin", 0.0}, {"end", 0.5}}};
  told.timelines = {walk, walk};
  CHECK(data_of(told)["timelines"][1][0]["end"] == 0.5);
}

TEST_CASE("report of a run: all suspicions are told, and a loss above every line is a guess") {
  RunStory told = story();
  told.metrics[0]["suspicion"] = "first & foremost";
  told.metrics[2]["suspicion"] = "second";
  told.metrics[2]["validation_loss"] = 5.6;
  const auto data = data_of(told);
  CHECK(data["series"]["suspicions"] == std::vector<std::string>{"first & foremost", "second"});
  CHECK(data["reached"] == "It has not learned more than to guess.");
}

TEST_CASE("report of a run: one that has not taken a step is a page too, and no text ends the data in it") {
  RunStory empty = story();
  empty.metrics.clear();
  empty.sample = "</script>";
  const std::string page = page_of(data_of(empty));
  CHECK(mentions(page, "</html>"));
  CHECK(mentions(page, "\\u003c/script>"));
}

TEST_CASE("loss curves: means of neighbours; at most as many as asked for") {
  LossCurve curve;
  for (int i = 1; i <= 5; ++i) curve.add(i, 10 - i);
  const LossCurve means = smoothed(curve, 3);
  CHECK(means.steps == std::vector<double>{1.5, 3.5, 5});
  CHECK(means.losses == std::vector<double>{8.5, 6.5, 5});
  CHECK(smoothed(curve, 5).losses == curve.losses);
  CHECK(smoothed({}, 5).losses.empty());
}
