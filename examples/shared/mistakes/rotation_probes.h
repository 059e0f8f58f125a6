// What a rotation must do, asked of it by its outputs alone.
#pragma once

#include "examples/shared/mistakes/rotations.h"
#include "examples/shared/study/distance_law.h"

namespace gradus::examples {

// ⟨R_m q, R_n k⟩ for all m, n < length: q and k [d], in head 0 of two. f64 [length, length].
Tensor rotated_scores(const Rotation& rotation, const Tensor& q, const Tensor& k, int64_t length, int64_t shift = 0);

//   spread, range  of the scores of one distance: 0; and between distances
//   shifted        greatest change of attention's output when all positions move on by 17: 0
//   first_angle    of the fastest pair, in radians a position: 1
//   decoded        greatest change of the last output where the query comes alone, as in generation: 0
//   first_slope    of ALiBi with 8 heads: 1/2
std::vector<Probe> probes_of(const Rotation& rotation, int64_t head_dim, std::uint64_t seed);

}  // namespace gradus::examples
