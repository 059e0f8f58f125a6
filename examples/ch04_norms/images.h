// The norms of images in a network that sees images: what each does to its training, and what a small batch does to each.
#pragma once

#include "examples/shared/report/chapter.h"

namespace gradus::examples {

void norms_on_images(Chapter& chapter);

}  // namespace gradus::examples
