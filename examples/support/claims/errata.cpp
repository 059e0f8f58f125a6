#include "examples/support/claims/claims.h"

namespace gradus::examples {

std::vector<Claim> errata() {
  std::vector<Claim> all = placement_errata();
  for (const Claim& claim : norm_errata()) all.push_back(claim);
  return all;
}

}  // namespace gradus::examples
