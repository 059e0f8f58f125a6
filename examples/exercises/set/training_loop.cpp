#include "examples/exercises/set/training_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/embedding.h"
#include "nn/loss/cross_entropy.h"
#include "optim/clip.h"
#include "optim/schedule.h"
#include "optim/sgd.h"

namespace gradus::exercises::set {
namespace in_training_loop {
namespace {

constexpr double kTop = 2, kDropped = 0.25;
constexpr int kWarmup = 3;

// Dropout that the id, its position and the channel decide, so that it is the same however often the model is asked.
bool kept(int id, int position, int channel) { return (3 * id + 5 * position + 7 * channel + id * channel) % 4 != 0; }

// scores = dropout(tanh(table[id])) out, of each id by itself.
struct Model {
  Tensor table, out;  // [V, d], [d, V]
  bool dropout = true;

  explicit Model(const Probe& p) : table(tensor_of(p["table"]).set_requires_grad()), out(tensor_of(p["out"]).set_requires_grad()) {}

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
};

Tensor ids_of(const Array& array) { return cast(tensor_of(array), DType::i64); }

// Losses may be floats: they are compared as such.
Array losses_of(const std::vector<double>& losses) {
  Array all{"losses", {static_cast<int>(losses.size())}, losses};
  for (double& one : all.numbers) one = static_cast<float>(one);
  return all;
}

// A batch at once has the gradient that its parts add up to.
Outputs right_train(const Probe& p) {
  Model model(p);
  const Tensor text = ids_of(p["text"]), held = ids_of(p["held"]);
  const optim::ScheduleOptions schedule = {.max_lr = kTop, .min_lr = kTop / 10, .warmup = kWarmup, .total = std::max<int64_t>(text.size(0), kWarmup)};
  optim::SGD optimizer({model.table, model.out});
  std::vector<double> losses;
  for (int64_t t = 1; t <= text.size(0); ++t) {
    model.dropout = true;
    model.loss_of(text[t - 1]).backward();
    optim::clip_grad_norm({model.table, model.out}, p.number("most"));
    optimizer.step(optim::cosine_schedule(schedule, t));
    optimizer.zero_grad();
    model.dropout = false;
    losses.push_back(model.loss_of(held).item());
  }
  return {losses_of(losses), array_of("table", model.table), array_of("out", model.out)};
}

// --- the same in plain numbers ---------------------------------------------------------------------------------------

enum Wrong { not_zeroed, zeroed_each_part, double_shift, no_shift, dropout_in_eval, dropout_off, sum, mean_of_parts, last_as_whole,
             last_left_out, step_each_part, clip_each_part, not_clipped, rate_by_part, rate_before, same_batch, batch_before, measured_before,
             rows_in_full, clip_each_parameter, step_each_part_kept, dropout_never, first_part_alone, rate_of_first, rate_ahead,
             rate_exchanged, shifted_back, whole_share, last_always_left_out, one_over_part, losses_of_batch };

// The model, its gradients, and how far apart a target is from its input.
struct Plain {
  std::vector<double> table, out, dtable, dout;
  int ids, width, shift;  // −1: the targets come before their inputs

  Plain(const Probe& p, int the_shift)
      : table(p["table"].numbers), out(p["out"].numbers), ids(rows_of(p["table"])), width(columns_of(p["table"])), shift(the_shift) {
    zero();
  }
  void zero() {
    dtable.assign(table.size(), 0);
    dout.assign(out.size(), 0);
  }
  std::size_t in_table(int id, int c) const { return static_cast<std::size_t>(id * width + c); }
  std::size_t in_out(int c, int id) const { return static_cast<std::size_t>(c * ids + id); }

  // −log p of one target, whose gradient counts `weight` times.
  double one(int x, int y, int position, bool dropout, double weight) {
    std::vector<double> h, factor, p;
    double all = 0;
    for (int c = 0; c < width; ++c) {
      factor.push_back(!dropout ? 1 : kept(x, position, c) ? 1 / (1 - kDropped) : 0);
      h.push_back(std::tanh(table[in_table(x, c)]));
    }
    for (int id = 0; id < ids; ++id) {
      double score = 0;
      for (int c = 0; c < width; ++c) score += factor[static_cast<std::size_t>(c)] * h[static_cast<std::size_t>(c)] * out[in_out(c, id)];
      p.push_back(std::exp(score));
      all += p.back();
    }
    for (int id = 0; weight != 0 && id < ids; ++id) {
      const double dscore = weight * (p[static_cast<std::size_t>(id)] / all - (id == y ? 1 : 0));
      for (int c = 0; c < width; ++c) {
        const double f = factor[static_cast<std::size_t>(c)], tanh = h[static_cast<std::size_t>(c)];
        dtable[in_table(x, c)] += dscore * f * out[in_out(c, id)] * (1 - tanh * tanh);
        dout[in_out(c, id)] += dscore * f * tanh;
      }
    }
    return -std::log(p[static_cast<std::size_t>(y)] / all);
  }

