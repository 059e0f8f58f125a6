// What a claim's own rule says of values measured in one place.
#pragma once

#include <string>
#include <vector>

#include "examples/claims/all_claims.h"

namespace gradus::test {

inline examples::Verdict verdict_of(const std::string& id, const std::vector<double>& values) {
  return examples::judge(examples::find_claim(id).rule, {{{}, values}}).verdict;
}

}  // namespace gradus::test
