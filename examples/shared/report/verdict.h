// What is said of a sentence that was measured.
#pragma once

namespace gradus::examples {

enum class Verdict { confirmed, refuted, depends, undecided, nothing };  // nothing: of a void place, whose models did not train
const char* word_of(Verdict verdict);                                    // "confirmed" …
// What one chapter saw of a sentence that the program `claims` judges, in more places and with more seeds: "seen here", "not
// seen here", "partly seen here", "undecided here". So no sentence has two verdicts.
const char* seen_here(Verdict verdict);

}  // namespace gradus::examples
