#include "examples/support/claims/claims.h"
#include "examples/support/claims/lab.h"

namespace gradus::examples {

std::vector<Claim> errata() { return position_errata(); }

}  // namespace gradus::examples
