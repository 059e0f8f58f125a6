#include "examples/exercises/set/batch_norm_running.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/exercises/set/set.h"
#include "nn/norm/batch_norm.h"

namespace gradus::exercises::set {
namespace in_batch_norm_running {
namespace {

// --- training ------------------------------------------------------------------------------------------------------

enum Wrong { collects_biased, divides_by_unbiased, never_updated, mean_not_updated, variance_not_updated, momentum_of_old, replaced,
             added_up, by_running, by_older_running,
             collects_deviation, collects_eps, about_running, one_for_all, eps_beside, eps_missing, gain_missing, bias_missing, kept_from_one,
             sums_kept, squares_kept, layer_instead, old_lost, moved_away, by_running_mean, whole_mean, squares_not_divided, root_missing,
             precedence, bias_first, by_squares, collects_eps_first };

// The batches of a probe are below each other.
int samples_of(const Probe& p) { return p.whole("samples"); }
int batches_of(const Probe& p) { return rows_of(p["x"]) / samples_of(p); }

In batch(const Probe& p, int b) {
  const In x = p.in("x");
  return {samples_of(p), x.columns, x[b * samples_of(p)]};
}

struct Moments {
  double mean = 0, squares = 0;  // Σ (x − mean)²
  int n = 0;
};
template <typename Belongs> Moments moments(In x, const Belongs& belongs) {
  Moments all;
  const auto each = [&](const auto& f) {
    for (int i = 0; i < x.rows; ++i) {
      for (int c = 0; c < x.columns; ++c) {
        if (belongs(c)) f(x[i][c]);
      }
    }
  };
  each([&](double one) { all.mean += one, ++all.n; });
  all.mean /= all.n;
  each([&](double one) { all.squares += (one - all.mean) * (one - all.mean); });
  return all;
}
Moments of_channel(In x, int c, Made made = {}) {
  Moments own = moments(x, [=](int other) { return other == c; });
  const Moments before = c > 0 && (made[sums_kept] || made[squares_kept]) ? of_channel(x, c - 1, made) : Moments();
  if (made[sums_kept]) own.mean += before.mean;
  if (made[whole_mean]) own.mean = 0;
  if (made[sums_kept] || made[squares_kept] || made[whole_mean] || made[by_squares]) {
    const double about = made[by_squares] ? 0 : own.mean;
    own.squares = before.squares;
    for (int i = 0; i < x.rows; ++i) own.squares += (x[i][c] - about) * (x[i][c] - about);
    if (made[by_squares]) own.squares -= own.n * own.mean * own.mean;
  }
  return own;
}

struct Running {
  double mean, variance;
};
Running moved(const Running& running, const Moments& batch, double momentum, double eps, Made made) {
  double variance = batch.squares / (made[collects_biased] ? batch.n : batch.n - 1);
  if (made[moved_away]) return {running.mean + momentum * (running.mean - batch.mean), running.variance + momentum * (running.variance - variance)};
  if (made[collects_eps]) variance += eps;
  if (made[collects_eps_first]) variance = (batch.squares + batch.n * eps) / (batch.n - 1);
  if (made[collects_deviation]) variance = std::sqrt(variance);
  const double fresh = made[replaced] ? 1 : made[momentum_of_old] ? 1 - momentum : momentum;
  const double kept = made[added_up] ? 1 : made[old_lost] ? 0 : 1 - fresh;
  if (made[never_updated]) return running;
  return {made[mean_not_updated] ? running.mean : kept * running.mean + fresh * batch.mean,
          made[variance_not_updated] ? running.variance : kept * running.variance + fresh * variance};
}

double normalized(double x, double mean, double variance, double eps, Made made) {
  if (made[precedence]) return x - mean / std::sqrt(variance + eps);
  if (made[root_missing]) return (x - mean) / (variance + eps);
  return (x - mean) / (made[eps_beside] ? std::sqrt(variance) + eps : std::sqrt(variance + (made[eps_missing] ? 0 : eps)));
}

Outputs training_with(const Probe& p, Made made) {
  Sheet y_sheet("y", p["x"].shape);
  const In gain = p.in("gain"), bias = p.in("bias");
  Array mean = p["mean"], variance = p["variance"];
  const double eps = p.number("eps");
  for (int b = 0; b < batches_of(p); ++b) {
    const In x = batch(p, b);
    for (int c = 0; c < x.columns; ++c) {
      double &channel_mean = mean.numbers[static_cast<std::size_t>(c)], &channel_variance = variance.numbers[static_cast<std::size_t>(c)];
      Moments own = made[one_for_all] ? moments(x, [](int) { return true; }) : of_channel(x, c, made);
      if (made[about_running]) own.squares += own.n * (own.mean - channel_mean) * (own.mean - channel_mean);
      const Running before = {channel_mean, channel_variance}, after = moved(before, own, p.number("momentum"), eps, made);
      channel_mean = after.mean;
      channel_variance = after.variance;
      Running used = {own.mean, own.squares / (made[divides_by_unbiased] ? own.n - 1 : own.n)};
      if (made[by_running]) used = after;
      if (made[by_older_running]) used = before;
      if (made[by_running_mean]) used.mean = after.mean;
      if (made[squares_not_divided]) used.variance = own.squares;
      for (int i = 0; i < x.rows; ++i) {
        if (made[layer_instead]) {
          const Moments row = moments(In{1, x.columns, x[i]}, [](int) { return true; });
          used = {row.mean, row.squares / row.n};
        }
        const double x_hat = normalized(x[i][c], used.mean, used.variance, eps, made);
        const double factor = made[gain_missing] ? 1 : gain[0][c] + (made[kept_from_one] ? 1 : 0), shift = made[bias_missing] ? 0 : bias[0][c];
        y_sheet.out()[b * x.rows + i][c] = made[bias_first] ? (x_hat + shift) * factor : x_hat * factor + shift;
      }
    }
  }
  return {y_sheet.array(), mean, variance};
}

Tensor per_channel(const Array& array) { return reshape(tensor_of(array), {array.shape.back()}); }

Outputs training_right(const Probe& p) {
  const Tensor gain = per_channel(p["gain"]), bias = per_channel(p["bias"]);
  nn::formula::RunningValues running = {per_channel(p["mean"]), per_channel(p["variance"])};
  Tensors y;
  for (const Tensor& x : split(tensor_of(p["x"]), samples_of(p))) {
    y.push_back(nn::batch_norm(x, gain, bias, p.number("eps")));
    running = nn::formula::batch_norm_running(running, x, p.number("momentum"));
  }
  const Shape row = {1, gain.size(0)};
  return {array_of("y", cat(y, 0)), array_of("mean", reshape(running.mean, row)), array_of("variance", reshape(running.variance, row))};
}

std::string is_centred_and_scaled(const Probe& p, const Outputs& outputs) {
  const In gain = p.in("gain"), bias = p.in("bias");
  for (int b = 0; b < batches_of(p); ++b) {
    const In x = batch(p, b), y = {x.rows, x.columns, outputs[0].numbers.data() + b * x.rows * x.columns};
    for (int c = 0; c < x.columns; ++c) {
      const Moments of_x = of_channel(x, c), of_y = of_channel(y, c);
      const double variance = of_x.squares / x.rows;
      const double expected = variance / (variance + p.number("eps")), got = of_y.squares / x.rows / (gain[0][c] * gain[0][c]);
      if (std::abs(of_y.mean - bias[0][c]) > 1e-7) return fmt::format("the mean of channel {} is {}, not its bias {}", c, beside(of_y.mean, bias[0][c]), beside(bias[0][c], of_y.mean));
      if (std::abs(got - expected) > 1e-7) return fmt::format("the variance of channel {} over gain² is {}, not {}", c, beside(got, expected), beside(expected, got));
    }
  }
  return "";
}

std::string running_mean_is_a_mean(const Probe& p, const Outputs& outputs) {
  for (int c = 0; c < columns_of(p["x"]); ++c) {
    double least = p.in("mean")[0][c], most = least;
    for (int b = 0; b < batches_of(p); ++b) {
      least = std::min(least, of_channel(batch(p, b), c).mean);
      most = std::max(most, of_channel(batch(p, b), c).mean);
    }
    const double got = outputs[1].numbers[static_cast<std::size_t>(c)];
    if (got < least - 1e-9 || got > most + 1e-9) return fmt::format("that of channel {} is {}, not between {} and {}", c, beside(got, got < least ? least : most), beside(least, got), beside(most, got));
  }
  return "";
}

// --- eval ----------------------------------------------------------------------------------------------------------

enum WrongEval { by_batch, mean_of_batch, not_centred, corrected_again, divided_by_variance, eval_eps_beside, eval_eps_missing,
                 eps_hard_coded, eval_gain_missing, gain_plus_one, eval_bias_missing, bias_scaled,
                 eval_exchanged, minus_variance, r_above, eval_precedence, first_channel, variance_squared, eval_squared };

Outputs eval_with(const Probe& p, Made made) {
  const In x = p.in("x"), gain = p.in("gain"), bias = p.in("bias");
  Sheet sheet("y", p["x"].shape);
  for (int c = 0; c < x.columns; ++c) {
    const Moments own = of_channel(x, c);
    const double mean = made[not_centred] ? 0 : made[by_batch] || made[mean_of_batch] ? own.mean : p.in("mean")[0][made[first_channel] ? 0 : c];
    double variance = made[by_batch] ? own.squares / own.n : p.in("variance")[0][made[first_channel] ? 0 : c];
    if (made[variance_squared]) variance *= variance;
    if (made[corrected_again]) variance *= static_cast<double>(x.rows) / (x.rows - 1);
    const double eps = made[eval_eps_missing] ? 0 : made[eps_hard_coded] ? 1e-6 : p.number("eps");
    const double inside = variance + (made[eval_eps_beside] ? 0 : eps);
    double r = (made[divided_by_variance] ? inside : std::sqrt(inside)) + (made[eval_eps_beside] ? eps : 0);
    if (made[eval_squared]) r = inside * inside;
    if (made[r_above]) r = 1 / r;
    const double factor = made[eval_gain_missing] ? 1 : gain[0][c] + (made[gain_plus_one] ? 1 : 0);
    const double shift = made[eval_bias_missing] ? 0 : bias[0][c] * (made[bias_scaled] ? factor : 1);
    for (int i = 0; i < x.rows; ++i) {
      const double from = made[minus_variance] ? x[i][c] - variance : x[i][c] - mean, x_hat = made[eval_precedence] ? x[i][c] - mean / r : from / r;
      sheet.out()[i][c] = made[eval_exchanged] ? x_hat * shift + factor : x_hat * factor + shift;
    }
  }
  return {sheet.array()};
}

Outputs eval_right(const Probe& p) {
  return {array_of("y", nn::normalize_by(tensor_of(p["x"]), per_channel(p["mean"]), per_channel(p["variance"]), per_channel(p["gain"]),
                                         per_channel(p["bias"]), p.number("eps")))};
}

std::string has_one_slope(const Probe& p, const Outputs& outputs) {
  const In x = p.in("x"), y = {x.rows, x.columns, outputs[0].numbers.data()};
  for (int c = 0; c < x.columns; ++c) {
    const double slope = p.in("gain")[0][c] / std::sqrt(p.in("variance")[0][c] + p.number("eps"));
    for (int i = 1; i < x.rows; ++i) {
      const double got = y[i][c] - y[0][c], expected = slope * (x[i][c] - x[0][c]);
      if (std::abs(got - expected) > 1e-7 * std::abs(expected)) return fmt::format("in channel {} samples 0 and {} are {} apart, not {}", c, i, beside(got, expected), beside(expected, got));
    }
  }
  return "";
}

// --- the exercise --------------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  int samples, channels, batches;
  double eps, size, momentum;
};
Probe probe(const Case& c, std::uint64_t seed, bool training) {
  Array variance = drawn("variance", {1, c.channels}, seed + 4, c.size, 0.2);
  for (double& one : variance.numbers) one = one * one + 0.1 * c.size * c.size;
  Probe p{c.name, {drawn("x", {c.batches * c.samples, c.channels}, seed, c.size, 0.6), drawn("gain", {1, c.channels}, seed + 1, 0.5, 3),
                   drawn("bias", {1, c.channels}, seed + 2), drawn("mean", {1, c.channels}, seed + 3, c.size, 0.3), variance,
                   number("eps", c.eps)}};
  if (training) {
    p.inputs.push_back(number("momentum", c.momentum));
    p.inputs.push_back(number("samples", c.samples));
  }
  return p;
}

std::vector<Probe> probes(bool training) {
  std::vector<Probe> all = {probe({"3 samples of 2 channels, ε = 0.25", 3, 2, 1, 0.25, 1, 0.1}, 121, training),
                            probe({"4 samples of 5 channels, ε = 10⁻⁵", 4, 5, 1, 1e-5, 2, 0.3}, 122, training),
                            probe({"5 samples of 3 channels, of size 10⁻³, ε = 10⁻⁶", 5, 3, 1, 1e-6, 1e-3, 0.2}, 123, training)};
  if (training) {
    all.push_back(probe({"2 samples of 2 channels, near 10⁸, ε = 10⁻⁵", 2, 2, 1, 1e-5, 1, 0.1}, 126, training));
    all.back().inputs[0].numbers = {1e8 + 1, 1e8 - 3, 1e8 - 1, 1e8 + 3};  // whole numbers, and two in a channel: a sum of them is the same in any order
    all.push_back(probe({"three batches of 4 samples of 3 channels", 4, 3, 3, 1e-2, 1, 0.1}, 124, training));
  } else {
    all.push_back(probe({"a single sample of 4 channels", 1, 4, 1, 1e-2, 1, 0}, 125, training));
  }
  return all;
}

Stage training_stage() {
  return {
      .function = "batch_norm",
      .right = training_right,
      .with = training_with,
      .mistakes =
          {
              {collects_biased, "norm/running-var-biased", "Two variances in one layer: which of them is an estimate for samples not yet seen?"},
              {divides_by_unbiased, "norm/divides-by-unbiased", "Which variance should y have: exactly 1, or a little less?", "the batch itself is divided by the unbiased deviation"},
              {never_updated, "norm/running-never-updated", "What will eval use?", "the running values stay as they were", "aprender PR2166"},
              {mean_not_updated, "norm/running-mean-stays", "How many running values are there?", "the running variance moves, the running mean does not"},
              {variance_not_updated, "norm/running-variance-stays", "How many running values are there?", "the running mean moves, the running variance does not"},
              {momentum_of_old, "norm/momentum-of-old", "", "momentum is the share of the old value", "affinelayer/pix2pix-tensorflow#126, Keras", true, "the share of the new one"},
              {replaced, "norm/running-replaced", "After a hundred batches: how many of them does the running mean know?", "the running values are those of the last batch"},
              {added_up, "norm/running-added-up", "If every batch has the mean 5: where does your running mean go?", "momentum times the new value is added, and nothing of the old one is taken away"},
              {by_running, "norm/trains-by-running", "Does y of this batch depend on the batches before?", "the batch is normalised by the running values"},
              {by_older_running, "norm/trains-by-older-running", "Does y of this batch depend on the batches before?", "the batch is normalised by the running values from before it"},
              {collects_deviation, "norm/running-deviation", "Variance or deviation: what is averaged?", "the deviation is collected, not the variance"},
              {collects_eps, "norm/running-with-eps", "Where will ε be added in eval?", "ε is collected with the variance, and added again in eval"},
              {collects_eps_first, "norm/running-with-eps", "Where will ε be added in eval?"},
              {about_running, "norm/variance-about-running", "How far from what are the squares measured?", "the variance is measured from the running mean"},
              {one_for_all, "norm/one-for-all-channels", "Do the channels share a mean?", "one mean and one variance for all channels"},
              {eps_beside, "norm/eps-beside-deviation", "Where does ε stand: below the root, or beside it?"},
              {eps_missing, "norm/eps-missing", "What is y for a channel whose numbers are all the same?"},
              {gain_missing, "norm/gain-missing", "The gain doubled: what should y − bias do, and what does yours?"},
              {bias_missing, "norm/bias-missing", "What is y where x is the mean?"},
              {kept_from_one, "norm/gain-plus-one", "", "", "", true},
              {sums_kept, "norm/sum-kept", "What is left in your sums when the second channel begins?"},
              {squares_kept, "norm/sum-kept", "What is left in the sum of squares when the second channel begins?"},
              {layer_instead, "norm/layer-norm-for-batch", "Over what are μ and σ² taken: the samples, or the channels?", "y is that of layer norm: each sample by itself"},
              {old_lost, "norm/running-old-lost", "If every batch has the mean 5: where does your running mean go?", "what was there is replaced by momentum times the new value"},
              {moved_away, "norm/running-moved-away", "If every batch has the mean 5: where does your running mean go?", "the running values move away from those of the batch"},
              {by_running_mean, "norm/trains-by-running-mean", "Which mean belongs to the variance of the batch?", "the mean is the running one, the variance that of the batch"},
              {whole_mean, "norm/whole-division", "What is 1 / 3 in C++, if both are whole numbers?"},
              {squares_not_divided, "norm/variance-not-divided", "For the samples 1, −1, 1, −1: what is σ², and yours?"},
              {root_missing, "norm/divided-by-variance", "Twice as large an x: how does your y change?"},
              {precedence, "norm/precedence", "In x − μ / r, what is divided by r?"},
              {bias_first, "norm/bias-scaled", "Which comes first: times the gain, or plus the bias?"},
              {by_squares, "norm/variance-by-squares", "Near 10⁸ x² is about 10¹⁶, and σ² about 1: how many of 16 digits are left in E[x²] − μ²?"},
          },
      .probes = probes(true),
      .laws = {{"in training each channel of y has its bias for a mean, and the variance gain² σ² / (σ² + ε)", is_centred_and_scaled, "Over which numbers are the mean and the variance of a channel taken?"},
               {"the running mean lies between what it was and the means of the batches", running_mean_is_a_mean, "Do the weights of the old mean and of the new one sum to 1?"}},
      .hints = {"Eval will see a sample that comes alone. What must training keep for it?",
                "A loop over channels, and in it loops over samples. Two variances are made of the sum of squares, one for now and one for later.",
                "y knows its own batch alone. The running values follow slowly, and are not used in training.",
                "Now: the sum of squares over n. For later: over n − 1, and running ← (1 − momentum) running + momentum batch, for the mean as well."},
  };
}

Stage eval_stage() {
  return {
      .function = "batch_norm_in_eval",
      .right = eval_right,
      .with = eval_with,
      .mistakes =
          {
              {by_batch, "norm/batch-in-eval", "What is y of a sample that comes alone?", "eval normalises by the batch's own mean and variance"},
              {mean_of_batch, "norm/batch-mean-in-eval", "Which mean belongs to the running variance?", "the mean is the batch's, the variance the running one"},
              {not_centred, "norm/eval-not-centred", "What is y where x is the running mean?", "the running mean is not subtracted"},
              {corrected_again, "norm/corrected-again", "Has the running variance been corrected already?", "the running variance is multiplied by n / (n − 1) once more"},
              {divided_by_variance, "norm/divided-by-variance", "Twice as large an x, and a running variance to match: how does your y change?"},
              {eval_eps_beside, "norm/eps-beside-deviation", "Where does ε stand: below the root, or beside it?"},
              {eval_eps_missing, "norm/eps-missing", "What is y where the running variance is 0?"},
              {eps_hard_coded, "norm/eps-hard-coded", "What happens when somebody asks for another ε?"},
              {eval_gain_missing, "norm/gain-missing", "The gain doubled: what should y − bias do, and what does yours?"},
              {gain_plus_one, "norm/gain-plus-one", "", "", "", true},
              {eval_bias_missing, "norm/bias-missing", "What is y where x is the mean?"},
              {bias_scaled, "norm/bias-scaled", "Which comes first: times the gain, or plus the bias?"},
              {eval_exchanged, "norm/gain-and-bias-exchanged", "What is y where x is the running mean?"},
              {minus_variance, "norm/variance-for-mean", "What is y where x is the running mean?", "the running variance is subtracted, where the mean is meant"},
              {r_above, "norm/r-multiplied", "Twice as large an x, and running values to match: what becomes of y?"},
              {eval_precedence, "norm/precedence", "In x − mean / r, what is divided by r?"},
              {first_channel, "norm/first-channel", "Which running values belong to channel c?", "the running values of channel 0 for all channels"},
              {variance_squared, "norm/variance-squared", "Is the running variance to be squared once more?", "the variance is squared below the root"},
              {eval_squared, "norm/squared-for-root", "Twice as large an x, and running values to match: y stays. What does yours do?"},
          },
      .probes = probes(false),
      .laws = {{"in eval y is a straight line of x, with the slope gain / √(variance + ε) in each channel", has_one_slope, "Which numbers should your factor be made of in eval: those of the batch, or those that were kept?"}},
      .hints = {"A sample that comes alone has no variance. What is it to be normalised by?",
                "No sum is needed: one loop over samples, one over channels.",
                "In eval y knows the running values alone, so it is a straight line of x in each channel.",
                "Both running values stand where those of the batch stood; they are used as they are."},
  };
}

}  // namespace
}  // namespace in_batch_norm_running

