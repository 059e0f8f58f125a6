// A loss as a bar, with the lines that counting reaches as marks across it, for a terminal of 80 columns.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "examples/shared/data/ngrams.h"

namespace gradus::examples {

class Ruler {
 public:
  explicit Ruler(const NgramLines& lines);

  std::string values() const;          // "guessing 5.55, bytes 3.40, …"
  std::string head() const;            // "triples┐ pairs┐ … guessing┐"
  std::string bar(double loss) const;  // "━━━━━━━━━━╸  ┊         ┊"; loss in nats per byte, finite

 private:
  int column(double nats) const;

  std::vector<std::pair<std::string, double>> lines_;  // by name
  double least_, most_;                                // nats at either end
};

}  // namespace gradus::examples
