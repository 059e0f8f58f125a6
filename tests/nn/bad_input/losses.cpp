#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// Losses of logits [2, 3] and class ids [2], with the word for the first.
using ClassLoss = std::function<void(const Tensor& logits, const Tensor& targets, int64_t ignore_index)>;
const std::vector<std::pair<const char*, ClassLoss>> kClassLosses{
    {"cross_entropy", [](const Tensor& x, const Tensor& t, int64_t i) { nn::cross_entropy(x, t, {.ignore_index = i}); }},
    {"focal", [](const Tensor& x, const Tensor& t, int64_t i) { nn::focal(x, t, {.ignore_index = i}); }},
    {"nll", [](const Tensor& x, const Tensor& t, int64_t i) { nn::nll(x, t, {.ignore_index = i}); }},
    {"accuracy", [](const Tensor& x, const Tensor& t, int64_t i) { nn::accuracy(x, t, i); }},
};

// Losses between two tensors of one shape.
using PairLoss = std::function<void(const Tensor& x, const Tensor& y)>;
struct NamedPairLoss {
  const char *name, *first, *second;
  PairLoss loss;
};
const std::vector<NamedPairLoss> kPairLosses{
    {"mse", "x", "y", [](const Tensor& x, const Tensor& y) { nn::mse(x, y); }},
    {"l1", "x", "y", [](const Tensor& x, const Tensor& y) { nn::l1(x, y); }},
    {"smooth_l1", "x", "y", [](const Tensor& x, const Tensor& y) { nn::smooth_l1(x, y); }},
    {"huber", "x", "y", [](const Tensor& x, const Tensor& y) { nn::huber(x, y); }},
    {"bce_with_logits", "x", "y", [](const Tensor& x, const Tensor& y) { nn::bce_with_logits(x, y); }},
    {"kl_divergence", "log_q", "log_p", [](const Tensor& x, const Tensor& y) { nn::kl_divergence(x, y); }},
};

}  // namespace

