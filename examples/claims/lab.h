// Lab: where claims are measured. It deals out the seeds, trains small models at their best learning rates, measures in
// parallel what is no time, and keeps every number in a journal.
#pragma once

#include "examples/shared/data/digits.h"
#include "examples/shared/experiment/cell.h"
#include "examples/shared/experiment/claim.h"
#include "examples/shared/experiment/runs.h"

namespace gradus::examples {

// Two training runs of a claim: the loss of the first − the loss of the second.
struct Contest {
  Where where;
  TrainOptions first, second;
  std::string first_name, second_name;  // "pre-norm"
};

// What of the claims is to be measured.
struct LabOptions {
  bool full = false;                 // ten seeds, larger models, and places at four times the steps
  bool usual = true, longer = true;  // the places of the usual steps, and those of four times as many
  std::string at = {};               // of two models compared only places whose text has this: "blocks 2"
  bool only_named = false;           // nothing: every number is 0, and the places are all that there is
  std::uint64_t seed = 0;
};

class Lab {
 public:
  // Calls `heard` after each measurement.
  Lab(Journal& journal, const LabOptions& options, std::function<void()> heard = [] {});

  bool full() const { return options_.full; }
  int64_t seeds() const { return full() ? 10 : 5; }
  int64_t seeds(int64_t blocks, int64_t steps) const;  // 5 for runs of 20,000 blocks × steps, which are long
  // A claim about training stands or falls with how long it trains: its places have `usual` steps or, with --full, four times as
  // many. Usual: the first alone. The factor steps comes first, so that places of four times the steps are the last.
  std::vector<std::string> steps(int64_t usual) const;
  // Those of the usual length, if they are wanted, and the longer ones, if they are: steps, or places.
  template <typename T>
  std::vector<T> usual_and_long(const std::vector<T>& usual, const std::type_identity_t<std::vector<T>>& longer) const {
    return joined(options_.usual ? usual : std::vector<T>{}, full() && options_.longer ? longer : std::vector<T>{});
  }
  bool wanted(const Where& where) const { return text_of(where).find(options_.at) != std::string::npos; }
  std::uint64_t first_seed() const { return first_; }
  void begin(const std::string& claim) { claim_ = claim; }  // whose measurements come now

  // value(where, seed) for each place and each of the seeds, several at a time, each by one thread: so no two calls share a
  // tensor. It draws all that is random from generators that it seeds itself: the same seed, the same number.
  using Measure = std::function<double(const Where&, std::uint64_t seed)>;
  Evidence each(const std::vector<Where>& places, const Measure& value);
  // The same where one measurement gives a number for each level of one more factor, as when a trained model is looked at
  // more than once.
  using Several = std::function<std::vector<double>(const Where&, std::uint64_t seed)>;
  Evidence each(const std::vector<Where>& places, const std::string& factor, const std::vector<std::string>& levels, const Several& values);
  // The same where one measurement gives the value and then, for each of these models, its loss.
  Evidence each(const std::vector<Where>& places, const std::vector<Arm>& arms, const Several& value_and_losses);
  // The first one after the other, for times.
  Evidence in_turn(const std::vector<Where>& places, const Measure& value);

  // A small language model: width 32, two blocks, windows of 32 bytes, 200 steps; with --full width 48, three blocks, windows of
  // 48, 500 steps.
  TrainOptions model() const;
  TrainOptions model_with(const std::string& family, const std::string& variant) const;

  // Seed by seed, each model at the learning rate that serves it best. One that diverges counts as knowing nothing: ln 256. Contests
  // whose places do not name the steps have those of the models, and four times as many; see steps().
  Evidence differences(const std::vector<Contest>& contests);
  Arm arm(const std::string& name, const TrainOptions& cell);  // at its own rate, a loss for each seed
  // The rate with the lowest mean `loss`, on other seeds than those that are reported; and a model at that rate. `loss` is
  // asked where the place has it as its factor rate.
  Rate best_rate(const Where& of, const std::vector<double>& rates, const Measure& loss);
  Arm at_best_rate(const std::string& name, const Baseline& line, const Where& of, const std::vector<double>& rates, const Measure& loss);
  Baseline pairs(const TrainOptions& cell);  // what counting pairs of bytes costs on the windows that its runs are measured on
  const Corpus& corpus(int64_t context);     // windows of `context` bytes

 private:
  Cells with_each_seed(const TrainOptions& cell) const;
  std::vector<Contest> with_steps(const std::vector<Contest>& contests) const;
  Evidence gathered(const std::vector<Where>& places, const std::vector<Where>& levels, const Several& values, bool in_turn);

  Journal& journal_;
  LabOptions options_;
  std::uint64_t first_;
  std::function<void()> heard_;
  std::string claim_;
  Runs runs_;
};

// The loss of the first − the loss of the second, seed by seed.
Condition compared(const Where& where, const Arm& first, const Arm& second);

Baseline pairs_line(const Corpus& corpus);     // what counting pairs of bytes costs on the whole validation text
Baseline one_pixel_line(DigitsPart measured);  // of digits: one_pixel_loss()

// Experiments that ask for nothing but seeds: Lab::each(), or for times Lab::in_turn(), with each combination of these levels.
std::function<Evidence(Lab&)> each(const std::vector<Factor>& factors, const Lab::Measure& value);
std::function<Evidence(Lab&)> in_turn(const std::vector<Factor>& factors, const Lab::Measure& value);

// In each place what is compared there.
Evidence at_each(const std::vector<Where>& places, const std::function<Condition(const Where&)>& comparison);

// What no seed changes: in each place value(where, n) for each n of the sample, widths for example. The rule's values are listed.
Evidence tabulated(const std::vector<Where>& places, const std::vector<int64_t>& sample,
                   const std::function<double(const Where&, int64_t n)>& value);

}  // namespace gradus::examples
