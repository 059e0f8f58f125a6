// Lab: where claims are measured. It deals out the seeds, trains small models at their best learning rates, measures in
// parallel what is no time, and keeps every number in a journal.
#pragma once

#include <map>
#include <mutex>

#include "examples/shared/experiment/cell.h"
#include "examples/shared/experiment/claim.h"
#include "examples/shared/experiment/journal.h"

namespace gradus::examples {

// Two training runs of a claim: the loss of the first − the loss of the second.
struct Contest {
  Where where;
  TrainOptions first, second;
  std::string first_name, second_name;  // "pre-norm"
};

class Lab {
 public:
  // `heard` is told whenever a number was measured.
  Lab(Journal& journal, bool full, std::uint64_t seed, std::function<void()> heard = [] {});

  bool full() const { return full_; }
  int64_t seeds() const { return full_ ? 10 : 5; }
  std::uint64_t first_seed() const { return first_; }
  void begin(const std::string& claim) { claim_ = claim; }  // whose measurements come now

  // value(where, seed) for each place and each of the seeds, several at a time, each by one thread: so no two calls share a
  // tensor. It draws all that is random from generators that it seeds itself: the same seed, the same number.
  using Measure = std::function<double(const Where&, std::uint64_t seed)>;
  Evidence each(const std::vector<Where>& places, const Measure& value);
  // The same where one measurement gives a number for each level of one more factor, as when a trained model is looked at
  // more than once.
  using Several = std::function<std::vector<double>(const Where&, std::uint64_t seed)>;
  Evidence each(const std::vector<Where>& places, const std::string& factor, const std::vector<std::string>& levels,
                const Several& values);
  // The first one after the other, for times.
  Evidence in_turn(const std::vector<Where>& places, const Measure& value);

  // A small language model: width 32, two blocks, windows of 32 bytes; with --full width 48, three blocks, windows of 48.
  TrainOptions model() const;
  TrainOptions model_with(const std::string& family, const std::string& variant) const;

  // Seed by seed, each model at the learning rate that serves it best. One that diverges counts as knowing nothing: ln 256.
  Evidence differences(const std::vector<Contest>& contests);
  Arm arm(const std::string& name, const TrainOptions& cell, const std::vector<double>& losses);  // with what counting costs there
  std::vector<TrainOptions> tuned(const std::vector<TrainOptions>& cells);
  std::vector<double> losses(const TrainOptions& cell);  // at its own rate, one for each seed
  const Corpus& corpus(int64_t context);                 // windows of so many bytes

 private:
  std::vector<double> losses_of(const std::vector<TrainOptions>& runs);  // as they are, seeds and all; each trained once
  Evidence gathered(const std::vector<Where>& places, const std::vector<Where>& levels, const Several& values, bool in_turn);

  Journal& journal_;
  bool full_;
  std::uint64_t first_;
  std::function<void()> heard_;
  std::string claim_;
  std::map<int64_t, Corpus> corpora_;
  std::mutex corpora_mutex_;
};

// The loss of the first − the loss of the second, seed by seed. Both have to have trained …
Condition compared(const Where& where, const Arm& first, const Arm& second);
// … or, where the question is whether they train, the better of the two.
Condition which_trains(const Where& where, const Arm& first, const Arm& second);

// That with the lowest mean of its values.
const Condition& lowest(const Evidence& evidence);

// What no seed changes: in each place value(where, n) for each n of the sample, widths for example.
Evidence tabulated(const std::vector<Where>& places, const std::vector<int64_t>& sample,
                   const std::function<double(const Where&, int64_t n)>& value);

}  // namespace gradus::examples
