// What note-takers ask of a position encoding, measured: does it tell all positions apart, does it know the distance alone,
// does a model that was trained on short texts work on longer ones?
#pragma once

#include <string>
#include <vector>

#include "examples/shared/study/distance_law.h"
#include "nn/model/language_model.h"

namespace gradus::examples {

constexpr int64_t kTrainedLength = 32;

struct MeasuredEncoding {
  std::string name, place;  // in position_encodings(); Taxonomy in words
  DistanceLaw law;          // of the scores between equal tokens, j <= i; the head where distance explains least
  double nearest;           // the least difference of the last query's scores on two places, all heads, relative to their size
  std::vector<std::vector<double>> accuracy = {};  // of each seed, at T, 2T, 4T: which token was `kLookBack` places before?
};
constexpr int64_t kLookBack = 3, kLookBackTokens = 16;

// Over `length` positions, at most 256.
MeasuredEncoding measure_encoding(const std::string& name, std::uint64_t seed, int64_t length = 64);

// One layer of attention learns to name the token `kLookBack` places before, out of 16, from texts of T = kTrainedLength
// tokens; it can read texts of up to `longest`.
nn::LanguageModel look_back_model(const std::string& name, int steps, std::uint64_t seed, int64_t longest);
// Its accuracy in the second half of texts n times as long as T, for each n of `times`: at places that no shorter text has.
std::vector<double> look_back_accuracy(const std::string& name, int steps, std::uint64_t seed,
                                       const std::vector<int64_t>& times = {1, 2, 4});

}  // namespace gradus::examples
