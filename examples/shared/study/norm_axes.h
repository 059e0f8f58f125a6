// Which elements does a norm average over? Asked of the code itself: those on which one output element depends.
#pragma once

#include "nn/layer.h"

namespace gradus::examples {

// Ones (i64, in the shape of x) where dy[index]/dx ≠ 0, for a random x of this shape: Wu and He's diagram (2018).
// Runs `norm` once, in its mode: batch norm averages over the batch in training alone, and counts this x as one.
// ValueError when the index is out of range.
Tensor norm_footprint(nn::Layer& norm, const Shape& shape, const Shape& index);

// How far the footprint of the first element extends along each axis: [1, C, H, W] for layer norm of an image,
// [N, 1, H, W] for batch norm, all 1 where nothing is averaged.
Shape norm_extent(nn::Layer& norm, const Shape& shape);

}  // namespace gradus::examples
