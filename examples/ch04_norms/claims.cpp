#include "examples/ch04_norms/claims.h"

#include <fmt/format.h>

#include "core/core.h"
#include "examples/shared/experiment/least_time.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/rms_norm.h"
#include "nn/norm/rms_norm_variants.h"

namespace gradus::examples {
namespace {

double root_mean_square(const Tensor& x) { return sqrt(mean(square(x))).item(); }

}  // namespace

void claims_of_norms(Chapter& chapter) {
  std::string message;
  try {
    nn::BatchNorm1d(8)(randn({1, 8}));
  } catch (const ValueError& error) {
    message = error.what();
  }
  nn::LayerNorm layer({16});
  nn::RMSNorm rms(16);
  nn::BatchNorm1d batch(16);
  const Tensor x = randn({4, 16});
  const double layer_change = train_against_eval(layer, x), batch_change = train_against_eval(batch, x);
  chapter.word("batch_of_one", message);
  chapter.number("train_eval.layer", layer_change);
  chapter.number("train_eval.batch", batch_change);
  nn::LayerNorm wide_layer({256});
  nn::RMSNorm wide_rms(256);
  const Tensor rows = randn({2048, 256});
  const auto step = [&](nn::Layer& norm) { return [&] { sum(norm(rows)).backward(); }; };
  const std::vector<double> times = least_milliseconds({step(wide_layer), step(wide_rms)}, 25);
  const double layer_time = times[0], rms_time = times[1];
  chapter.number("time.layer_ms", layer_time);
  chapter.number("time.rms_ms", rms_time);
  chapter.tell(fmt::format("\nbatch norm of one sample:\n  {}\n  {}", message.substr(0, message.find("; ") + 1),
                           message.substr(message.find("; ") + 2)));
  chapter.claim(
      "layer-norm-same-in-train-and-eval", "Layer norm does the same in training and in use; batch norm does not.",
      layer_change == 0 && batch_change > 0.1 ? Verdict::confirmed : Verdict::refuted,
      fmt::format("Same x, train against eval: layer norm differs by {}, batch norm by {} after one batch. Rule: 0 and above 0.1.",
                  shown(layer_change), shown(batch_change)));
  chapter.claim("rms-faster", "RMSNorm is faster than layer norm.",
                rms_time < 0.95 * layer_time   ? Verdict::confirmed
                : rms_time > 1.05 * layer_time ? Verdict::refuted
                                               : Verdict::undecided,
                fmt::format("Forward and backward, 2048 × 256 in f32, one thread, least of 25: {:.2f} ms against {:.2f} ms, "
                            "on this machine now. Rule: seen here "
                            "below 0.95.",
                            rms_time, layer_time));
}

void conventions_of_norms(Chapter& chapter) {
  Generator random(chapter.seed());
  const Tensor x = randn({1, 64}, DType::f64, random);
  const double ratio = root_mean_square(nn::layer_norm(x, {64})) / root_mean_square(nn::layer_norm_std(x));
  const double l2 = root_mean_square(nn::rms_norm(x)) / root_mean_square(nn::rms_norm_l2(x));
  chapter.number("conventions.biased_over_unbiased", ratio);
  chapter.number("conventions.mean_over_sum", l2);
}

}  // namespace gradus::examples
