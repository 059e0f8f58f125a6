// The experiment of chapter 07: right and wrong attentions learn the same text, and the loss prefers some of the wrong ones.
#pragma once

#include "examples/ch07_attention/small_model.h"
#include "examples/shared/report/chapter.h"

namespace gradus::examples {

struct Trained {
  std::string name;
  std::vector<double> losses = {};  // on validation text, in nats, one for each seed
  std::vector<double> curve = {};   // on the batches of the first seed
};

// nn::attention with some seeds, then the mistake named `bug`, or all of them in the thorough version.
std::vector<Trained> train_all(Chapter& chapter, const std::string& bug);
const Trained& named(const std::vector<Trained>& all, const std::string& name);

void write_losses(Chapter& chapter, const std::vector<Trained>& all, const std::string& bug);
// All mistakes, each by the number that shows it and its causality map, and what the loss says of them.
void write_mistakes(Chapter& chapter, const std::vector<Trained>& all, const std::string& bug);

// The causality map of a small Transformer with random weights: no training is needed to see who is connected to whom.
std::vector<std::vector<double>> map_of(const AttentionFunction& attention, std::uint64_t seed);

}  // namespace gradus::examples
