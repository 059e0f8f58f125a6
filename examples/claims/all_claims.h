// The claims of the notes and their errata, family by family.
#pragma once

#include "examples/shared/experiment/claim.h"

namespace gradus::examples {

std::vector<Claim> placement_claims();
std::vector<Claim> stream_claims();
std::vector<Claim> norm_claims();
std::vector<Claim> norm_reason_claims();
std::vector<Claim> activation_claims();
std::vector<Claim> activation_training_claims();
std::vector<Claim> feed_forward_claims();
std::vector<Claim> position_claims();
std::vector<Claim> model_claims();
std::vector<Claim> optimisation_claims();
std::vector<Claim> norm_errata();
std::vector<Claim> activation_errata();
std::vector<Claim> position_errata();   // 4, 9, 12
std::vector<Claim> clarified_errata();  // 14 to 20
std::vector<Claim> errata();
std::vector<Claim> placement_errata();

// All, in this order.
const std::vector<Claim>& all_claims();
// By its id, with or without "claim-". ValueError, with the nearest, for one that there is not.
const Claim& find_claim(const std::string& id);
// As it is written for a reader: without "claim-".
std::string name_of(const Claim& claim);

}  // namespace gradus::examples
