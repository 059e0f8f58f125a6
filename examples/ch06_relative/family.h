// Every position encoding against three wishes: unique, relative, good for longer texts than it was trained on.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

void compare_encodings(Chapter& chapter);

}  // namespace gradus::examples
