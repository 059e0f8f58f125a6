// What every model that writes must hold: with a cache it gives, id by id, the scores of the whole text at once.
#pragma once

#include "nn/model/language_model.h"
#include "tests/support/check.h"

namespace gradus::test {

// Both texts are [1, 6], and differ in their last id alone: no score may read a later id.
inline void check_writing(nn::LanguageModel& model, const Tensor& text, const Tensor& other) {
  const Tensor whole = model(text);
  CHECK(equal(slice(whole, 1, 0, 5), slice(model(other), 1, 0, 5)));
  nn::GenerationCache past;
  for (int64_t t = 0; t < 6; ++t) {
    CHECK(difference(model(slice(text, 1, t, t + 1), past), slice(whole, 1, t, t + 1), 1e-12) == "");
  }
}

}  // namespace gradus::test
