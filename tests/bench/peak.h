// What the processors could do at most.
#pragma once

namespace gradus::bench {

// Multiplications and additions of f32 by all threads, in vectors that stay in registers, in 10⁹ a second: no product is faster.
double peak_gflops();

}  // namespace gradus::bench
