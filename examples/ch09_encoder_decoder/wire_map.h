// Where the writer looks: the weights of cross-attention, the wire between the two networks, as pictures.
#pragma once

#include <string>

#include "examples/ch09_encoder_decoder/reverser.h"
#include "examples/shared/report/chapter.h"

namespace gradus::examples {

// The cross-attention of the last block while it writes the right letters: [heads, n, n + 1].
Tensor cross_weights(nn::EncoderDecoder& model, const Pairs& task, bool connected = true);

// What a map is drawn of: weights [n, n + 1], the letters that are written, those that were read, and the mark.
void keep_map(Chapter& chapter, const std::string& path, const Tensor& weights, const Pairs& task);

// The one picture: the anti-diagonal that a model learned which reverses, head by head, and what is there with the wire cut.
void anti_diagonal(Chapter& chapter, nn::EncoderDecoder& model);

}  // namespace gradus::examples
