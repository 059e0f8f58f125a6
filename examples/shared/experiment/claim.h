// Claim: a sentence of the notes, or one that was published elsewhere, the experiment that asks whether it holds, and the rule that says so. The rule, its bound and
// the seeds stand here before anything is measured; a verdict is computed from what was measured, and from nothing else.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "examples/shared/experiment/factors.h"
#include "examples/shared/experiment/statistics.h"

namespace gradus::examples {

class Lab;

using Commits = std::set<std::string>;  // at which numbers were measured

// What a simple counter costs, {"counting pairs of bytes", 2.45}: a model that is not below it has not trained.
struct Baseline {
  std::string of = {};
  double loss = HUGE_VAL;
};
struct Rate {
  double value = 0;
  bool at_edge = false;  // the best of those tried is the outermost of them
};

// One of the models that a place compares, and its losses on what it was not trained on, seed by seed.
struct Arm {
  std::string name;
  std::vector<double> losses = {};
  Baseline line = {};
  std::optional<Rate> rate = {};  // where it was chosen for this model, with other seeds than these
  Commits commits = {};
};
bool has_trained(const Arm& arm);

// What was measured in one place: a number for each seed; and, where models were trained for it, how far they got.
struct Condition {
  Where where;
  std::vector<double> values;
  std::vector<Arm> arms = {};
  Commits commits = {};
};
using Evidence = std::vector<Condition>;

enum class Side { below, above };
// What the values of a place are: draws, of which there could be others, or all that were asked for, such as widths.
enum class Values { drawn, listed };
// Which models of a place must have trained for it to count. One: where the question is whether they train at all.
enum class MustTrain { none, each, one };
// Their words in JSON, in the order of the enumerators.
const std::vector<std::string> kSides{"below", "above"}, kValues{"drawn", "listed"}, kMustTrain{"none", "each", "one"};
template <typename Enum> const std::string& word_of(Enum value, const std::vector<std::string>& words) {
  return words[static_cast<std::size_t>(value)];
}

// A place whose models have not trained as the rule asks is void: it decides nothing, whatever its numbers. Another one
// confirms if the mean of its values lies significantly on this side of the bound, refutes if on the other: by Student's t, at
// 5 % divided by their number (Bonferroni). Listed values confirm or refute if all of them lie on one side. Otherwise the place
// is undecided. The claim is confirmed or refuted if each of them says so, depends if one confirms it and another refutes it,
// and is undecided otherwise, or if all places are void.
struct Criterion {
  std::string statistic;  // "loss with RMS norm − loss with layer norm"
  std::string unit = {};  // "nats"; empty: a plain number
  Side side = Side::below;
  double bound = 0;
  std::string sample = "seeds";  // what there is a value of each: seeds, draws, widths, repetitions
  MustTrain must_train = MustTrain::none;
  Values values = Values::drawn;
};
std::string text_of(const Criterion& rule);

// A line of a note; or, where `published` has words, where else the sentence stands: "nanochat, dev/LOG.md, 2026-05-05".
struct Source {
  int note = 0, line = 0;
  std::string published = {};
};
std::string text_of(const std::vector<Source>& sources);  // "note 2, line 68, 81; note 0, line 13"

struct Claim {
  std::string id;               // "claim-rms-faster", "erratum-1"
  std::vector<Source> sources;  // the first is quoted
  std::string quote;            // its own words
  std::string says;             // in English
  std::string meant = {};       // of an erratum: what is right
  Verdict predicted = Verdict::confirmed;
  std::string because = {};  // of the prediction: the law or the literature (author, year) that it comes from
  Criterion rule = {};
  std::string beyond = {};  // what this experiment cannot see, and what would decide it; empty: nothing
  std::function<Evidence(Lab&)> measure = nullptr;
  bool timed = false;  // its numbers are times, which no second run repeats
};

// One place after the rule was applied.
struct Told {
  Condition condition;
  Spread spread;
  double p = 1;            // of a mean so far from the bound, or farther, by chance: Student's t, which decides
  double signed_rank = 1;  // the same by Wilcoxon's signed ranks
  bool one_side = false;   // all values lie on one side of the bound
  Verdict verdict = Verdict::undecided;
};

struct Finding {
  Verdict verdict = Verdict::undecided;
  std::vector<std::string> depends_on;  // the factors that change the verdict
  std::vector<Told> places;
  double seeds_needed = 0;  // by the place that needs most, for a power of 80 %; 0 unless the claim is undecided
};
// ValueError for no evidence, or places that do not have the same factors.
Finding judge(const Criterion& rule, const Evidence& evidence);

bool is_erratum(const Claim& claim);
// "5 of 6 places confirm, 1 is undecided"
std::string count_of(const std::vector<Told>& places);

}  // namespace gradus::examples
