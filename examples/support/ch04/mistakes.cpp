#include "examples/support/ch04/mistakes.h"

#include <fmt/format.h>

#include "examples/support/ch04/wrong_norms.h"

namespace gradus::examples {

void mistakes(Chapter& chapter, const std::string& bug) {
  std::vector<WrongNorm> both{right_norm()};
  if (!bug.empty()) both.push_back(wrong_norm(bug));
  ReportTable table{"What a norm must do, asked of its outputs.",
                    {{"probe"}, {"right", "", true}},
                    {{"greatest |dy/dx| of two tokens"},
                     {"difference from what was meant"},
                     {"the same, ε = 0.25"},
                     {"NaN rows of 1000, mean 1000, σ 0.1"},
                     {"batch norm: variance collected"}}};
  for (const WrongNorm& norm : both) {
    const NormProbes p = probes_of(norm, chapter.seed());
    const std::vector<double> all{p.other_tokens, p.values, p.large_eps, p.nan_rows, p.running};
    const std::vector<std::string> names{"other_tokens", "values", "large_eps", "nan_rows", "running"};
    if (norm.id != "right") table.columns.push_back({escaped(norm.id), "", true});
    for (std::size_t i = 0; i < all.size(); ++i) {
      table.rows[i].push_back(shown(all[i]));
      chapter.number(fmt::format("probes.{}.{}", norm.id == "right" ? "right" : "wrong", names[i]), all[i]);
    }
  }
  chapter.report.section("mistakes", "Probes, and a published mistake");
  chapter.report.table(table);
  if (!bug.empty()) {
    chapter.word("bug", bug);
    chapter.report.text(
        fmt::format("<code>{}</code>: {}. Published at {}.", escaped(bug), escaped(both[1].line), escaped(both[1].source)));
    return;
  }
  std::string ids;
  for (const WrongNorm& wrong : wrong_norms()) ids += fmt::format(" <code>{}</code>", wrong.id);
  chapter.report.text("A second column by <code>--bug ID</code>:" + ids + ".");
}

}  // namespace gradus::examples
