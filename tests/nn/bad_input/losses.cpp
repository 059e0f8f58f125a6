#include "tests/nn/bad_input/tables.h"

namespace gradus::test {

BadCalls loss_calls() {
  // Losses of logits [2, 3] and class ids [2].
#define CLASS_LOSS(name, call)                                                       \
  {                                                                                  \
    name, [](const Tensor& logits, const Tensor& targets, int64_t ignored) { call; } \
  }
  const std::vector<std::pair<const char*, std::function<void(const Tensor&, const Tensor&, int64_t)>>> class_losses{
      CLASS_LOSS("cross_entropy", cross_entropy(logits, targets, {.ignore_index = ignored})),
      CLASS_LOSS("focal", focal(logits, targets, {.ignore_index = ignored})),
      CLASS_LOSS("nll", nll(logits, targets, {.ignore_index = ignored})), CLASS_LOSS("accuracy", accuracy(logits, targets, ignored))};
#undef CLASS_LOSS
  // Losses between two tensors of one shape, and their names.
  struct PairLoss {
    std::string name;
    std::function<void(const Tensor&, const Tensor&)> loss;
    std::string first = "x", second = "y";
  };
#define PAIR_LOSS(loss)                                         \
  {                                                             \
    #loss, [](const Tensor& x, const Tensor& y) { loss(x, y); } \
  }
  const std::vector<PairLoss> pair_losses{
      PAIR_LOSS(mse),
      PAIR_LOSS(l1),
      PAIR_LOSS(smooth_l1),
      PAIR_LOSS(huber),
      PAIR_LOSS(bce_with_logits),
      {"kl_divergence", [](const Tensor& x, const Tensor& y) { kl_divergence(x, y); }, "log_q", "log_p"}};
#undef PAIR_LOSS
  BadCalls rows;
  const Tensor scores = f32({2, 3}), targets = from_vector(std::vector<int64_t>{0, 2}, {2});
  const auto ids = [](int64_t a, int64_t b) { return from_vector(std::vector<int64_t>{a, b}, {2}); };
  for (const auto& [who, loss] : class_losses) {
    const auto f = [loss = loss](const Tensor& x, const Tensor& t, int64_t ignored = -100) { loss(x, t, ignored); };
    rows += undefined_rows(who, {"logits", "targets"}, {scores, targets}, [=](const Tensors& t) { f(t[0], t[1]); });
    rows += by(who, {
                        REFUSED(dtype, f(i64({2, 3}), targets), "needs a floating dtype, got i64"),
                        REFUSED(dtype, f(scores, f32({2})), "targets must be class ids (i64), got f32"),
                        REFUSED(dtype, f(i64({2}), f32({2, 3})), "the logits are i64 and the targets f32; are the two swapped?"),
                        REFUSED(shape, f(f32({}), targets), "needs logits [..., V], got shape []"),
                        REFUSED(shape, f(scores, i64({3})), "logits [2, 3] need targets"),
                        REFUSED(shape, f(f32({2, 0}), targets), "needs at least one class"),
                        REFUSED(value, f(scores, ids(0, 3)), "target 3 is out of range; expected 0 … 2"),
                        REFUSED(value, f(scores, ids(-1, 0)), "target -1 is out of range"),
                        REFUSED(value, f(scores, ids(INT64_MAX, 0)), "target 9223372036854775807"),
                        REFUSED(value, f(scores, ids(0, 9007199254740992), 9007199254740993),
                                "target 9007199254740992 is out of range; expected 0 … 2 or ignore_index 9007199254740993"),
                    });
    if (std::string(who) == "accuracy") continue;
    rows += by(who, {REFUSED(value, f(f32({0, 3}), i64({0})), "there is no target; the batch is empty"),
                     REFUSED(value, f(scores, ids(7, 7), 7), "no target is counted")});
  }
  for (const auto& [who, loss, first, second] : pair_losses) {
    const auto f = loss;
    rows += undefined_rows(who, {first, second}, {scores, scores}, [=](const Tensors& t) { f(t[0], t[1]); });
    rows += by(who, {
                        REFUSED(shape, f(scores, f32({3, 2})), ""),
                        REFUSED(shape, f(scores, f32({3})), ""),
                        REFUSED(dtype, f(scores, f64({2, 3})),
                                fmt::format("{1} is f64, but {0} is f32; use cast({1}, DType::f32) first", first, second)),
                        REFUSED(dtype, f(i64({2, 3}), i64({2, 3})), "needs a floating dtype, got i64"),
                    });
  }
  for (const double bad : {-0.25, 1.25, 2.0, kNaN, kInfinity}) {
    const Tensor y = tensor({{0, 1, bad}, {1, 0, 0.5}});
    rows += REFUSED(value, bce_with_logits(scores, y), fmt::format("bce_with_logits: a target must be in [0, 1], got {}", bad), {y});
  }
  const auto weigh = [=](const Tensor& w) { cross_entropy(scores, targets, {.class_weights = w}); };
  const auto focal_weigh = [=](const Tensor& w) { focal(scores, targets, {.class_weights = w}); };
  for (const double bad : kNegative.numbers) {
    const Tensor w = tensor({1, bad, 1}, DType::f64);
    const std::string said = fmt::format("class_weights must be finite and not negative, got {}", bad);
    rows += REFUSED(value, weigh(w), "cross_entropy: " + said, {w});
    rows += REFUSED(value, focal_weigh(w), "focal: " + said, {w});
  }
  const Refused no_share{"in [0, 1]", {kNaN, kInfinity, -0.1, 1.1}};
  const Tensor learned = ones({3}).set_requires_grad(), half = tensor({{0.5, 0.5, 0}, {0, 0, 1}});
  rows += {
      REFUSED(dtype, cross_entropy(scores, f64({2, 3})), "cross_entropy: targets is f64, but logits is f32; use cast(targets, DType::f32)"),
      REFUSED(value, cross_entropy(scores, f32({2, 3})),
              "cross_entropy: the target probabilities of a row, along the last axis, must sum to 1, got 0"),
      REFUSED(value, cross_entropy(scores, half * 2), "must sum to 1, got 2"),
      REFUSED(value, cross_entropy(scores, half - tensor({0.5, 0, -0.5})),
              "cross_entropy: a target probability must not be negative, got -0.5"),
      REFUSED(value, cross_entropy(scores, half * kNaN), "a target probability must not be negative, got nan"),
      REFUSED(value, cross_entropy(f32({0, 3}), f32({0, 3})), "cross_entropy: there is no target; the batch is empty"),
      REFUSED(shape, cross_entropy(f32({2, 0}), f32({2, 0})), "cross_entropy: needs at least one class"),
      REFUSED(shape, cross_entropy(scores, half, {.class_weights = f32({2})}), "cross_entropy: logits [2, 3] need class_weights [3]"),
      REFUSED(shape, cross_entropy(f32({2, 3, 5}), i64({2, 5})), "the classes come last: use transpose(logits, 1, 2)"),
      REFUSED(shape, nll(f32({2, 3, 5}), i64({2, 5})), "the classes come last: use transpose(logits, 1, 2)"),
      REFUSED(shape, cross_entropy(f32({2, 3, 4, 5}), i64({2, 4, 5})), "the classes come last: use permute(logits, {0, 2, 3, 1})"),
      REFUSED(shape, nll(scores, targets, {.class_weights = f32({2})}), "nll: logits [2, 3] need class_weights [3], got [2]"),
      REFUSED(value, nll(scores, targets, {.class_weights = ones({3}) * -1}), "nll: class_weights must be finite and not negative, got -1"),
      REFUSED(shape, bce_with_logits(scores, half, {.weight = f32({2})}),
              "bce_with_logits: weight of shape [2] does not broadcast to the scores' [2, 3]"),
      REFUSED(shape, bce_with_logits(scores, half, {.pos_weight = f32({1, 2, 3})}),
              "bce_with_logits: pos_weight of shape [1, 2, 3] does not"),
      REFUSED(dtype, bce_with_logits(scores, half, {.weight = i64({3})}), "bce_with_logits: needs a floating dtype, got i64"),
      REFUSED(value, bce_with_logits(scores, half, {.weight = ones({3}) * -1}),
              "bce_with_logits: weight must be finite and not negative, got -1"),
      REFUSED(value, bce_with_logits(scores, half, {.pos_weight = ones({3}) * kInfinity}),
              "pos_weight must be finite and not negative, got inf"),
      REFUSED(value, bce_with_logits(scores, half, {.pos_weight = ones({3}).set_requires_grad()}),
              "pos_weight gets no gradient; use detach()"),
      REFUSED(shape, weigh(f32({2})), "cross_entropy: logits [2, 3] need class_weights [3]"),
      REFUSED(shape, focal_weigh(f32({2})), "focal: logits [2, 3] need class_weights [3]"),
      REFUSED(value, weigh(learned), "cross_entropy: class_weights get no gradient"),
      REFUSED(value, weigh(f32({3})), "the weights of the counted targets sum to 0"),
      REFUSED(shape, focal(f32({2, 1}), i64({2})), "focal: needs at least two classes"),
      REFUSED_EACH(cross_entropy(scores, targets, {.z_loss = bad}), "cross_entropy: z_loss", kNotFinite),
      REFUSED_EACH(cross_entropy(scores, targets, {.label_smoothing = bad}), "label_smoothing", no_share),
      REFUSED_EACH(focal(scores, targets, {.gamma = bad}), "focal: gamma", kNegative),
      REFUSED_EACH(smooth_l1(scores, scores, bad), "smooth_l1: beta", kNegative),
      REFUSED_EACH(huber(scores, scores, bad), "huber: delta must be positive", kNaN, -kInfinity, -1, 0),
  };
  return rows;
}

}  // namespace gradus::test
