// The task of chapter 09: to write letters in reverse, and a model that learns it.
#pragma once

#include <string>
#include <vector>

#include "core/core.h"
#include "nn/model/encoder_decoder.h"

namespace gradus::examples {

constexpr int64_t kLetters = 16, kMark = 16;    // ids 0 … 15; one more ends a source and begins a target
constexpr int64_t kTrained = 8, kLongest = 16;  // letters of a sequence: in training, at most in the test

struct Pairs {
  Tensor source;   // [B, n + 1]: letters and the mark
  Tensor letters;  // [B, n]: the same letters in reverse, which are to be written
};
Pairs pairs(int64_t batch, int64_t length);

std::string in_letters(const Tensor& ids);  // a, b, c …; the mark is a dot

// The letters before each place of the target: the mark, and what was written so far. [B, n]
Tensor begun(const Tensor& letters);

// Is the wire from encoder to decoder there? Cut, its mask hides every key, and cross-attention gives zeros.
Tensor wire(const Tensor& source, bool connected);

// Trains on lengths from `shortest` to `longest`, one for each batch.
struct Lesson {
  int64_t shortest = 8, longest = 8, steps = 400, batch = 32;
  bool connected = true;
};
std::vector<double> teach(nn::EncoderDecoder& model, const Lesson& lesson);  // the losses

// Writes letter by letter, each time the likeliest; [B, n].
Tensor write_down(nn::EncoderDecoder& model, const Tensor& source, bool connected = true);

struct Score {
  double letters, sequences;  // shares that are right
};
Score examine(nn::EncoderDecoder& model, int64_t length, bool connected = true, int64_t count = 200);

}  // namespace gradus::examples
