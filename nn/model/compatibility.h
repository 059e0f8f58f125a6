// Which variants go together: the cross product norm × feed-forward × position × placement has few holes, and each is
// refused with its reason.
#pragma once

#include <string>

namespace gradus::nn {

struct LanguageModelOptions;

// Why a causal language model of these variants would make no sense; empty when it does. The reasons come from what the
// parts do, not from their names, so that a new variant needs no entry here:
//   a norm that mixes tokens lets each see those that come after it;
//   a placement that multiplies the stream in every block needs a norm that takes its scale out again.
// ValueError for an unknown variant, with the nearest name.
std::string why_not(const LanguageModelOptions& options);

}  // namespace gradus::nn
