#include "examples/ch04_norms/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/shared/data/median.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/digit_net.h"

namespace gradus::examples {
namespace {

// What one norm did over several seeds.
struct Outcome {
  std::vector<DigitRun> runs;
  std::vector<double> right;  // sorted
  double middle() const { return median(right); }
};

std::uint64_t seeds_of(const Chapter& chapter) { return chapter.full() ? 10 : 3; }

Outcome over_seeds(const std::string& norm, const Digits& digits, const Chapter& chapter, const DigitTraining& training = {}) {
  Outcome outcome;
  for (std::uint64_t i = 0; i < seeds_of(chapter); ++i) {
    outcome.runs.push_back(train_on_digits(norm, digits, chapter.seed() + i, training));
    outcome.right.push_back(outcome.runs.back().right);
  }
  std::sort(outcome.right.begin(), outcome.right.end());
  return outcome;
}

void show_digits(Chapter& chapter, const Digits& digits) {
  std::vector<Panel> shown_digits;
  for (int64_t i = 0; i < 6; ++i) {
    const auto label = static_cast<int64_t>(digits.train.labels.at({i}));
    const HeatMap pixels{.rows = rows_of(digits.train.images[i][0]), .scale = HeatMap::Scale::sign, .limit = 1, .cell = 10, .alt = {}};
    shown_digits.push_back({std::to_string(label), "", draw(pixels)});
  }
  chapter.report.figure({"Which digit is it? Eight by eight pixels are enough.", panels(shown_digits, 5.5),
                         "The first six of 1,797 handwritten digits, written by 13 people (Alpaydin and Kaynak, 1998; CC BY 4.0). "
                         "1,500 are trained on, 297 held out."});
}

// Loss against the step, a line a seed, from 0 to 2.5; dashed, what guessing costs.
std::string draw_losses(const std::vector<DigitRun>& runs) {
  constexpr double width = 160, height = 100, top = 2.5;
  const auto y_of = [](double loss) { return height * (1 - std::min(loss, 1.2 * top) / top); };
  std::string lines;
  for (const DigitRun& run : runs) {
    std::string points;
    const auto steps = static_cast<double>(run.losses.size() - 1);
    for (std::size_t i = 0; i < run.losses.size(); ++i) {
      points += fmt::format("{:.1f},{:.1f} ", width * static_cast<double>(i) / steps, y_of(run.losses[i]));
    }
    lines += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"var(--f1)\" stroke-width=\"1.4\"/>", points);
  }
  return fmt::format(
      "<svg viewBox=\"-1 -1 {0} {1}\" aria-hidden=\"true\">"
      "<svg width=\"{2}\" height=\"{3}\" style=\"overflow:hidden\" aria-hidden=\"true\">"
      "<path d=\"M0 {4:.1f}H{2}\" stroke=\"var(--none)\" stroke-width=\"1.6\" stroke-dasharray=\"6 4\"/>{5}</svg>"
      "<rect width=\"{2}\" height=\"{3}\" fill=\"none\" stroke=\"var(--line)\"/></svg>",
      width + 2, height + 2, width, height, y_of(kGuessing), lines);
}

double last_losses(const DigitRun& run) {
  double sum = 0;
  for (std::size_t i = run.losses.size() - 10; i < run.losses.size(); ++i) sum += run.losses[i] / 10;
  return sum;
}

void each_norm(Chapter& chapter, const Digits& digits) {
  ReportTable table{"Held-out digits that are right, after 100 steps of 32 images.",
                    {{"norm"}, {"right", "median", true}, {"least", "", true}, {"greatest", "", true}, {"loss", "last 10 steps", true}},
                    {}};
  std::vector<Panel> curves;
  chapter.tell("\na small network on 8 × 8 digits: held-out digits that are right after 100 steps");
  for (const std::string name : {"none", "batch", "group", "layer", "instance"}) {
    const Outcome outcome = over_seeds(name, digits, chapter);
    std::vector<double> losses;
    for (const DigitRun& run : outcome.runs) losses.push_back(last_losses(run));
    const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
    curves.push_back({name, percent(outcome.middle()) + " right", draw_losses(outcome.runs)});
    table.rows.push_back(
        {name, percent(outcome.middle()), percent(outcome.right.front()), percent(outcome.right.back()), fixed(median(losses), 2)});
    chapter.number("images." + name + ".right", outcome.middle());
    chapter.number("images." + name + ".least", outcome.right.front());
    chapter.number("images." + name + ".greatest", outcome.right.back());
    chapter.number("images." + name + ".loss", median(losses));
    chapter.tell(fmt::format("  {:<9} {:>4}  ({} to {})", name, percent(outcome.middle()), percent(outcome.right.front()),
                             percent(outcome.right.back())));
  }
  chapter.report.figure({"Without a norm the network still guesses when batch norm is done.", panels(curves, 7.6),
                         fmt::format("Training loss against the step, 0 to 100; y from 0 to 2.5; dashed: ln 10, the loss of a guess. A "
                                     "line a seed, {} seeds; convolution, norm, ReLU and pooling three times over, SGD with rate 0.03 "
                                     "and momentum 0.9.",
                                     seeds_of(chapter))});
  chapter.report.table(table);
  chapter.report.text(
      "Instance norm gives each channel of each image the same mean and the same size. How much of a feature there "
      "is, is then forgotten, and it is all that the last layer, which averages each channel, could tell a digit by. "
      "It was made to remove a picture's style.");
}

void small_batches(Chapter& chapter, const Digits& digits) {
  Line batch{.name = "", .x = {}, .y = {}, .colour = "f1"}, group{.name = "", .x = {}, .y = {}, .colour = "f3"};
  for (const int64_t size : {1, 2, 4, 8, 32}) {
    for (auto& [name, line] : {std::pair<std::string, Line&>{"batch", batch}, {"group", group}}) {
      const Outcome outcome = over_seeds(name, digits, chapter, {.batch = size, .images = 2400});
      line.x.push_back(static_cast<double>(size));
      line.y.push_back(100 * outcome.middle());
      line.low.push_back(100 * outcome.right.front());
      line.high.push_back(100 * outcome.right.back());
      chapter.number(fmt::format("batch_size.{}.{}", name, size), outcome.middle());
    }
  }
  const bool fails = batch.y[0] < group.y[0] / 2, recovers = batch.y.back() > 0.9 * group.y.back();
  const Verdict verdict = !fails ? Verdict::refuted : recovers ? Verdict::confirmed : Verdict::undecided;
  chapter.tell(fmt::format("trained with a batch of one: batch norm {:.0f} % right, group norm {:.0f} %; of two: {:.0f} and {:.0f} %",
                           batch.y[0], group.y[0], batch.y[1], group.y[1]));
  chapter.report.figure(
      {"With one image a batch, batch norm has nothing to average over but the image itself.",
       draw(
           Plot{.title = "Held-out digits that are right against the size of a batch",
                .alt = fmt::format("Line plot. x: images a batch, 1 to 32, log; y: held-out digits that are right, 0 to 100 %. Batch "
                                   "norm rises from {:.0f} % at 1 to {:.0f} % at 2 and {:.0f} % at 32; group norm is at {:.0f}, {:.0f} and "
                                   "{:.0f} %.",
                                   batch.y[0], batch.y[1], batch.y.back(), group.y[0], group.y[1], group.y.back()),
                .x = {"images a batch", true, 1, 32},
                .y = {"held-out digits right (%)", false, 0, 100},
                .lines = {batch, group},
                .remarks = {{.text = "batch norm", .x = 1.2, .y = batch.y[0] + 2, .colour = "f1"},
                            {.text = "group norm", .x = 11, .y = 72, .colour = "f3"}}}),
       "2,400 images each, so a batch of one takes 2,400 steps; rate 0.03 · batch / 32; median and range of the "
       "seeds. In training, batch norm of one image is instance norm, to the last bit; in use it takes the running "
       "statistics, which make it another network than the one that was trained."});
  chapter.claim(
      "batch-norm-fails-at-batch-1", "Batch norm fails for a batch of one.", verdict,
      fmt::format("One image at a time, it trains, and is right in {:.0f} % in use, group norm in {:.0f} %; with 32 images in {:.0f} and "
                  "{:.0f} %. Rule: seen here if it is right in less than half of what group norm is with one image, and in nearly as "
                  "much with 32; not seen if not less than half. Medians of the seeds.",
                  batch.y[0], group.y[0], batch.y.back(), group.y.back()));
}

// How far batch norm in training is from instance norm on one image: the same weights, the same scores.
double batch_of_one_against_instance(const Digits& digits, std::uint64_t seed) {
  const auto scores = [&](const std::string& norm) {
    manual_seed(seed);
    return digit_net(norm)(slice(digits.train.images, 0, 0, 1)).detach();
  };
  return max(abs(scores("batch") - scores("instance"))).item();
}

}  // namespace

void norms_on_images(Chapter& chapter) {
  const Digits digits = read_digits();
  chapter.report.section("images", "On images");
  show_digits(chapter, digits);
  each_norm(chapter, digits);
  small_batches(chapter, digits);
  chapter.number("images.batch_of_one_against_instance", batch_of_one_against_instance(digits, chapter.seed()));
}

}  // namespace gradus::examples
