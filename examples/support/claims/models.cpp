#include "examples/support/claims/claims.h"
#include "examples/support/claims/lab.h"

namespace gradus::examples {

std::vector<Claim> model_claims() { return {}; }

}  // namespace gradus::examples