  // The mean over the targets of some rows of ids, whose gradient counts `weight` times.
  double mean(In rows, int from, int count, bool dropout, double weight) {
    const int targets = rows.columns - std::max(shift, 1), first = std::max(-shift, 0);  // of a row
    double sum = 0;
    for (int i = from; i < from + count; ++i) {
      for (int j = 0; j < targets; ++j) {
        sum += one(static_cast<int>(rows[i][first + j]), static_cast<int>(rows[i][first + j + shift]), j, dropout, weight / (count * targets));
      }
    }
    return sum / (count * targets);
  }

  void clip(double most, bool each_apart = false) {
    double of_table = 0, of_out = 0;
    for (const double g : dtable) of_table += g * g;
    for (const double g : dout) of_out += g * g;
    const double both = of_table + of_out;
    for (double& g : dtable) g *= std::min(1.0, most / std::sqrt(each_apart ? of_table : both));
    for (double& g : dout) g *= std::min(1.0, most / std::sqrt(each_apart ? of_out : both));
  }
  void descend(double lr) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] -= lr * dtable[i];
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= lr * dout[i];
  }
};

double rate(int t, int steps) {
  return kTop * (t < kWarmup ? static_cast<double>(t) / kWarmup
                             : 0.55 + 0.45 * std::cos(std::numbers::pi * (t - kWarmup) / (steps - kWarmup)));
}

struct Sizes {
  int steps, batch, part, parts;
};
Sizes sizes_of(const Probe& p) {
  const int batch = p["text"].shape[1], part = p.whole("part");
  return {p["text"].shape[0], batch, part, (batch + part - 1) / part};
}

double share_of(const Sizes& sizes, int rows, Made made) {
  if (made[sum]) return 1;
  if (made[mean_of_parts]) return 1.0 / sizes.parts;
  if (made[whole_share]) return rows / sizes.batch;  // of ints
  if (made[one_over_part]) return 1.0 / sizes.part;
  return static_cast<double>(made[last_as_whole] ? sizes.part : rows) / (made[rows_in_full] ? 1 : sizes.batch);
}

double rate_with(int t, int steps, Made made) {
  if (made[rate_of_first]) t = 1;
  if (made[rate_before]) t -= 1;
  if (made[rate_ahead]) t += 1;
  return made[rate_exchanged] ? rate(steps, t) : rate(t, steps);
}

// Returns the loss of the batch.
double train_step(Plain& model, const Probe& p, int t, bool dropout, Made made) {
  const Sizes sizes = sizes_of(p);
  const int batch = made[same_batch] ? 0 : made[batch_before] ? (t - 2 + sizes.steps) % sizes.steps : t - 1;
  const bool each_part = made[step_each_part] || made[step_each_part_kept];
  const auto clip = [&] { model.clip(p.number("most"), made[clip_each_parameter]); };
  const auto descend = [&](int parts_of_step) {  // how many are behind
    model.descend(rate_with(made[rate_by_part] ? (t - 1) * sizes.parts + parts_of_step : t, sizes.steps, made));
  };
  check<ValueError>(!made[last_always_left_out] || sizes.parts > 1, "p.grad() is undefined");
  double loss = 0;
  if (!made[not_zeroed]) model.zero();
  for (int k = 0; k < (made[first_part_alone] ? 1 : sizes.parts - (made[last_always_left_out] ? 1 : 0)); ++k) {
    const int rows = std::min(sizes.part, sizes.batch - k * sizes.part);
    if (made[last_left_out] && rows < sizes.part) continue;
    if (made[zeroed_each_part] || (made[step_each_part] && !made[not_zeroed])) model.zero();
    const double share = share_of(sizes, rows, made);
    loss += share * model.mean(p.in("text"), batch * sizes.batch + k * sizes.part, rows, dropout, share);
    if (made[clip_each_part] || (each_part && !made[not_clipped])) clip();
    if (each_part) descend(k + 1);
  }
  if (each_part) return loss;
  if (!made[not_clipped] && !made[clip_each_part]) clip();
  descend(sizes.parts);
  return loss;
}

Outputs train_with(const Probe& p, Made made) {
  Plain model(p, made[double_shift] ? 2 : made[no_shift] ? 0 : made[shifted_back] ? -1 : 1);
  const int steps = sizes_of(p).steps;
  std::vector<double> losses;
  const auto measure = [&] { losses.push_back(model.mean(p.in("held"), 0, rows_of(p["held"]), made[dropout_in_eval], 0)); };
  for (int t = 1; t <= steps; ++t) {
    if (made[measured_before]) measure();
    const bool measured = t > 1 || made[measured_before];
    const bool dropout = !made[dropout_never] && (!made[dropout_off] || made[dropout_in_eval] || !measured);
    const double of_batch = train_step(model, p, t, dropout, made);
    if (made[losses_of_batch]) losses.push_back(of_batch);
    else if (!made[measured_before]) measure();
  }
  return {losses_of(losses), array("table", p["table"].shape, model.table), array("out", p["out"].shape, model.out)};
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
  return {name, {written("text", {task.steps, task.batch, task.length + 1}, task.ids, seed),
                 written("held", {task.held, task.length + 1}, task.ids, seed + 1), number("part", task.part), number("most", task.most),
                 drawn("table", {task.ids, task.width}, seed + 2), drawn("out", {task.width, task.ids}, seed + 3)}};
}

std::string last_loss_is_without_dropout(const Probe& p, const Outputs& outputs) {
  Model model(Probe{"", {outputs[1], outputs[2]}});
  model.dropout = false;
  const double got = outputs[0].numbers.back(), expected = model.loss_of(ids_of(p["held"])).item();
  return std::abs(got - expected) < 1e-6 * std::abs(expected) ? "" : fmt::format("the last is {}, not {}", beside(got, expected), beside(expected, got));
}

std::string goes_no_further_than_clipped(const Probe& p, const Outputs& outputs) {
  double squares = 0, most = 0;
  for (std::size_t a : {std::size_t{1}, std::size_t{2}}) {
    const std::vector<double>& before = p[outputs[a].name].numbers;
    for (std::size_t i = 0; i < before.size(); ++i) squares += (outputs[a].numbers[i] - before[i]) * (outputs[a].numbers[i] - before[i]);
  }
  for (int t = 1; t <= sizes_of(p).steps; ++t) most += p.number("most") * rate(t, sizes_of(p).steps);
  return std::sqrt(squares) <= most * (1 + 1e-9) ? "" : fmt::format("they go {}, and {} is the most", beside(std::sqrt(squares), most), beside(most, std::sqrt(squares)));
}

// For a probe that has one step, and does not clip.
std::string one_step_is_rate_times_gradient(const Probe& p, const Outputs& outputs) {
  if (sizes_of(p).steps > 1) return "";
  Plain model(p, 1);
  model.mean(p.in("text"), 0, sizes_of(p).batch, true, 1);
  double along = 0, moved = 0, right = 0;  // step · right step, and both lengths, squared
  const auto add = [&](const Array& after, const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double step = p[after.name].numbers[i] - after.numbers[i], right_step = rate(1, 1) * gradient[i];
      along += step * right_step, moved += step * step, right += right_step * right_step;
    }
  };
  add(outputs[1], model.dtable);
  add(outputs[2], model.dout);
  if (moved == 0) return "no parameter moves";
  const double cosine = along / std::sqrt(moved * right), times = std::sqrt(moved / right);
  if (cosine < 1 - 1e-9) return fmt::format("it points elsewhere, by {:.0f}°", std::acos(std::max(cosine, -1.0)) * 180 / std::numbers::pi);
  return std::abs(times - 1) < 1e-9 ? "" : fmt::format("it is {:.4g} times as long", times);
}

