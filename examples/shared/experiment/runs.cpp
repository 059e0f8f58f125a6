#include "examples/shared/experiment/runs.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace gradus::examples {

Runs::Runs(Journal& journal, Heard heard, Train train, double diverged)
    : journal_(journal), heard_(std::move(heard)), train_(std::move(train)), diverged_(diverged) {}

std::vector<std::string> Runs::keys(const std::string& what, const Cells& cells) {
  std::vector<std::string> keys;
  for (const TrainOptions& cell : cells) keys.push_back((what.empty() ? "" : what + " of ") + key_of(cell, corpus(cell)));
  return keys;
}

std::vector<nlohmann::json> Runs::measured(const std::string& what, const Cells& cells, const Measure& measure) {
  const std::vector<std::string> all = keys(what, cells);
  measure_missing(
      journal_, all, [&](std::size_t i) { return measure(cells[i], corpus(cells[i])); },
      [&](std::size_t i) {
        if (heard_) heard_(journal_.at(all[i]));
      });
  std::vector<nlohmann::json> values;
  for (const std::string& key : all) values.push_back(journal_.at(key));
  return values;
}

std::size_t Runs::known(const std::string& what, const Cells& cells) {
  std::size_t count = 0;
  for (const std::string& key : keys(what, cells)) count += journal_.knows(key) ? 1 : 0;
  return count;
}

std::vector<double> Runs::losses(const Cells& cells) {
  std::vector<double> losses;
  const Measure train = [&](const TrainOptions& cell, const Corpus& text) { return as_kept(train_(cell, text)); };
  for (const nlohmann::json& kept : measured("", cells, train)) {
    const double loss = number_of(kept);
    losses.push_back(std::isnan(loss) ? diverged_ : loss);
  }
  return losses;
}

std::set<std::string> Runs::commits(const Cells& cells) {
  std::set<std::string> commits;
  for (const std::string& key : keys("", cells)) commits.insert(journal_.commit_of(key));
  return commits;
}

std::vector<Tuned> Runs::tuned(const Cells& cells, SweepOptions sweep) {
  for (const TrainOptions& cell : cells) sweep.untaught.push_back(counting_loss(cell, 1));
  return tune(cells, sweep, [&](const Cells& runs) { return losses(runs); });
}

const Corpus& Runs::corpus(const TrainOptions& cell) {
  const std::lock_guard lock(mutex_);
  const auto found = corpora_.find(cell.model.context);
  return found != corpora_.end() ? found->second : corpora_.emplace(cell.model.context, load_corpus(cell)).first->second;
}

double Runs::counting_loss(const TrainOptions& cell, int n) {
  const Corpus& text = corpus(cell);
  const std::lock_guard lock(mutex_);
  const auto [found, is_new] = counting_losses_.try_emplace({cell.model.context, cell.batch, n});
  if (is_new) found->second = examples::counting_loss(cell, text, n);
  return found->second;
}

}  // namespace gradus::examples
