#include "examples/exercises/in_place/gpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/in_place/model.h"
#include "examples/exercises/in_place/put.h"
#include "examples/exercises/in_place/rule_check.h"
#include "examples/exercises/set/functions.h"
#include "nn/nn.h"
#include "optim/optim.h"

namespace gradus::exercises {
namespace {

using Put = void (*)(Parts&, const Functions&);
enum class Blocks { none, first, second, both };

// Where an exercise's functions go. The training loop and the check of the rules are not parts, and put nowhere.
struct Seat {
  const char *id, *part;
  Blocks blocks = Blocks::none;
  Put put = nullptr;
};
constexpr Seat kSeats[] = {
    {"rule-matmul", "each product of matrices, on the way back", Blocks::both, put::rule_matmul},
    {"rms-norm", "the norms of block 1, and the last one", Blocks::first, put::rms_norm},
    {"rule-broadcast", "the norms of block 2, made of sums and repeats", Blocks::second, put::rule_broadcast},
    {"heads", "apart and together, in both blocks", Blocks::both, put::heads},
    {"rope", "the positions, in both blocks", Blocks::both, put::rope},
    {"attention", "attention in block 1", Blocks::first, put::attention},
    {"attention-gradient", "what comes back through it", Blocks::first, put::attention_gradient},
    {"softmax", "attention's weights in block 2", Blocks::second, put::softmax},
    {"swiglu", "the gated layer of block 1", Blocks::first, put::swiglu},
    {"activations", "the gate of block 2: SiLU", Blocks::second, put::activations},
    {"rule-mul", "the gate of block 2: its product", Blocks::second, put::rule_mul},
    {"block", "both blocks: where the norms and the sums stand", Blocks::both, put::block},
    {"cross-entropy", "the loss of each text", Blocks::first, put::cross_entropy},
    {"the-walk", "from the loss back to its four texts", Blocks::first, put::the_walk},
    {"gradcheck", "says whether the gradients are right, at the start"},
    {"training-loop", "the last steps: plain descent, and held-out text"},
    {"clip-and-schedule", "the length and the rate of the first steps", Blocks::first, put::clip_and_schedule},
    {"adamw", "the first steps", Blocks::first, put::adamw},
    {"kv-cache", "writes without reading all of the text anew", Blocks::both, put::kv_cache},
    {"sampling", "draws each byte that is written", Blocks::first, put::sampling},
};
constexpr std::pair<const char*, const char*> kElsewhere[] = {
    {"layer-norm-gradient", "the norm of GPT-2 and BERT"},          {"batch-norm-running", "the norm of networks for pictures"},
    {"sinusoids", "the positions of the first Transformer"},        {"alibi", "the positions of BLOOM and MPT"},
    {"cross-attention", "how the decoder of a translator asks"},    {"lstm-step", "the language models before attention"},
    {"ring-all-reduce", "the sum of gradients over many machines"}, {"tensor-parallel", "layers too large for one machine"},
};

void sit_down(const Seat& seat, GptParts& parts, const Functions& mine) {
  if (seat.blocks == Blocks::first || seat.blocks == Blocks::both) seat.put(parts.whole, mine);
  if (seat.blocks == Blocks::second || seat.blocks == Blocks::both) seat.put(parts.pieces, mine);
}

GptParts gpt_parts(const Answers& mine) {
  GptParts parts;
  parts.whole.feed_forward = [](const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3) {
    return nn::formula::gated_feed_forward(nn::act::silu, x, w1, {}, w2, w3);
  };
  put::sampling(parts.whole, right_functions("sampling"));
  for (const Seat& seat : kSeats) {
    const auto found = mine.find(seat.id);
    if (found != mine.end() && seat.put != nullptr) sit_down(seat, parts, found->second);
  }
  return parts;
}

// --- the last steps ----------------------------------------------------------------------------------------------------------

constexpr int kPart = 3;  // texts of a batch that go through the model at once

Tensor rows_of(const examples::Batch& batch) { return cat({batch.inputs, slice(batch.targets, 1, -1)}, 1); }  // [B, T + 1]

// What the exercise training-loop asks for, with the library's optimizer, and the whole batch at once.
Tensor loop_of_library(const set::Loss& loss, const set::Switch&, const Tensors& parameters, const Tensor& text, const Tensor& held, int,
                       double most) {
  const auto loss_of = [&](const Tensor& rows) { return loss(slice(rows, 1, 0, -1), slice(rows, 1, 1)); };
  const int steps = static_cast<int>(text.size(0));
  const optim::ScheduleOptions schedule = {.max_lr = 2, .min_lr = 0.2, .warmup = 3, .total = steps};
  optim::SGD optimizer(parameters);
  std::vector<double> losses;
  for (int t = 1; t <= steps; ++t) {
    optimizer.zero_grad();
    loss_of(text[t - 1]).backward();
    optim::clip_grad_norm(parameters, most);
    optimizer.step(optim::cosine_schedule(schedule, t));
    const NoGrad off;
    losses.push_back(loss_of(held).item());
  }
  return from_vector(losses, {steps});
}

// The loss of held-out text after each; a gradient is at most `most` long.
std::vector<double> steps_by(set::Train* loop, LanguageModel& model, int steps, double most) {
  Tensors batches;
  const Tensor held = rows_of(model.next_batch());
  for (int t = 0; t < steps; ++t) batches.push_back(rows_of(model.next_batch()));
  const auto loss = [&](const Tensor& x, const Tensor& y) { return model.loss_of(x, y); };
  const Tensor losses = loop(loss, [](bool) {}, model.values(), stack(batches), held, kPart, most);
  check<ShapeError>(losses.shape() == Shape{steps}, "train gives {}, not [{}]", losses.shape(), steps);
  return array_of("losses", losses).numbers;
}

std::string first_wrong_verdict(const Functions& gradcheck) {
  for (const Judged& one : judge_rules(gradcheck)) {
    if (one.are_right != one.found_right) return "the verdict on " + one.rules;
  }
  return "";
}

}  // namespace

const std::vector<PartOf>& parts_of_models() {
  static const std::vector<PartOf> all = [] {
    std::vector<PartOf> parts;
    for (const Seat& seat : kSeats) parts.push_back({seat.id, seat.part, true});
    for (const auto& [id, part] : kElsewhere) parts.push_back({id, part, false});
    return parts;
  }();
  return all;
}

const std::string& part_of(const std::string& id) {
  for (const PartOf& one : parts_of_models()) {
    if (one.id == id) return one.part;
  }
  throw ValueError(fmt::format("'{}' is no part of a model", id));
}

Trained train_gpt(const Answers& mine, int steps, int written, const Tell& tell) {
  const GptParts parts = gpt_parts(mine);
  LanguageModel model(parts);
  const auto loop = mine.find("training-loop");
  const int by_loop = std::max(steps / 10, 4);  // three of them warm up
  const Training first = train(model, parts.whole.descent, steps - by_loop, tell);
  Trained trained{first.losses, first.begun, ""};
  const std::vector<double> last = steps_by(loop == mine.end() ? loop_of_library : own<set::Train>(loop->second[0]), model, by_loop, 0.05);
  trained.losses.insert(trained.losses.end(), last.begin(), last.end());
  if (tell) tell(steps, last.back());
  trained.text = model.write(written, 0.7, &trained.seen);
  return trained;
}

std::vector<double> held_out_losses(const Functions& loop, int steps) {
  LanguageModel model;
  return steps_by(own<set::Train>(loop[0]), model, steps, 0.5);
}

std::string first_unlike(const Trained& mine, const Trained& library) {
  const auto all_of = [](const Trained& one) {
    Seen all = one.seen;
    for (std::size_t t = 0; t < one.losses.size(); ++t) {
      all.emplace_back(fmt::format("the loss of step {}", t + 1), full({}, one.losses[t], DType::f64));
    }
    return all;
  };
  return first_difference(all_of(mine), all_of(library));
}

std::string first_unlike_library(const std::string& id, const Functions& mine) {
  constexpr int kSteps = 5, kWritten = 4;
  if (id == "gradcheck") return first_wrong_verdict(mine);
  return first_unlike(train_gpt({{id, mine}}, kSteps, kWritten), train_gpt({}, kSteps, kWritten));
}

}  // namespace gradus::exercises
