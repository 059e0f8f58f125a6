// The claims of chapter 12: each by a rule, and what another learning rate would have said.
#pragma once

#include "examples/ch12_matrix/study.h"

namespace gradus::examples {

// The baseline and two other placements, at half the learning rate, at that of all cells and at twice that.
void rates(Chapter& chapter, const Study& study, const Spread& baseline);

// Claims about one change of the baseline, each by a rule; `difference` is the changed model's loss - the baseline's.
class Judge {
 public:
  Judge(Chapter& chapter, const Spread& baseline, int64_t comparisons)
      : chapter_(chapter), baseline_(baseline), comparisons_(comparisons) {}

  using Text = const std::string&;
  void baseline_better(Text id, Text quote, Text variant, const Paired& difference) const;
  void change_better(Text id, Text quote, Text variant, const Paired& difference) const;
  void baseline_as_good(Text id, Text quote, Text variant,
                        const Paired& difference) const;  // better, or equal within σ

 private:
  void write(Text id, Text quote, Text variant, Verdict verdict, const Paired& difference, Text rule) const;

  Chapter& chapter_;
  const Spread& baseline_;
  int64_t comparisons_;
};

}  // namespace gradus::examples
