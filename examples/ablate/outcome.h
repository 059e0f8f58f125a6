// Outcome: all that is kept of one training run of an ablation. A cell's loss is train_cell's of the same options.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "examples/shared/experiment/cell.h"
#include "examples/shared/training/loss_curve.h"

namespace gradus::examples {

// On windows of another length than those it was trained on.
struct AtLength {
  int64_t length = 0;       // bytes a window
  double loss = 0;          // nats; NaN if it cannot be, or the run diverged
  std::string cannot = {};  // why the model reads no windows of this length
};

struct Outcome {
  double loss = 0;                // on the validation text, nats; NaN: diverged
  LossCurve curve;                // of the training batches, means of neighbours
  std::vector<AtLength> lengths;  // T, 2T and 4T bytes, the same part of the validation text
  std::vector<double> gradients_before,
      gradients_after;  // ‖dL/dθ‖ of each block, of one validation batch; empty: diverged
};

// Same options, same bits. `corpus` has the cell's context.
Outcome measure(const TrainOptions& cell, const Corpus& corpus);

// The loss of a trained model on windows of `length` bytes: it is built anew for them, and takes over all its weights. The
// last weights, where an average is kept, too.
AtLength loss_at(nn::LanguageModel& trained, const TrainOptions& cell, int64_t length);

// As the journal keeps it, every bit.
nlohmann::json to_json(const Outcome& outcome);
Outcome outcome_from(const nlohmann::json& kept);

}  // namespace gradus::examples
