// What is known of good shapes for a model: advice, never an error.
#pragma once

#include <string>
#include <vector>

#include "nn/block/multi_head_attention.h"  // head_dim

namespace gradus::examples {

// d / L, width over depth: between 100 and 156 models of one size learn about equally well (Kaplan et al., 2020;
// Levine et al., 2020), and far wider or deeper ones worse.
double aspect_ratio(int64_t d_model, int64_t layers);

// What is unusual about a shape, a sentence each; empty when nothing is. ValueError as of nn::head_dim.
std::vector<std::string> shape_warnings(int64_t d_model, int64_t layers, int64_t heads, int64_t head_dim = 0);

}  // namespace gradus::examples
