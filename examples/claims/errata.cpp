#include <algorithm>
#include <string>

#include "examples/claims/all_claims.h"

namespace gradus::examples {
namespace {

int number_of_erratum(const Claim& erratum) { return std::stoi(erratum.id.substr(erratum.id.find('-') + 1)); }

}  // namespace

std::vector<Claim> errata() {
  std::vector<Claim> all;
  for (const auto& family : {placement_errata(), norm_errata(), activation_errata(), position_errata(), clarified_errata()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  std::sort(all.begin(), all.end(), [](const Claim& a, const Claim& b) { return number_of_erratum(a) < number_of_erratum(b); });
  return all;
}

}  // namespace gradus::examples
