#include "examples/shared/experiment/sweep.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/check.h"
#include "examples/shared/experiment/statistics.h"

namespace gradus::examples {
namespace {

// What is known of one cell: the mean loss at its own rate times 2^k, by k.
class Search {
 public:
  Search(const TrainOptions& cell, int farthest, double untaught) : cell_(cell), farthest_(farthest), untaught_(untaught) {}

  // The k to try next; empty once the best is found.
  std::vector<int> wanted() const {
    if (losses_.empty()) return {-1, 0, 1};
    const int down = !begun() || lowest() < -farthest_ ? std::max(kDeepest, farthest_) : farthest_;
    if ((!begun() || best() == lowest()) && lowest() > -down) return {lowest() - 1};
    if ((!begun() || best() == highest()) && highest() < farthest_) return {highest() + 1};
    return {};
  }
  TrainOptions at(int k) const { return at_rate(cell_, std::exp2(k)); }
  void learn(int k, const std::vector<double>& losses) {
    losses_[k] = spread_of(losses).mean;
    if (has_trained(losses, untaught_ - kBegun)) begun_.insert(k);
  }

  Tuned result() const {
    Tuned tuned{.cell = at(best()), .tried = {}, .at_edge = best() == lowest() || best() == highest(), .begun = begun()};
    for (const auto& [k, loss] : losses_) tuned.tried.emplace_back(at(k).schedule.max_lr, loss);
    return tuned;
  }

 private:
  bool begun() const { return !begun_.empty(); }
  int lowest() const { return losses_.begin()->first; }
  int highest() const { return losses_.rbegin()->first; }
  int best() const {  // where all diverge: the lowest
    const auto order = [&](const auto& tried) {
      return std::pair(begun_.count(tried.first) == 0, std::isnan(tried.second) ? HUGE_VAL : tried.second);
    };
    return std::min_element(losses_.begin(), losses_.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); })->first;
  }

  TrainOptions cell_;
  int farthest_;
  double untaught_;
  std::map<int, double> losses_;
  std::set<int> begun_;
};

}  // namespace

TrainOptions at_rate(TrainOptions cell, double factor) {
  cell.schedule.max_lr *= factor;
  cell.schedule.min_lr *= factor;
  return cell;
}

std::vector<Tuned> tune(const std::vector<TrainOptions>& cells, const SweepOptions& options, const LossesOf& losses_of) {
  check<ValueError>(options.seeds >= 1 && options.farthest >= 1, "tune: needs a seed and a neighbour, got {} and {}", options.seeds,
                    options.farthest);
  std::vector<Search> searches;
  check<ValueError>(options.untaught.empty() || options.untaught.size() == cells.size(), "tune: {} lines for {} cells",
                    options.untaught.size(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    searches.emplace_back(cells[i], options.farthest, options.untaught.empty() ? HUGE_VAL : options.untaught[i]);
  }
  while (true) {
    std::vector<TrainOptions> runs;
    std::vector<std::pair<Search*, int>> asked;
    for (Search& search : searches) {
      for (const int k : search.wanted()) {
        asked.emplace_back(&search, k);
        for (std::int64_t s = 0; s < options.seeds; ++s) {
          runs.push_back(search.at(k));
          runs.back().seed = options.first_seed + static_cast<std::uint64_t>(s);
        }
      }
    }
    if (runs.empty()) break;
    const std::vector<double> losses = losses_of(runs);
    check<ValueError>(losses.size() == runs.size(), "tune: {} losses of {} runs", losses.size(), runs.size());
    auto next = losses.begin();
    for (const auto& [search, k] : asked) {
      search->learn(k, {next, next + options.seeds});
      next += options.seeds;
    }
  }
  std::vector<Tuned> tuned;
  for (const Search& search : searches) tuned.push_back(search.result());
  return tuned;
}

}  // namespace gradus::examples
