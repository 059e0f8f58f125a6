// Sentences of the notes that are right as they are meant, and not quite as they are written.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/random.h"

namespace gradus::examples {

struct Clarification {
  std::string sentence;  // taken at its word
  double (*off)(Generator& generator);  // how far what is so is from it, in parts of that: 1 if nothing of it holds
};
const std::vector<Clarification>& clarifications_of_norms();

}  // namespace gradus::examples
