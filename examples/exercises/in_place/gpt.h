// A GPT of a student's functions, with the library's in the other places.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "examples/exercises/grader/function.h"
#include "examples/exercises/in_place/training.h"

namespace gradus::exercises {

using Answers = std::map<std::string, Functions>;  // by the exercise's id

// Which part of a model the functions of an exercise are.
struct PartOf {
  std::string id, part;
  bool in_gpt;  // else of another model
};
const std::vector<PartOf>& parts_of_models();  // of each exercise: those of the GPT first, as a text goes through it
const std::string& part_of(const std::string& id);

struct Trained {
  std::vector<double> losses;  // of each step
  Seen seen;                   // of the first steps: results, gradients, parameters; and what was written by
  std::string text;
};
// Trains the GPT from its start by AdamW, and at the end by the training loop, whose losses are of held-out text; then it writes.
// What is not in `mine` is the library's.
Trained train_gpt(const Answers& mine, int steps, int written, const Tell& tell = {});

// The losses of held-out text, after each step of this training loop.
std::vector<double> held_out_losses(const Functions& loop, int steps);

// With these alone: what differs first from the library's within a few steps, "block 1, norm 1", or "".
std::string first_unlike_library(const std::string& id, const Functions& mine);
std::string first_unlike(const Trained& mine, const Trained& library);  // "block 1, norm 1", "the loss of step 7"; "" if nothing

}  // namespace gradus::exercises
