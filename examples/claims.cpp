// claims: what the notes claim, each decided here by an experiment and a rule that was fixed before it.
#include <fmt/format.h>

#include "examples/support/claims/claims.h"
#include "examples/support/claims/lab.h"

using namespace gradus;
using namespace gradus::examples;

int main(int argc, char** argv) {
  Journal journal;
  Lab lab(journal, false, 0);
  for (const Claim& claim : all_claims()) {
    if (argc > 1 && name_of(claim) != argv[1]) continue;
    lab.begin(claim.id);
    const Finding finding = judge(claim.rule, claim.measure(lab));
    fmt::print("claim {}: {}\n  {}\n", name_of(claim), word_of(finding.verdict), text_of(claim.rule));
    for (const Told& told : finding.places) {
      fmt::print("  {} {} ± {}, p {} {}\n", text_of(told.condition.where), told.spread.mean, told.spread.sigma, told.p,
                 word_of(told.verdict));
    }
  }
}
