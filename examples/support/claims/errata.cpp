#include "examples/support/claims/claims.h"
#include "examples/support/claims/lab.h"

namespace gradus::examples {

std::vector<Claim> errata() { return placement_errata(); }

}  // namespace gradus::examples
