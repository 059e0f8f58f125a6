// What the notes say of norms, held against the library; and the same names for other formulas.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

void claims_of_norms(Chapter& chapter);
void conventions_of_norms(Chapter& chapter);

}  // namespace gradus::examples
