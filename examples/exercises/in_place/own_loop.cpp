#include "examples/exercises/in_place/own_loop.h"

#include <algorithm>

#include "core/core.h"
#include "examples/exercises/in_place/model.h"
#include "examples/exercises/set/set.h"
#include "optim/optim.h"

namespace gradus::exercises {
namespace {

constexpr double kMost = 0.1;
constexpr int kPart = 3;  // rows of a batch that go through the model at once

Tensor rows_of(const examples::Batch& batch) { return cat({batch.inputs, slice(batch.targets, 1, -1)}, 1); }  // [B, T + 1]

// A model, and the text of all steps.
struct Course {
  LanguageModel model{library_parts()};
  Tensor text, held;

  explicit Course(int steps) : held(rows_of(model.next_batch())) {
    Tensors batches;
    for (int t = 0; t < steps; ++t) batches.push_back(rows_of(model.next_batch()));
    text = stack(batches);
    model.switch_dropout(true);
  }

  Tensor loss_of(const Tensor& rows) { return model.loss_of(slice(rows, 1, 0, -1), slice(rows, 1, 1)); }

  void end(Training& training) const {
    const Tensors values = model.values();
    for (std::size_t i = 0; i < values.size(); ++i) training.ended.emplace_back(model.name(i) + " after all steps", values[i].detach());
  }
};

}  // namespace

Training train_by(set::Train* loop, int steps) {
  Course course(steps);
  LanguageModel& model = course.model;
  Training training;
  const Tensor losses = loop([&](const Tensor& x, const Tensor& y) { return model.loss_of(x, y); }, [&](bool on) { model.switch_dropout(on); },
                             model.values(), course.text, course.held, kPart, kMost);
  check<ShapeError>(losses.shape() == Shape{steps}, "train gives {}, not [{}]", losses.shape(), steps);
  training.losses = array_of("losses", losses).numbers;
  course.end(training);
  return training;
}

Training train_by_library(int steps) {
  Course course(steps);
  Training training;
  const Tensors parameters = course.model.values();
  const optim::ScheduleOptions schedule = {.max_lr = 2, .min_lr = 0.2, .warmup = 3, .total = std::max(steps, 3)};
  optim::SGD optimizer(parameters);
  for (int t = 1; t <= steps; ++t) {
    course.model.switch_dropout(true);
    course.loss_of(course.text[t - 1]).backward();
    optim::clip_grad_norm(parameters, kMost);
    optimizer.step(optim::cosine_schedule(schedule, t));
    optimizer.zero_grad();
    course.model.switch_dropout(false);
    const NoGrad off;
    training.losses.push_back(course.loss_of(course.held).item());
  }
  course.end(training);
  return training;
}

}  // namespace gradus::exercises