// The model after step t, if it is taken on this batch.
Plain after_step(Plain model, const Probe& p, int t, int batch) {
  const Sizes sizes = sizes_of(p);
  model.zero();
  model.mean(p.in("text"), batch * sizes.batch, sizes.batch, true, 1);
  model.clip(p.number("most"));
  model.descend(rate(t, sizes.steps));
  return model;
}

// Is there another batch that leads to the first loss that is wrong?
std::string each_step_has_its_batch(const Probe& p, const Outputs& outputs) {
  const int steps = sizes_of(p).steps;
  Plain model(p, 1);
  for (int t = 1; t <= steps; ++t) {
    const double measured = outputs[0].numbers[static_cast<std::size_t>(t - 1)];
    const auto leads_there = [&](Plain after) {
      return std::abs(after.mean(p.in("held"), 0, rows_of(p["held"]), false, 0) - measured) < 1e-6 * std::abs(measured);
    };
    const Plain right = after_step(model, p, t, t - 1);
    for (int batch = 0; !leads_there(right) && batch < steps; ++batch) {
      if (leads_there(after_step(model, p, t, batch))) return fmt::format("step {} trains on text[{}]", t, batch);
    }
    if (!leads_there(right)) return "";
    model = right;
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

std::vector<Mistake> mistakes() {
  return {
      {not_zeroed, "engine/no-zero-grad", "What is left in grad() from the step before?", "the gradients of all steps add up, as nothing sets them to 0", "IBM/aihwkit#446, llm.c PR548"},
      {zeroed_each_part, "train/zero-grad-each-part", "How often in a step may the gradients be set to 0?", "the gradients are set to 0 before each part, so the last part alone counts"},
      {double_shift, "loss/double-shift", "Which id stands right after the first one of x?", "the targets are shifted twice: the model says the id after the next", "transformers#47394, PR46898, open-instruct PR1549"},
      {no_shift, "loss/no-shift", "Has the model already read what it is to say?", "the targets are the inputs: the model says what it has just read", "MONAI GenerativeModels#314"},
      {dropout_in_eval, "dropout/in-eval", "Measure the held-out loss twice, with another dropout: is it the same?", "the held-out loss is measured with dropout", "karpathy/nanoGPT PR240, ethos-ares#20"},
      {dropout_off, "dropout/off-for-ever", "Is the model in step 2 trained as it was in step 1?", "dropout stays off after the first measurement", "Megatron-LM PR411"},
      {sum, "train/accumulate-sum", "The batch in more parts: does your gradient become longer?", "the losses of the parts are added, not weighted", "nanoGPT#168, #206, fastai#3023"},
      {mean_of_parts, "loss/mean-of-means", "A part of 1 row and one of 3: how much does each row count?", "each part counts the same, however many rows it has", "transformers PR34191, torchtune PR1875, mlx-lm PR1544"},
      {last_as_whole, "train/last-part", "How many rows has the last part?", "the last part counts as if it were a whole one", "TrenTorch PR187"},
      {last_left_out, "train/last-part-left-out", "How many rows of the batch does your loop reach?", "the last part is left out if it is not a whole one"},
      {step_each_part, "train/step-each-part", "How many steps does one batch make?", "a step after each part, not after all of them"},
      {clip_each_part, "clip/each-part", "Whose length is bounded: that of a part's gradient, or that of the sum?", "clipped after each part, not once after the last"},
      {not_clipped, "clip/without-effect", "Which gradients does the step use?", "the step is taken with gradients that are not clipped, or not yet"},
      {rate_by_part, "schedule/by-part", "What does the rate count: steps, or parts?", "the rate moves on with each part"},
      {rate_before, "schedule/one-behind", "Which t has the first step?", "the rate is that of the step before; the first is 0"},
      {same_batch, "train/same-batch", "Which rows does step 2 see?", "every step trains on the first batch"},
      {batch_before, "train/batch-before", "t begins at 1, and the rows of text at 0. Which batch does step 1 see?", "each step trains on the batch of the step before it, and the first on the last batch"},
      {measured_before, "train/measured-before", "Which parameters does the first held-out loss belong to?", "the held-out loss is measured before the step, not after it"},
      {rows_in_full, "train/rows-in-full", "A batch of twice as many rows: does your gradient become longer?", "the parts add up to the sum over the rows of the batch, not to their mean"},
      {clip_each_parameter, "clip/per-tensor", "How many norms are there in one step?"},
      {step_each_part_kept, "train/step-each-part-and-kept", "What does the second part's step use: its own gradient, or also the first part's once more?", "a step after each part, with the gradients of the parts before it"},
      {dropout_never, "dropout/off-from-the-start", "Is dropout on when the first part goes through the model?", "dropout is off in training as well"},
      {first_part_alone, "train/first-part-alone", "How many rows of the batch have had their backward() when the step is taken?", "the step knows the first part of the batch alone"},
      {rate_of_first, "schedule/rate-of-first-step", "Does your rate change from step to step?", "every step has the rate of the first"},
      {rate_ahead, "schedule/one-ahead", "Which t has the first step?", "the rate is that of the step after"},
      {rate_exchanged, "schedule/arguments-exchanged", "Which of the two numbers does rate take first?", "rate(steps, t), where rate(t, steps) is meant"},
      {shifted_back, "loss/shift-backwards", "Which is to be said: the id after those that were read, or the one before?", "inputs and targets are exchanged: the model says the id before"},
      {whole_share, "train/share-of-whole-numbers", "What is 3 / 4 in C++?", "the share of a part is a division of whole numbers: 0, unless the part is the whole batch"},
      {last_always_left_out, "train/last-part-always-left-out", "B = 4 and part = 2: how many parts does your loop make?", "the loop ends before the last part, even if that is a whole one"},
      {one_over_part, "train/share-of-one-over-part", "To what do the shares of all parts sum?", "each part counts 1 / part, whatever share of the batch it is"},
      {losses_of_batch, "train/loss-of-batch", "Whose loss is asked for: that of the rows that the step has learned from?", "the losses are those of the batch in training, not of held"},
  };
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
                        "loss: {} rows of the batch would be in memory at once, and `part` is {}: take parts, and call backward() for each before the next",
                        *rows + x.size(0), part);
      return holding(model.loss(x, y), x.size(0), rows);
    };
    const Tensor losses = train(loss, [&](bool on) { model.dropout = on; }, {model.table, model.out}, text, held, part, p.number("most"));
    if (!(array_of("text", text) == p["text"])) throw InputChanged{"text"};
    if (!(array_of("held", held) == p["held"])) throw InputChanged{"held"};
    if (!losses.defined() || losses.shape() != Shape{text.size(0)}) {
      throw WrongShape{"What train returns", losses.defined() ? fmt::format("{}", losses.shape()) : "none", fmt::format("[{}]", text.size(0))};
    }
    return Outputs{losses_of(array_of("losses", losses).numbers), array_of("table", model.table), array_of("out", model.out)};
  };
  return {Written<Train>{train, on_probe}};
}

