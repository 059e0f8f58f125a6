// Bad calls of every function, class and option of nn: each is refused with its class of error and a text that names it.
#include "tests/nn/bad_input/tables.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("bad calls of nn are refused, each with its class and its text, and change nothing") {
  const std::pair<const char*, BadCalls (*)()> tables[] = {{"activation", activation_calls},
                                                           {"attention", attention_calls},
                                                           {"block", block_calls},
                                                           {"convolution", convolution_calls},
                                                           {"feed-forward", feed_forward_calls},
                                                           {"init", init_calls},
                                                           {"layer", layer_calls},
                                                           {"loss", loss_calls},
                                                           {"multi-head attention", multi_head_attention_calls},
                                                           {"norm", norm_calls},
                                                           {"norm function", norm_function_calls},
                                                           {"part", part_calls},
                                                           {"position", position_calls},
                                                           {"position class", position_class_calls},
                                                           {"recurrent", recurrent_calls}};
  std::size_t count = 0;
  for (const auto& [name, calls] : tables) {
    CAPTURE(name);
    const BadCalls rows = calls();
    check_bad_calls(rows);
    count += rows.size();
  }
  MESSAGE(fmt::format("{} bad calls of nn", count));
  CHECK(count >= 350);
}
