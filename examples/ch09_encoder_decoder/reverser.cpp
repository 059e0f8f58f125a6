#include "examples/ch09_encoder_decoder/reverser.h"

#include "examples/shared/report/values.h"
#include "nn/loss/cross_entropy.h"
#include "optim/adam.h"
#include "optim/clip.h"
#include "optim/schedule.h"

namespace gradus::examples {

Pairs pairs(int64_t batch, int64_t length) {
  const Tensor letters = randint(0, kLetters, {batch, length});
  return {cat({letters, full({batch, 1}, kMark, DType::i64)}, 1), flip(letters, {1})};
}

std::string in_letters(const Tensor& ids) {
  std::string text;
  for (const double id : values_of(ids)) text += id < kLetters ? static_cast<char>('a' + static_cast<int>(id)) : '.';
  return text;
}

Tensor begun(const Tensor& letters) { return cat({full({letters.size(0), 1}, kMark, DType::i64), slice(letters, 1, 0, -1)}, 1); }

Tensor wire(const Tensor& source, bool connected) { return full(source.shape(), connected ? 1 : 0, DType::i64); }

std::vector<double> teach(nn::EncoderDecoder& model, const Lesson& lesson) {
  const optim::ScheduleOptions rate{.max_lr = 2e-3, .min_lr = 1e-4, .warmup = lesson.steps / 10, .total = lesson.steps};
  optim::AdamW optimizer(model.named_parameters(), {});
  const Tensors parameters = model.parameters();
  std::vector<double> losses;
  for (int64_t step = 1; step <= lesson.steps; ++step) {
    const int64_t length = lesson.shortest + (step - 1) % (lesson.longest - lesson.shortest + 1);
    const auto [source, letters] = pairs(lesson.batch, length);
    const Tensor loss = nn::cross_entropy(model(source, begun(letters), wire(source, lesson.connected)), letters);
    loss.backward();
    optim::clip_grad_norm(parameters, 1);
    optimizer.step(optim::cosine_schedule(rate, step));
    optimizer.zero_grad();
    losses.push_back(loss.item());
  }
  return losses;
}

Tensor write_down(nn::EncoderDecoder& model, const Tensor& source, bool connected) {
  const NoGrad off;
  Tensor written = full({source.size(0), 1}, kMark, DType::i64);
  for (int64_t i = 0; i + 1 < source.size(1); ++i) {
    const Tensor scores = select(model(source, written, wire(source, connected)), 1, -1);
    written = cat({written, argmax(slice(scores, -1, 0, kLetters), -1, true)}, 1);
  }
  return slice(written, 1, 1);
}

Score examine(nn::EncoderDecoder& model, int64_t length, bool connected, int64_t count) {
  const auto [source, letters] = pairs(count, length);
  const Tensor right = eq(write_down(model, source, connected), letters);
  return {mean(right).item(), mean(min(right, 1)).item()};
}

}  // namespace gradus::examples
