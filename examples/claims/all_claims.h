// The claims of the notes and their errata, and some that others published: what each says and by which rule it is judged stands in sentences.json, how it is
// measured in the family of its experiment.
#pragma once

#include <map>

#include "examples/shared/experiment/claim.h"

namespace gradus::examples {

using Experiments = std::map<std::string, std::function<Evidence(Lab&)>>;  // by the claim's id
Experiments placement_experiments();
Experiments stream_experiments();
Experiments norm_experiments();
Experiments norm_reason_experiments();
Experiments activation_experiments();
Experiments activation_training_experiments();
Experiments feed_forward_experiments();
Experiments position_experiments();
Experiments model_experiments();
Experiments published_experiments();
Experiments clarified_errata();

// The text of sentences.json: a list of claims, and then of errata. A rule may leave out unit, sample, must_train and values.
const std::string& sentences_json();

// The claims that the text has, in its order, each with its experiment. ValueError if one of the two has no other, or if the text is
// no such list.
std::vector<Claim> claims_of(const std::string& text, Experiments experiments);
// Those of sentences.json.
const std::vector<Claim>& all_claims();
// By its id, with or without "claim-". ValueError, with the nearest, for one that there is not.
const Claim& find_claim(const std::string& id);
// As it is written for a reader: without "claim-".
std::string name_of(const Claim& claim);

}  // namespace gradus::examples