Exercise training_loop_exercise() {
  using namespace in_training_loop;
  const Stage train{
      .function = "train",
      .right = right_train,
      .with = train_with,
      .mistakes = mistakes(),
      .probes = {probe("six steps of 4 rows, in pieces of 3 and 1", {6, 4, 5, 2, 3, 2, 3, 0.5}, 251),
                 probe("twenty steps of 7 rows, in pieces of 3, 3 and 1", {20, 7, 6, 5, 8, 4, 3, 0.3}, 252),
                 probe("ten steps of 6 rows, in three parts of 2, hardly clipped", {10, 6, 4, 3, 7, 5, 2, 5}, 253),
                 probe("eight steps of 5 rows, all at once", {8, 5, 7, 3, 6, 4, 5, 0.4}, 254),
                 probe("one step of 5 rows, in pieces of 2, 2 and 1, not clipped", {1, 5, 3, 2, 7, 4, 2, 1000}, 255)},
      .laws = {{"the last loss is that of the trained model without dropout, each id said from those before it", last_loss_is_without_dropout, "How is the loss after the last step computed, and of which model?"},
               {"step t trains on text[t − 1]", each_step_has_its_batch, "Which text does step t read?"},
               {"where nothing is clipped, a step is −rate times the gradient of the mean over the batch", one_step_is_rate_times_gradient, "From which gradient does a step begin, and over how many texts is it the mean?"},
               {"no step is longer than the rate times the bound of clip", goes_no_further_than_clipped, "When do you clip: before the step, or after it, and the whole gradient, or each of its parts?"},
               {"a gradient that is too long is shortened to `most`, once, and then the step is taken", first_step_is_right, "Where nothing is clipped, your step is right. What is clipped, how often in a step, and to which length?"},
               {"step 2 does what step 1 does", later_steps_are_right, "What is different in that step: what is left in grad(), is dropout on again, which t has the rate, which rows come?"}},
      .pieces = {{"losses", losses_alone_may_be_wrong, "The parameters are right, so only the measurement is left: which rows, after which step, with dropout or without?"}},
      .hints = {"What of all this happens once for a part, and what once for a step?",
                "Two loops: the inner one over parts ends with backward(). Gradients are set to 0 before it; clip and descend come after it.",
                "In parts or all at once, the gradient is the same: that of the mean over all rows. A part of b rows holds b of B of them.",
                "For a part of b rows: b/B times its loss, and backward(). For a step: all gradients 0, the parts, clip, descend with rate(t). Then "
                "dropout off, the loss of `held` with nothing recorded, dropout on."},
  };
  return {
      .number = 25,
      .id = "training-loop",
      .title = "The training loop, a batch in parts",
      .section = "ch11.md#model-lm",
      .needs = {"adamw", "clip-and-schedule"},
      .minutes = 45,
      .done = "None of these mistakes throws, and with most of them the loss still falls.",
      .stages = {train},
  };
}

}  // namespace gradus::exercises::set
