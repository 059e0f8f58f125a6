// The program gpt.cpp, which is made of ops alone, learns as the same model made of nn's modules, and as PyTorch's.
#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "examples/first/text.h"
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

// All that the program includes is included above, so that what remains of it here is what it defines.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"  // its main() is one no more
namespace program {
#include "examples/first/gpt.cpp"
}  // namespace program
#pragma GCC diagnostic pop

namespace {

constexpr std::size_t kCompared = 20;

// The same numbers here and in generate_gpt.py: parameter k, counted in the order of `parameters`.
Tensor start(std::size_t k, const Shape& shape) {
  Tensor index = cast(arange(shape.numel()), DType::f64);
  Tensor wave = sin(1.7 * index + 0.3 * static_cast<double>(k));
  Tensor values = shape.rank() == 1 ? 1 + 0.1 * wave : 0.1 * wave;
  return reshape(values, shape).set_requires_grad();
}

// The program's model in f64: each of its fields is replaced, and the list of parameters made anew.
program::Gpt wide_gpt() {
  program::parameters.clear();
  program::Gpt model;
  program::parameters.clear();
  const auto replace = [](Tensor& field) {
    field = start(program::parameters.size(), field.shape());
    program::parameters.push_back({field, zeros_like(field), zeros_like(field)});
  };
  replace(model.table);
  for (program::Block& block : model.blocks) {
    for (Tensor* field :
         {&block.gain1, &block.gain2, &block.query, &block.key, &block.value, &block.out, &block.gate, &block.up, &block.down}) {
      replace(*field);
    }
  }
  replace(model.gain);
  return model;
}

// [12, 65]: what step t learns from.
Tensor pieces(const Tensor& text, std::size_t step) {
  const auto t = static_cast<int64_t>(step);
  Tensor starts = 1009 * arange(program::kBatch * (t - 1), program::kBatch * t);
  return take(text, reshape(starts, {program::kBatch, 1}) + arange(program::kContext + 1));
}

Tensor shakespeare() {
  std::string path = source_root() + "/examples/data/shakespeare.txt";
  char* arguments[] = {path.data(), path.data()};
  return first::read_text(2, arguments);
}

std::vector<double> train_the_program() {
  const program::Gpt model = wide_gpt();
  const Tensor text = shakespeare();
  std::vector<double> losses;
  for (std::size_t t = 1; t <= kCompared; ++t) {
    Tensor loss = model.loss(pieces(text, t));
    losses.push_back(loss.item());
    loss.backward();
    const int step = static_cast<int>(t);
    program::adamw(program::rate(step), step);
  }
  program::parameters.clear();
  return losses;
}

const std::vector<double>& losses_of_the_program() {
  static const std::vector<double> losses = train_the_program();
  return losses;
}

}  // namespace

TEST_CASE("gpt: its first 20 losses are those of the same model made of nn's modules") {
  const std::vector<double>& expected = losses_of_the_program();
  nn::LanguageModel model({.context = program::kContext,
                           .d_model = program::kWidth,
                           .layers = program::kBlocks,
                           .heads = program::kHeads,
                           .d_ff = program::kHidden});
  model.to(DType::f64);
  NamedTensors state;
  const auto next = [&](const std::string& name, const Shape& shape) {  // in wide_gpt's order
    Tensor value = start(state.size(), shape).detach();
    state.emplace_back(name, name.find("embedding") == 0 || value.rank() == 1 ? value : transpose(value));  // a Linear is turned
  };
  constexpr int64_t width = program::kWidth, hidden = program::kHidden;
  next("embedding.weight", {256, width});
  for (int i = 0; i < program::kBlocks; ++i) {
    const std::string block = fmt::format("blocks.{}.", i);
    for (const char* norm : {"norm1", "norm2"}) next(block + "placement." + norm + ".gain", {width});
    for (const char* map : {"q", "k", "v", "out"}) next(block + "attention." + map + "_proj.weight", {width, width});
    for (const char* map : {"w1", "w3"}) next(block + "feed_forward." + map + ".weight", {width, hidden});
    next(block + "feed_forward.w2.weight", {hidden, width});
  }
  next("final_norm.gain", {width});
  model.load_state_dict(state);
  optim::AdamW optimizer(model.named_parameters(), {.beta2 = 0.95, .weight_decay = 0.1});
  const optim::ScheduleOptions schedule = {.max_lr = 3e-3, .min_lr = 3e-4, .warmup = 100, .total = program::kSteps};
  const Tensor text = shakespeare();
  for (std::size_t t = 1; t <= kCompared; ++t) {
    Tensor piece = pieces(text, t);
    Tensor loss = nn::cross_entropy(model(slice(piece, 1, 0, -1)), slice(piece, 1, 1));
    CHECK(std::abs(loss.item() - expected[t - 1]) < 1e-9);
    loss.backward();
    optimizer.step(optim::cosine_schedule(schedule, static_cast<int64_t>(t)));
    optimizer.zero_grad();
  }
}

TEST_CASE("gpt: its rate is the cosine schedule, its weights begin in the size they should, its draws are those of softmax") {
  const optim::ScheduleOptions schedule = {.max_lr = 3e-3, .min_lr = 3e-4, .warmup = 100, .total = program::kSteps};
  for (int t = 1; t <= program::kSteps; ++t) CHECK(std::abs(program::rate(t) - optim::cosine_schedule(schedule, t)) < 1e-15);
  CHECK(stddev(program::weight(64, 192)).item() == doctest::Approx(std::sqrt(2.0 / 256)).epsilon(0.03));
  CHECK(stddev(program::Gpt().table).item() == doctest::Approx(0.02).epsilon(0.03));
  program::parameters.clear();
  Tensor drawn = program::draw(expand(tensor({{1, 2, 3}}), {100000, 3}));
  Tensor shares = mean(cast(flatten(drawn), DType::f32) == tensor({{0}, {1}, {2}}), 1);
  CHECK(difference(shares, tensor({0.0900, 0.2447, 0.6652}), 0.01) == "");
}

TEST_CASE("gpt: its first 20 losses are those of a PyTorch twin") {
  const std::vector<double>& losses = losses_of_the_program();
  const Tensor expected = read_fixture("gpt.safetensors").tensors.at("losses");
  CHECK(difference(tensor(losses, DType::f64), expected, 1e-9) == "");
  CHECK(losses.front() - losses.back() > 0.5);  // it has learned: the steps are compared, not the start alone
}
