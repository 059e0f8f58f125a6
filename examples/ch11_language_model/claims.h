// Chapter 11's experiments: weights that are one, scores that drift, models that are wide or deep.
#pragma once

#include "examples/ch11_language_model/trials.h"
#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// The shared table: how many parameters it saves, and that its gradient is the sum of two.
void tying(Chapter& chapter);

// Runs of `steps` steps, three seeds each, and the verdicts. A run that has not passed the trigram line is not trained.
void claims(Chapter& chapter, const Corpus& corpus, int64_t steps, double trigram);

}  // namespace gradus::examples
