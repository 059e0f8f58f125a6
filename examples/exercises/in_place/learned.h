// A GPT that has learned a little, to see what a function does in it.
#pragma once

#include <memory>

#include "examples/exercises/in_place/model.h"

namespace gradus::exercises {

inline std::unique_ptr<LanguageModel> learned(const GptParts& parts = {}, int steps = 300, const Tell& tell = {}) {
  auto model = std::make_unique<LanguageModel>(parts);
  train(*model, parts.whole.descent, steps, tell);
  return model;
}

}  // namespace gradus::exercises
