// What is known of good shapes for a model: advice, never an error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gradus::nn {

using std::int64_t;

// d_head = d / H: heads share the width of the stream. ValueError unless H divides d.
int64_t head_dim(int64_t d_model, int64_t heads);

// d / L, width over depth: between 100 and 156 models of one size learn about equally well (Kaplan et al., 2020; Levine
// et al., 2020), and far wider or deeper ones worse.
double aspect_ratio(int64_t d_model, int64_t layers);

// What is unusual about a shape, a sentence each; empty when nothing is. ValueError unless heads divide d_model.
std::vector<std::string> shape_warnings(int64_t d_model, int64_t layers, int64_t heads);

}  // namespace gradus::nn
