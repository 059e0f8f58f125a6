// What the tests of the position encodings share: small ones of every row of the table, with their parameters as inputs.
#pragma once

#include <string>

#include "core/inspect/gradcheck.h"
#include "nn/position/position_encoding.h"
#include "tests/support/tensors.h"

namespace gradus::test {

constexpr nn::PositionOptions kSmall{.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16};

// A row of the table, small enough that every parameter can be checked by differences: f64, all parameters random.
nn::PositionEncodingPtr small_encoding(const std::string& name, const nn::PositionOptions& options = kSmall);

// The encoding's parameters, in the order of its members, to be replaced by tensors on a tape.
std::vector<Tensor*> parameter_fields(nn::PositionEncoding& position);
Tensors values_of(const std::vector<Tensor*>& fields);

// Attention of q, k, v [B, T, H, d] at these positions, with the encoding wherever it acts but on the embedding.
Tensor attend(nn::PositionEncoding& position, const Tensor& q, const Tensor& k, const Tensor& v, const nn::Positions& positions,
              bool causal = true);

}  // namespace gradus::test
