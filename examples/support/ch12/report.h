// The tables, the plot and the claims of chapter 12, as its page shows them.
#pragma once

#include "examples/support/ch12/study.h"

namespace gradus::examples {

// "Greatest difference: −1.2 σ and 5.0 σ", for those who do not see a matrix.
std::string widest(const Matrix& matrix, const std::vector<double>& in_spreads);

void refusals(Chapter& chapter, const Matrix& matrix);  // which cells the library does not take, and why

// How many percent are told from the baseline, by the number of seeds from one to all.
Line told_line(const std::string& name, const std::string& colour, const std::vector<std::vector<double>>& cells,
               const Spread& baseline);
void draw_seeds(Chapter& chapter, const std::vector<Line>& lines, const Spread& baseline);

ReportTable factor_table(const std::vector<Effect>& effects, int64_t seeds);

ReportTable change_table(int64_t pairs);
void add_change(ReportTable& table, const std::string& name, const Paired& difference, const Spread& own,
                const Spread& baseline, int64_t comparisons);

std::string spelled(std::string family);  // "feed-forward"
std::string main_effects(const std::vector<Effect>& effects);  // those of two σ and more with their size
std::string listed(const std::vector<std::string>& names);  // "a, b", or "none"

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
  void baseline_as_good(Text id, Text quote, Text variant, const Paired& difference) const;  // better, or equal within σ

 private:
  void write(Text id, Text quote, Text variant, Verdict verdict, const Paired& difference, Text rule) const;

  Chapter& chapter_;
  const Spread& baseline_;
  int64_t comparisons_;
};

}  // namespace gradus::examples
