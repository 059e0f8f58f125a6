#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "made/training_loop.h"
#include "nn/embedding.h"
#include "nn/loss/cross_entropy.h"
#include "optim/clip.h"
#include "optim/schedule.h"
#include "optim/sgd.h"

namespace gradus::exercises::set {
namespace in_training_loop {
namespace {

constexpr double kDropped = 0.25;

// Dropout that the id, its position and the channel decide, so that it is the same however often the model is asked.
bool kept(int id, int position, int channel) { return (3 * id + 5 * position + 7 * channel + id * channel) % 4 != 0; }

double rate(int64_t t, int64_t steps) {
  constexpr int kWarmup = 3;
  return optim::cosine_schedule({.max_lr = 2, .min_lr = 0.2, .warmup = kWarmup, .total = std::max<int64_t>(steps, kWarmup)}, t);
}

// scores = dropout(tanh(table[id])) out, of each id by itself.
struct Model {
  Tensor table, out;  // [V, d], [d, V]
  bool dropout = true;

  Model(const Tensor& the_table, const Tensor& the_out)
      : table(the_table.detach().clone().set_requires_grad()), out(the_out.detach().clone().set_requires_grad()) {}
  explicit Model(const Probe& p) : Model(tensor_of(p["table"]), tensor_of(p["out"])) {}

  Tensor mask(const Tensor& x) const {
    const Array ids = array_of("x", x);
    const int width = static_cast<int>(table.size(1));
    std::vector<double> numbers;
    for (std::size_t i = 0; i < ids.numbers.size(); ++i) {
      const int position = static_cast<int>(i) % columns_of(ids);
      for (int c = 0; c < width; ++c) {
        numbers.push_back(kept(static_cast<int>(ids.numbers[i]), position, c) ? 1 / (1 - kDropped) : 0);
      }
    }
    std::vector<int64_t> shape = x.shape().vector();
    shape.push_back(width);
    return from_vector(numbers, Shape(shape));
  }

  Tensor loss(const Tensor& x, const Tensor& y) const {
    Tensor h = tanh(nn::embedding(x, table));
    if (dropout) h = h * mask(x);
    return nn::cross_entropy(matmul(h, out), y);
  }

  Tensor loss_of(const Tensor& rows) const { return loss(slice(rows, 1, 0, -1), slice(rows, 1, 1)); }

  double measured(const Tensor& held) {
    const NoGrad off;
    dropout = false;
    return loss_of(held).item();
  }

