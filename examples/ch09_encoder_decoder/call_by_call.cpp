#include "examples/ch09_encoder_decoder/call_by_call.h"

#include "core/core.h"
#include "examples/ch09_encoder_decoder/call_steps.h"
#include "examples/ch09_encoder_decoder/reverser.h"
#include "nn/nn.h"

namespace gradus::examples {

void call_by_call(Chapter& chapter) {
  nn::TransformerOptions sizes = nn::original_transformer();
  sizes.vocabulary = kLetters + 1;
  sizes.context = kLongest + 1;
  sizes.d_model = 512;
  sizes.layers = 6;
  sizes.heads = 8;
  nn::EncoderDecoder model({.stacks = sizes});
  const Pairs task = pairs(1, kTrained);
  std::vector<std::string> paths;
  for (const CallStep& step : call_steps([&] { return nn::softmax(model(task.source, begun(task.letters))); })) {
    const std::string at = "calls." + step.path;
    chapter.word(at + ".type", step.type);
    chapter.number(at + ".shape", std::vector<double>(step.shape.begin(), step.shape.end()));
    chapter.words(at + ".reads", step.reads);
    paths.push_back(step.path);
  }
  chapter.series("calls", paths);
}

}  // namespace gradus::examples
