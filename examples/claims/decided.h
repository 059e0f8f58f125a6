// What was decided: in the terminal, and as JSON, of which docs/kit/reports/claims.mjs makes a page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "examples/shared/experiment/claim.h"
#include "examples/shared/experiment/made.h"

namespace gradus::examples {

struct Decided {
  const Claim* claim = nullptr;
  Finding finding;
};

// How it was measured, for all of them.
struct Setting {
  bool full = false;
  std::uint64_t seed = 0;
  Made made = {};
};

// "claim rms-faster: confirmed", and under it the rule, and a line for each place with its number, spread and seeds.
std::string told_text(const Decided& decided);
// "12 confirmed, 3 refuted, 2 depend, 4 undecided here"
std::string counts_text(const std::vector<Decided>& all);

nlohmann::ordered_json json_of(const std::vector<Decided>& all, const Setting& setting);
// Back from there: what was measured of one claim, each place with its commits.
Evidence evidence_of(const nlohmann::ordered_json& claim);
// The places of both; of one that both have, what was found now.
Evidence merged(Evidence kept, const Evidence& found);

}  // namespace gradus::examples