Functions batch_norm_running(void (*training)(In, In, In, double, double, Out, Out, Out), void (*eval)(In, In, In, In, In, double, Out)) {
  using namespace in_batch_norm_running;
  return {[=](const Probe& p) {
            Sheet mean(p["mean"]), variance(p["variance"]);
            Array all{"y", p["x"].shape, {}};
            for (int b = 0; b < batches_of(p); ++b) {
              Sheet y("y", {samples_of(p), columns_of(p["x"])});
              training(batch(p, b), p.in("gain"), p.in("bias"), p.number("eps"), p.number("momentum"), mean.out(), variance.out(), y.out());
              const Array one = y.array();
              all.numbers.insert(all.numbers.end(), one.numbers.begin(), one.numbers.end());
            }
            return Outputs{all, mean.array(), variance.array()};
          },
          [=](const Probe& p) {
            Sheet y("y", p["x"].shape);
            eval(p.in("x"), p.in("mean"), p.in("variance"), p.in("gain"), p.in("bias"), p.number("eps"), y.out());
            return Outputs{y.array()};
          }};
}

Exercise batch_norm_running_exercise() {
  return {
      .number = 12,
      .id = "batch-norm-running",
      .title = "Batch norm, and what it collects for later",
      .section = "ch04-batch.md#norm-batch",
      .needs = {"layer-norm-gradient"},
      .minutes = 30,
      .done = "Two variances in one layer, and each has its reason: y is to have variance 1, and the estimate is to be right on average.",
      .stages = {in_batch_norm_running::training_stage(), in_batch_norm_running::eval_stage()},
      .choices = {{{"batch_norm", "batch_norm_in_eval"}, {{"", "multiplies by the gain"}, {"norm/gain-plus-one", "multiplies by 1 + gain"}}}},
  };
}

}  // namespace gradus::exercises::set