BadCalls loss_calls() {
  BadCalls rows;
  const Tensor scores = f32({2, 3}), targets = from_vector(std::vector<int64_t>{0, 2}, {2}), none;
  for (const auto& [name, loss] : kClassLosses) {
    const std::string who = name;
    const auto f = loss;
    const auto ids = [](int64_t a, int64_t b) { return from_vector(std::vector<int64_t>{a, b}, {2}); };
    rows += {
        {who + " without logits", [=] { f(none, targets, -100); }, Raises::graph, who + ": logits is undefined"},
        {who + " without targets", [=] { f(scores, none, -100); }, Raises::graph, who + ": targets is undefined"},
        {who + " of i64 logits", [=] { f(i64({2, 3}), targets, -100); }, Raises::dtype, who + ": needs a floating dtype, got i64"},
        {who + " of f32 targets", [=] { f(scores, f32({2}), -100); }, Raises::dtype, who + ": targets must be class ids (i64), got f32"},
        {who + " of both swapped", [=] { f(i64({2}), f32({2, 3}), -100); }, Raises::dtype,
         who + ": the logits are i64 and the targets f32; are the two swapped?"},
        {who + " of a number", [=] { f(f32({}), targets, -100); }, Raises::shape, who + ": needs logits [..., V], got shape []"},
        {who + " of 3 targets", [=] { f(scores, i64({3}), -100); }, Raises::shape, who + ": logits [2, 3] need targets"},
        {who + " of no class", [=] { f(f32({2, 0}), targets, -100); }, Raises::shape, who + ": needs at least one class"},
        {who + " of class 3 of 3", [=] { f(scores, ids(0, 3), -100); }, Raises::value, who + ": target 3 is out of range; expected 0 … 2"},
        {who + " of class -1", [=] { f(scores, ids(-1, 0), -100); }, Raises::value, who + ": target -1 is out of range"},
        {who + " of the largest id", [=] { f(scores, ids(INT64_MAX, 0), -100); }, Raises::value, who + ": target 9223372036854775807"},
        {who + " of a neighbour of ignore_index", [=] { f(scores, ids(0, 9007199254740992), 9007199254740993); }, Raises::value,
         who + ": target 9007199254740992 is out of range; expected 0 … 2 or ignore_index 9007199254740993"},
    };
    if (who == "accuracy") continue;
    rows += {who + " of an empty batch", [=] { f(f32({0, 3}), i64({0}), -100); }, Raises::value, who + ": there is no target; the batch is empty"};
    rows += {who + " with nothing counted", [=] { f(scores, ids(7, 7), 7); }, Raises::value, who + ": no target is counted"};
  }
  for (const NamedPairLoss& row : kPairLosses) {
    const std::string who = row.name;
    const auto f = row.loss;
    rows += {
        {who + " without the first", [=] { f(none, scores); }, Raises::graph, fmt::format("{}: {} is undefined", who, row.first)},
        {who + " without the second", [=] { f(scores, none); }, Raises::graph, fmt::format("{}: {} is undefined", who, row.second)},
        {who + " of two shapes", [=] { f(scores, f32({3, 2})); }, Raises::shape, who + ": "},
        {who + " of a shape that would broadcast", [=] { f(scores, f32({3})); }, Raises::shape, who + ": "},
        {who + " of two dtypes", [=] { f(scores, f64({2, 3})); }, Raises::dtype,
         fmt::format("{}: {} is f64, but {} is f32; use cast({}, DType::f32) first", who, row.second, row.first, row.second)},
        {who + " of i64", [=] { f(i64({2, 3}), i64({2, 3})); }, Raises::dtype, who + ": needs a floating dtype, got i64"},
    };
  }
  for (const double bad : {-0.25, 1.25, 2.0, kNaN, kInfinity}) {
    const Tensor y = tensor({{0, 1, bad}, {1, 0, 0.5}});
    rows += {fmt::format("bce_with_logits of a target of {}", bad), [=] { nn::bce_with_logits(scores, y); }, Raises::value,
             fmt::format("bce_with_logits: a target must be in [0, 1], got {}", bad), {y}};
  }
  const Tensor half = tensor({{0.5, 0.5, 0}, {0, 0, 1}});
  rows += {
      REFUSED(dtype, nn::cross_entropy(scores, f64({2, 3})), "cross_entropy: targets is f64, but logits is f32; use cast(targets, DType::f32)"),
      REFUSED(value, nn::cross_entropy(scores, f32({2, 3})), "cross_entropy: the target probabilities of a row, along the last axis, must sum to 1, got 0"),
      REFUSED(value, nn::cross_entropy(scores, half * 2), "must sum to 1, got 2"),
      REFUSED(value, nn::cross_entropy(scores, half - tensor({0.5, 0, -0.5})), "cross_entropy: a target probability must not be negative, got -0.5"),
      REFUSED(value, nn::cross_entropy(scores, half * kNaN), "a target probability must not be negative, got nan"),
      REFUSED(value, nn::cross_entropy(f32({0, 3}), f32({0, 3})), "cross_entropy: there is no target; the batch is empty"),
      REFUSED(shape, nn::cross_entropy(f32({2, 0}), f32({2, 0})), "cross_entropy: needs at least one class"),
      REFUSED(shape, nn::cross_entropy(scores, half, {.class_weights = f32({2})}), "cross_entropy: logits [2, 3] need class_weights [3]"),
      REFUSED(shape, nn::cross_entropy(f32({2, 3, 5}), i64({2, 5})), "the classes come last: use transpose(logits, 1, 2)"),
      REFUSED(shape, nn::nll(f32({2, 3, 5}), i64({2, 5})), "the classes come last: use transpose(logits, 1, 2)"),
      REFUSED(shape, nn::cross_entropy(f32({2, 3, 4, 5}), i64({2, 4, 5})), "the classes come last: use permute(logits, {0, 2, 3, 1})"),
      REFUSED(shape, nn::nll(scores, targets, {.class_weights = f32({2})}), "nll: logits [2, 3] need class_weights [3], got [2]"),
      REFUSED(value, nn::nll(scores, targets, {.class_weights = ones({3}) * -1}), "nll: class_weights must be finite and not negative, got -1"),
      REFUSED(shape, nn::bce_with_logits(scores, half, {.weight = f32({2})}), "bce_with_logits: weight of shape [2] does not broadcast to the scores' [2, 3]"),
      REFUSED(shape, nn::bce_with_logits(scores, half, {.pos_weight = f32({1, 2, 3})}), "bce_with_logits: pos_weight of shape [1, 2, 3] does not"),
      REFUSED(dtype, nn::bce_with_logits(scores, half, {.weight = i64({3})}), "bce_with_logits: needs a floating dtype, got i64"),
      REFUSED(value, nn::bce_with_logits(scores, half, {.weight = ones({3}) * -1}), "bce_with_logits: weight must be finite and not negative, got -1"),
      REFUSED(value, nn::bce_with_logits(scores, half, {.pos_weight = ones({3}) * kInfinity}), "pos_weight must be finite and not negative, got inf"),
      REFUSED(value, nn::bce_with_logits(scores, half, {.pos_weight = ones({3}).set_requires_grad()}), "pos_weight gets no gradient; use detach()"),
  };
  const auto weigh = [=](const Tensor& w) { nn::cross_entropy(scores, targets, {.class_weights = w}); };
  const auto focal_weigh = [=](const Tensor& w) { nn::focal(scores, targets, {.class_weights = w}); };
  for (const double bad : kNegative) {
    const Tensor w = tensor({1, bad, 1}, DType::f64);
    rows += {{fmt::format("cross_entropy with a weight of {}", bad), [=] { weigh(w); }, Raises::value,
              fmt::format("cross_entropy: class_weights must be finite and not negative, got {}", bad), {w}},
             {fmt::format("focal with a weight of {}", bad), [=] { focal_weigh(w); }, Raises::value,
              fmt::format("focal: class_weights must be finite and not negative, got {}", bad), {w}}};
  }
  const Tensor learned = ones({3}).set_requires_grad();
  rows += {
      REFUSED(shape, weigh(f32({2})), "cross_entropy: logits [2, 3] need class_weights [3]"),
      REFUSED(shape, focal_weigh(f32({2})), "focal: logits [2, 3] need class_weights [3]"),
      REFUSED(value, weigh(learned), "cross_entropy: class_weights get no gradient"),
      REFUSED(value, weigh(f32({3})), "the weights of the counted targets sum to 0"),
      REFUSED(shape, nn::focal(f32({2, 1}), i64({2})), "focal: needs at least two classes"),
  };
  rows += bad_values("cross_entropy with a z_loss", kNotFinite, "cross_entropy: z_loss must be finite, got ",
                     [=](double z) { nn::cross_entropy(scores, targets, {.z_loss = z}); });
  rows += bad_values("cross_entropy with a smoothing", {kNaN, kInfinity, -0.1, 1.1}, "label_smoothing must be in [0, 1], got ",
                     [=](double s) { nn::cross_entropy(scores, targets, {.label_smoothing = s}); });
  rows += bad_values("focal with a gamma", kNegative, "focal: gamma must be finite and not negative, got ",
                     [=](double gamma) { nn::focal(scores, targets, {.gamma = gamma}); });
  rows += bad_values("smooth_l1 with a beta", kNegative, "smooth_l1: beta must be finite and not negative, got ",
                     [=](double beta) { nn::smooth_l1(scores, scores, beta); });
  rows += bad_values("huber with a delta", {kNaN, -kInfinity, -1, 0}, "huber: delta must be positive, got ",
                     [=](double delta) { nn::huber(scores, scores, delta); });
  return rows;
}

}  // namespace gradus::test
