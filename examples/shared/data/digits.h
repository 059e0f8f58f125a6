// Digits: 1,797 real images for small networks, handwritten digits of 8 × 8 pixels (Alpaydin and Kaynak, 1998;
// examples/data/README.md has source and licence).
#pragma once

#include <cmath>
#include <filesystem>

#include "core/core.h"

namespace gradus::examples {

struct LabelledImages {
  Tensor images;  // [N, 1, 8, 8] f32, from 0 (paper) to 1 (ink)
  Tensor labels;  // [N] i64, 0 … 9
};

// The split is fixed: the file's first 1,500 to train on, its last 297 held out.
struct Digits { LabelledImages train, held_out; };

inline const double kGuessing = std::log(10);  // nats: what guessing one of ten digits costs

// What counting costs that sees one pixel of an image, the one of 64 that tells most: of how many of the images to train on with
// this shade is it each digit? 0.1 is added to each count. To an image what counting pairs is to a byte.
enum class DigitsPart { train, held_out };
double one_pixel_loss(DigitsPart measured);

Digits read_digits();  // the project's own copy
// IoError, which says what is wrong, for a file that is missing, damaged or another one.
Digits read_digits(const std::filesystem::path& path);

// `size` of them drawn at random; one may come twice.
LabelledImages random_batch(const LabelledImages& from, int64_t size, Generator& generator);

}  // namespace gradus::examples
