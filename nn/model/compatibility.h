// Which variants go together: the cross product norm × feed-forward × position × placement has few holes, and each is
// refused with its reason.
#pragma once

#include <string>

namespace gradus::nn {

struct LanguageModelOptions;

// What of a stack of blocks decides whether its variants go together.
struct StackVariants {
  std::string norm;
  std::string placement;
  std::string qk_norm = "";  // empty: none
  bool causal = true;
};

// Why a stack of these variants would make no sense; empty when it does. The reasons come from what the parts do, not
// from their names, so that a new variant needs no entry here:
//   a norm that mixes tokens, of the stream or of queries and keys, lets a causal stack see what it is to predict;
//   a placement that multiplies the stream in every block needs a norm that takes its scale out again.
// ValueError for an unknown variant, with the nearest name.
std::string why_not(const StackVariants& variants);
std::string why_not(const LanguageModelOptions& options);

}  // namespace gradus::nn
