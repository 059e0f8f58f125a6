// The tables of bad calls of nn, one for each of its folders, and the words that their rows share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nn/nn.h"
#include "tests/support/bad_input.h"

namespace gradus::test {

BadCalls activation_calls();
BadCalls attention_calls();
BadCalls block_calls();
BadCalls convolution_calls();
BadCalls feed_forward_calls();
BadCalls init_calls();
BadCalls layer_calls();
BadCalls loss_calls();
BadCalls multi_head_attention_calls();
BadCalls norm_calls();
BadCalls norm_function_calls();
BadCalls part_calls();  // where a part, such as a norm or a function, is missing
BadCalls position_calls();
BadCalls position_class_calls();
BadCalls recurrent_calls();

// All of these throw nothing by themselves.
inline Tensor f32(const Shape& shape) { return zeros(shape); }
inline Tensor f64(const Shape& shape) { return zeros(shape, DType::f64); }
inline Tensor i64(const Shape& shape) { return zeros(shape, DType::i64); }

// What is refused as not finite, as not finite or negative, as not finite or not positive, and as no share in [0, 1).
inline const std::vector<double> kNotFinite{kNaN, kInfinity, -kInfinity};
inline const std::vector<double> kNegative{kNaN, kInfinity, -kInfinity, -1, -1e-9};
inline const std::vector<double> kNotPositive{kNaN, kInfinity, -kInfinity, -1, 0};
inline const std::vector<double> kNoProbability{kNaN, kInfinity, -kInfinity, -0.1, 1, 1.5};

}  // namespace gradus::test
