#include "examples/claims/all_claims.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/options/edit_distance.h"

namespace gradus::examples {

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> claims;
    for (const auto& family :
         {placement_claims(), stream_claims(), norm_claims(), norm_reason_claims(), activation_claims(), activation_training_claims(),
          feed_forward_claims(), position_claims(), model_claims(), optimisation_claims(), errata()}) {
      claims.insert(claims.end(), family.begin(), family.end());
    }
    return claims;
  }();
  return all;
}

std::string name_of(const Claim& claim) { return claim.id.rfind("claim-", 0) == 0 ? claim.id.substr(6) : claim.id; }

const Claim& find_claim(const std::string& id) {
  std::vector<std::string> names;
  for (const Claim& claim : all_claims()) {
    if (id == claim.id || id == name_of(claim)) return claim;
    names.push_back(name_of(claim));
  }
  throw ValueError(fmt::format("there is no claim '{}'; did you mean '{}'? --list names all", id, nearest(id, names)));
}

}  // namespace gradus::examples
