// What the page of a training run is made of: its loss and the lines of counting, what it says, how it was made, and a suspicion if there is
// one. Made of the run's metrics, so that one which was stopped and resumed shows the whole.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "examples/shared/data/ngrams.h"
#include "examples/shared/training/loss_curve.h"

namespace gradus::examples {

struct RunStory {
  std::vector<nlohmann::json> metrics;  // lines of metrics.jsonl
  nlohmann::ordered_json config;        // config.json
  std::string text;                     // what it learns from, in words
  NgramLines lines;
  int64_t parameters = 0;
  std::string sample;                          // "": none was drawn
  std::vector<nlohmann::json> timelines = {};  // of each rank, in the last step; none of one rank
};

std::string reached(double validation_loss, const NgramLines& lines);  // "It has passed the trigram line: 1.97 nats."
nlohmann::ordered_json data_of(const RunStory& story);                 // what the page is drawn of: docs/kit/reports/train.mjs

}  // namespace gradus::examples