  // A batch at once has the gradient that its parts add up to.
  void step(const Tensor& batch, double most, double lr) {
    optim::SGD optimizer({table, out});
    optimizer.zero_grad();
    dropout = true;
    loss_of(batch).backward();
    optim::clip_grad_norm({table, out}, most);
    optimizer.step(lr);
  }
};

Tensor ids_of(const Array& array) { return cast(tensor_of(array), DType::i64); }

int steps_of(const Probe& p) { return p["text"].shape[0]; }

// Losses may be floats: they are compared as such.
Array losses_of(const std::vector<double>& losses) {
  Array all{"losses", {static_cast<int>(losses.size())}, losses};
  for (double& one : all.numbers) one = static_cast<float>(one);
  return all;
}

Outputs right_train(const Probe& p) {
  Model model(p);
  const Tensor text = ids_of(p["text"]), held = ids_of(p["held"]);
  std::vector<double> losses;
  for (int t = 1; t <= steps_of(p); ++t) {
    model.step(text[t - 1], p.number("most"), rate(t, steps_of(p)));
    losses.push_back(model.measured(held));
  }
  return {losses_of(losses), array_of("table", model.table), array_of("out", model.out)};
}

// --- probes and laws -------------------------------------------------------------------------------------------------

// Ids that follow a rule most of the time: the next one is 2 id + 1.
Array written(const std::string& name, std::vector<int> shape, int ids, std::uint64_t seed) {
  Array array = drawn(name, std::move(shape), seed);
  const std::size_t columns = static_cast<std::size_t>(columns_of(array));
  for (std::size_t i = 0; i < array.numbers.size(); ++i) {
    const int noise = static_cast<int>(std::abs(array.numbers[i]) * 1000);
    const bool follows = i % columns != 0 && noise % 4 != 0;
    array.numbers[i] = (follows ? 2 * static_cast<int>(array.numbers[i - 1]) + 1 : noise) % ids;
  }
  return array;
}

struct Task {
  int steps, batch, length, held, ids, width, part;  // a row has length + 1 ids
  double most;
};
Probe probe(const std::string& name, const Task& task, std::uint64_t seed) {
  return {name,
          {written("text", {task.steps, task.batch, task.length + 1}, task.ids, seed),
           written("held", {task.held, task.length + 1}, task.ids, seed + 1), number("part", task.part), number("most", task.most),
           drawn("table", {task.ids, task.width}, seed + 2), drawn("out", {task.width, task.ids}, seed + 3)}};
}

std::string last_loss_is_without_dropout(const Probe& p, const Outputs& outputs) {
  const double got = outputs[0].numbers.back(), expected = Model(Probe{"", {outputs[1], outputs[2]}}).measured(ids_of(p["held"]));
  return std::abs(got - expected) < 1e-6 * std::abs(expected)
             ? ""
             : fmt::format("the last is {}, not {}", beside(got, expected), beside(expected, got));
}

std::string goes_no_further_than_clipped(const Probe& p, const Outputs& outputs) {
  double squares = 0, most = 0;
  for (std::size_t a : {std::size_t{1}, std::size_t{2}}) {
    const std::vector<double>& before = p[outputs[a].name].numbers;
    for (std::size_t i = 0; i < before.size(); ++i) squares += (outputs[a].numbers[i] - before[i]) * (outputs[a].numbers[i] - before[i]);
  }
  for (int t = 1; t <= steps_of(p); ++t) most += p.number("most") * rate(t, steps_of(p));
  return std::sqrt(squares) <= most * (1 + 1e-9)
             ? ""
             : fmt::format("they go {}, and {} is the most", beside(std::sqrt(squares), most), beside(most, std::sqrt(squares)));
}

// For a probe that has one step, and does not clip.
std::string one_step_is_rate_times_gradient(const Probe& p, const Outputs& outputs) {
  if (steps_of(p) > 1) return "";
  const Model model(p);
  model.loss_of(ids_of(p["text"])[0]).backward();
  double along = 0, moved = 0, right = 0;  // step · right step, and both lengths, squared
  const auto add = [&](const Array& after, const Tensor& gradient) {
    const std::vector<double> right_steps = array_of("", rate(1, 1) * gradient).numbers;
    for (std::size_t i = 0; i < right_steps.size(); ++i) {
      const double step = p[after.name].numbers[i] - after.numbers[i], right_step = right_steps[i];
      along += step * right_step, moved += step * step, right += right_step * right_step;
    }
  };
  add(outputs[1], model.table.grad());
  add(outputs[2], model.out.grad());
  if (moved == 0) return "no parameter moves";
  const double cosine = along / std::sqrt(moved * right), times = std::sqrt(moved / right);
  if (cosine < 1 - 1e-9) return fmt::format("it points elsewhere, by {:.0f}°", std::acos(std::max(cosine, -1.0)) * 180 / std::numbers::pi);
  return std::abs(times - 1) < 1e-9 ? "" : fmt::format("it is {:.4g} times as long", times);
}

// Is there another batch that leads to the first loss that is wrong?
std::string each_step_has_its_batch(const Probe& p, const Outputs& outputs) {
  const int steps = steps_of(p);
  const Tensor text = ids_of(p["text"]), held = ids_of(p["held"]);
  Model model(p);
  for (int t = 1; t <= steps; ++t) {
    const double measured = outputs[0].numbers[static_cast<std::size_t>(t - 1)];
    const auto after = [&](int batch) {
      Model next(model.table, model.out);
      next.step(text[batch], p.number("most"), rate(t, steps));
      return next;
    };
    const auto leads_there = [&](Model next) { return std::abs(next.measured(held) - measured) < 1e-6 * std::abs(measured); };
    const Model right = after(t - 1);
    if (leads_there(right)) {
      model = right;
      continue;
    }
    for (int batch = 0; batch < steps; ++batch) {
      if (leads_there(after(batch))) return fmt::format("step {} trains on text[{}]", t, batch);
    }
    return "";
  }
  return "";
}

// The first step that leads to a wrong loss: 0 if none does.
int first_wrong_step(const Probe& p, const Outputs& outputs) {
  const std::vector<double> right = right_train(p)[0].numbers;
  for (std::size_t t = 0; t < right.size(); ++t) {
    if (!close(outputs[0].numbers[t], right[t], right[t])) return static_cast<int>(t) + 1;
  }
  return 0;
}

std::string first_step_is_right(const Probe& p, const Outputs& outputs) {
  if (first_wrong_step(p, outputs) != 1) return "";
  const double got = outputs[0].numbers[0], right = right_train(p)[0].numbers[0];
  return fmt::format("after step 1 the loss of held is {}, not {}", beside(got, right), beside(right, got));
}

std::string later_steps_are_right(const Probe& p, const Outputs& outputs) {
  const int t = first_wrong_step(p, outputs);
  return t < 2 ? "" : fmt::format("the losses are right as far as step {}, and wrong from step {} on", t - 1, t);
}

bool losses_alone_may_be_wrong(const Probe& p, const Outputs& outputs) {
  const Outputs right = right_train(p);
  return equal(outputs[1], right[1]) && equal(outputs[2], right[2]);
}

// Is this what train gets to measure on?
bool is_held(const Tensor& x, const Tensor& held) { return array_of("x", x).numbers == array_of("x", slice(held, 1, 0, -1)).numbers; }

// A loss whose tape holds `rows` rows of a batch in memory, until a walk or the last handle frees it.
Tensor holding(const Tensor& loss, int64_t rows, const std::shared_ptr<int64_t>& held) {
  *held += rows;
  const std::shared_ptr<void> tape(nullptr, [=](void*) { *held -= rows; });
  return record("loss", loss.detach(), {loss}, [tape](const Step& step) { return step.grad; });
}

}  // namespace
}  // namespace in_training_loop

Functions training_loop(Train* train) {
  using namespace in_training_loop;
  const auto on_probe = [=](const Probe& p) {
    Model model(p);
    const Tensor text = ids_of(p["text"]), held = ids_of(p["held"]);
    const int part = p.whole("part");
    const auto rows = std::make_shared<int64_t>(0);  // in memory, for backward()
    const auto loss = [&](const Tensor& x, const Tensor& y) {
      if (!model.dropout || !grad_enabled() || is_held(x, held)) return model.loss(x, y);
      check<ValueError>(*rows + x.size(0) <= part,
                        "loss: {} rows of the batch would be in memory at once, and `part` is {}: take parts, and call backward() for each "
                        "before the next",
                        *rows + x.size(0), part);
      return holding(model.loss(x, y), x.size(0), rows);
    };
    const Tensor losses = train(loss, [&](bool on) { model.dropout = on; }, {model.table, model.out}, text, held, part, p.number("most"));
    if (!(array_of("text", text) == p["text"])) throw InputChanged{"text"};
    if (!(array_of("held", held) == p["held"])) throw InputChanged{"held"};
    if (!losses.defined() || losses.shape() != Shape{text.size(0)}) {
      throw WrongShape{"What train returns", losses.defined() ? fmt::format("{}", losses.shape()) : "none",
                       fmt::format("[{}]", text.size(0))};
    }
    return Outputs{losses_of(array_of("losses", losses).numbers), array_of("table", model.table), array_of("out", model.out)};
  };
  return {Written<Train>{train, on_probe}};
}

Exercise training_loop_exercise() {
  using namespace in_training_loop;
  const Stage train{
      .right = right_train,
      .probes = {probe("six steps of 4 rows, in pieces of 3 and 1", {6, 4, 5, 2, 3, 2, 3, 0.5}, 251),
                 probe("twenty steps of 7 rows, in pieces of 3, 3 and 1", {20, 7, 6, 5, 8, 4, 3, 0.3}, 252),
                 probe("ten steps of 6 rows, in three parts of 2, hardly clipped", {10, 6, 4, 3, 7, 5, 2, 5}, 253),
                 probe("eight steps of 5 rows, all at once", {8, 5, 7, 3, 6, 4, 5, 0.4}, 254),
                 probe("one step of 5 rows, in pieces of 2, 2 and 1, not clipped", {1, 5, 3, 2, 7, 4, 2, 1000}, 255)},
      .laws = {{"the last loss is that of the trained model without dropout, each id said from those before it",
                last_loss_is_without_dropout, "How is the loss after the last step computed, and of which model?"},
               {"step t trains on text[t − 1]", each_step_has_its_batch, "Which text does step t read?"},
               {"where nothing is clipped, a step is −rate times the gradient of the mean over the batch", one_step_is_rate_times_gradient,
                "From which gradient does a step begin, and over how many texts is it the mean?"},
               {"no step is longer than the rate times the bound of clip", goes_no_further_than_clipped,
                "When do you clip: before the step, or after it, and the whole gradient, or each of its parts?"},
               {"a gradient that is too long is shortened to `most`, once, and then the step is taken", first_step_is_right,
                "Where nothing is clipped, your step is right. What is clipped, how often in a step, and to which length?"},
               {"step 2 does what step 1 does", later_steps_are_right,
                "What is different in that step: what is left in grad(), is dropout on again, which t has the rate, which rows come?"}},
      .pieces = {{"losses", losses_alone_may_be_wrong,
                  "The parameters are right, so only the measurement is left: which rows, after which step, with dropout or without?"}},
  };
  return made_training_loop::exercise({train});
}

}  // namespace gradus::exercises::set
