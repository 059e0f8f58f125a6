// ch08_placement: where the norm stands decides how loud the stream gets and which blocks learn: pre, post, DeepNorm.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/core.h"
#include "examples/ch08_placement/collapse.h"
#include "examples/ch08_placement/thousand.h"
#include "examples/ch08_placement/training.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/deep_stack.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

using Profiles = std::map<std::string, Profile>;

Profiles measure(Chapter& chapter, int64_t depth) {
  const int seeds = chapter.full() ? 8 : 3;
  Profiles all;
  chapter.series("seeds", seeds);
  for (const std::string placement : {"pre", "post", "deepnorm", "sandwich"}) {
    const Profile& p = all[placement] = at_the_start({.placement = placement, .depth = depth}, chapter.seed(), seeds);
    chapter.series("start." + placement + ".low", p.low);
    chapter.series("start." + placement + ".high", p.high);
    chapter.number("start." + placement + ".variance", p.variance);
    chapter.number("start." + placement + ".gradient", p.gradient);
    chapter.number("start." + placement + ".parameter_gradient", p.parameter_gradient);
  }
  return all;
}

// --- the picture: gradients on their way down -------------------------------------------------------------------------

// What theory says of pre-norm: x_l = x_(l-1) + f(norm(x_(l-1))), and the norm divides by the stream's size σ. So the block
// adds to the gradient in proportion to 1/σ, and from the top down to l it grows as σ_L / σ_l.
std::vector<double> predicted(const Profile& pre) {
  std::vector<double> y;
  for (const double v : pre.variance) y.push_back(std::sqrt(pre.variance.back() / v));
  return y;
}

void gradients(Chapter& chapter, const Profiles& all) {
  const std::vector<double> theory = predicted(all.at("pre"));
  double apart = 1;  // by which factor theory misses pre-norm at most
  for (std::size_t l = 0; l < theory.size(); ++l) {
    const double factor = theory[l] / all.at("pre").gradient[l];
    apart = std::max({apart, factor, 1 / factor});
  }
  chapter.number("theory.pre.gradient", theory);
  chapter.number("theory.pre.apart", apart);
  chapter.tell(fmt::format("The gradient at the bottom over that at the top:\n  pre {:.2f} (theory {:.2f}), post {:.2f}, DeepNorm {:.2f}",
                           all.at("pre").gradient[0], theory[0], all.at("post").gradient[0], all.at("deepnorm").gradient[0]));
}

// --- numbers by hand -------------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const Tensor x = tensor({3, 1}, DType::f64);
  const auto norm = [](const Tensor& t) { return nn::layer_norm(t, {2}, {}, {}, 0); };
  const double alpha = nn::deep_norm_scale({.layers = 8}).alpha;
  const auto row = [&](const std::string& name, const Tensor& y) { chapter.number("hand." + name, to_vector(y)); };
  row("pre", x + 2 * norm(x));
  row("post", norm(x + 2 * x));
  row("sandwich", x + norm(2 * norm(x)));
  row("deepnorm", norm(alpha * x + 2 * x));
  for (const int64_t layers : {8, 24, 128, 1000}) {
    const auto [a, b] = nn::deep_norm_scale({.layers = layers});
    chapter.number(fmt::format("deepnorm.{}", layers), {a, b});
  }
}

// --- depth -----------------------------------------------------------------------------------------------------------

void depths(Chapter& chapter) {
  for (const int64_t depth : {6, 12, 48}) {
    Profiles at;
    for (const char* placement : {"pre", "post", "deepnorm"}) {
      at[placement] = at_the_start({.placement = placement, .depth = depth}, chapter.seed(), chapter.full() ? 8 : 2);
    }
    const std::vector<double> row{at["pre"].variance.back(), at["pre"].gradient[0], at["post"].parameter_gradient[1],
                                  at["deepnorm"].gradient[0]};
    chapter.number(fmt::format("depth.{}", depth), row);
  }
}

// --- claims ----------------------------------------------------------------------------------------------------------

void larger_at_the_bottom(Chapter& chapter, const Profiles& all, int64_t depth) {
  const double xavier = all.at("pre").parameter_gradient[1];
  const double gpt2 = at_the_start({.placement = "pre", .depth = depth, .init = "gpt2"}, chapter.seed(), 2).parameter_gradient[1];
  chapter.number("claim.xavier", xavier);
  chapter.number("claim.gpt2", gpt2);
  const int larger = (xavier > 1.5 ? 1 : 0) + (gpt2 > 1.5 ? 1 : 0);
  const Verdict verdict = larger == 2 ? Verdict::confirmed : larger == 1 ? Verdict::depends : Verdict::refuted;
  chapter.claim("pre-norm-bottom-gradients-larger", "With pre-norm the gradients of the lower layers are larger.", verdict,
                fmt::format("Weights of block 1 over those of block {}: {} where weights begin Xavier normal, {} "
                            "where they begin N(0, 0.02²), as in "
                            "GPT-2: there the sublayers are so quiet that the stream hardly grows. Rule: seen here "
                            "above 1.5 with both, partly seen "
                            "with one.",
                            depth, shown(xavier), shown(gpt2)));
}

void same_name(Chapter& chapter) {
  const double here = nn::deep_norm_scale({.layers = 24}).alpha, glm = nn::glm_deep_norm_scale({.layers = 24}).alpha;
  chapter.series("alpha", std::vector{here, glm});
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t depth = 24;
  const ChapterText text{"08", "Placement", "Where a norm stands decides how loud the stream gets, and which blocks learn.",
                         placement_tape};
  const std::vector<Knob> knobs{{.flag = "--depth", .value = &depth, .help = "blocks L", .least = 2, .most = 96}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    const Profiles all = measure(chapter, depth);
    const auto loud = [&](const char* placement) { return all.at(placement).variance.back(); };
    chapter.ask({fmt::format("Pre-norm: x + f(norm(x)). What is the variance of x after {} blocks,\nif it begins at 1?", depth),
                 {"1: there is a norm in each block", "about the number of blocks: it adds up", "doubled with each block"},
                 1,
                 "The norm stands on\nthe branch; what it hands on is added, and nothing divides the stream."});
    gradients(chapter, all);
    by_hand(chapter);
    depths(chapter);
    in_training(chapter, chapter.full() ? 12 : 6);
    rank_collapse(chapter);
    thousand(chapter);
    larger_at_the_bottom(chapter, all, depth);
    same_name(chapter);
    chapter.finish(
        fmt::format("{:.1f}: variance of the pre-norm stream after {} blocks, post-norm {:.1f}", loud("pre"), depth, loud("post")));
  });
}
