#include "examples/shared/report/verdict.h"

namespace gradus::examples {

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "confirmed";
    case Verdict::refuted: return "refuted";
    case Verdict::depends: return "depends";
    case Verdict::undecided: return "undecided";
    case Verdict::nothing: break;
  }
  return "void";
}

const char* seen_here(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "seen here";
    case Verdict::refuted: return "not seen here";
    case Verdict::depends: return "partly seen here";
    case Verdict::undecided:
    case Verdict::nothing: break;
  }
  return "undecided here";
}

}  // namespace gradus::examples
