// ch04_norms: what moves when one number is nudged, what a norm does not see, and where ε and f16 take over.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch04_norms/claims.h"
#include "examples/ch04_norms/extents.h"
#include "examples/ch04_norms/images.h"
#include "examples/ch04_norms/perturbation.h"
#include "examples/ch04_norms/scale.h"
#include "examples/shared/mistakes/wrong_norms.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

double difference(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

// --- the one number: √n --------------------------------------------------------------------------------------

void one_number(Chapter& chapter) {
  Generator random(chapter.seed());
  double error = 0;
  for (const int64_t n : {2, 3, 64, 768}) {
    for (const double size : {1e-6, 1.0, 1e6}) {
      const Tensor y = nn::rms_norm((randn({n}, DType::f64, random) + 0.3) * size, {}, 0);
      error = std::max(error, std::abs(std::sqrt(sum(square(y)).item()) / std::sqrt(static_cast<double>(n)) - 1));
    }
  }
  const Tensor two = nn::layer_norm(tensor({{1, 2}, {5, -300}}, DType::f64), {2}, {}, {}, 0);
  chapter.number("length.relative_error", error);
  chapter.number("two.y", values_of(two));
  chapter.ask({"Batch norm in training: one token of one sentence changes. Which outputs move?",
               {"that token's", "that sentence's", "those of the other sentences too"},
               2,
               "Its mean and variance\nare those of a channel over the whole batch"});
  chapter.tell(
      fmt::format("the length of x / r is √n for every x: error {:.0e}\nlayer norm of [1, 2] and of [5, -300]: [{:.0f}, {:.0f}] and "
                  "[{:.0f}, {:.0f}]",
                  error, two.at({0, 0}), two.at({0, 1}), two.at({1, 0}), two.at({1, 1})));
}

// --- the one picture: perturbation maps -----------------------------------------------------------------------

double moved_cells(const Tensor& column) { return sum(cast(abs(column) > 1e-9, DType::f64)).item(); }

void maps(Chapter& chapter, const std::string& bug) {
  constexpr int64_t samples = 4, channels = 6, tokens = 6;
  const std::vector<int64_t> nudged{1, 2, 3};
  Generator random(chapter.seed());
  const Tensor x = randn({samples, channels, tokens}, DType::f32, random);
  std::vector<NamedNorm> all = norms_of_a_cube(channels, tokens);
  if (!bug.empty()) {
    const WrongNorm wrong = published(wrong_norms(), bug);
    all.push_back({"bug", bug, wrong.line, [wrong](const Tensor& t) { return transpose(wrong.apply(transpose(t), 1e-5)); }});
  }
  std::vector<std::string> ids, names, sentences;
  double in_other_samples = 0;
  chapter.tell("\noutputs that move when one of 144 inputs is nudged:");
  for (const auto& [id, name, sentence, apply] : all) {
    const Tensor column = jacobian_column(apply, x, nudged);
    const double count = moved_cells(column);
    ids.push_back(id);
    names.push_back(name);
    sentences.push_back(sentence);
    chapter.series("maps.columns." + id, rows_of(reshape(column, {samples * channels, tokens})));
    chapter.number("moved." + id, count);
    chapter.tell(fmt::format("  {:<22} {:>3}  {}", name, count, sentence));
    if (id == "batch") in_other_samples = count - moved_cells(column[nudged[0]]);
  }
  chapter.series("maps.ids", ids);
  chapter.series("maps.names", names);
  chapter.series("maps.sentences", sentences);
  chapter.number("moved.batch_in_other_samples", in_other_samples);
  chapter.claim("batch-norm-mixes-sentences", "Batch norm mixes sentences.", in_other_samples > 0 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("In training, {} of the outputs that move stand in other samples. Rule: seen here if there is one.",
                            shown(in_other_samples)));
}

// --- numbers by hand ------------------------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  Tensor x = tensor({1, 2, 2, 4}, DType::f64).set_requires_grad(), gain = tensor({1, 1, 2, 1}, DType::f64).set_requires_grad();
  const Tensor y = nn::rms_norm(x, gain, 0), g = tensor({1, 0, 1, -1}, DType::f64);
  const Tensors grads = grad({y}, {x, gain}, {.seeds = {g}});
  const double along = sum(grads[0] * x.detach()).item();
  chapter.number("hand.y", values_of(y.detach()));
  chapter.number("hand.dx", values_of(grads[0]));
  chapter.number("hand.dgain", values_of(grads[1]));
  chapter.number("hand.dx_along_x", along);
  chapter.series("hand.x", values_of(x));
  chapter.series("hand.g", values_of(g));
}

// --- laws: what a norm does not see -------------------------------------------------------------------------------

void laws(Chapter& chapter) {
  Generator random(chapter.seed());
  const Tensor x = randn({3, 5, 16}, DType::f64, random);
  Tensor other = clone(x);
  other.assign(x + pad(ones({1, 1, 16}, DType::f64), {{2, 0}, {4, 0}, {0, 0}}) * randn({16}, DType::f64, random));  // one token changed
  for (const auto& row : nn::norms().variants) {
    const nn::LayerPtr norm = row.value({.width = 16, .eps = 1e-14});
    norm->to(DType::f64);
    const NoGrad off;
    const auto apply = [&](const Tensor& t) { return (*norm)(t); };
    const Tensor y = apply(x);
    const std::vector<double> changes{difference(apply(100 * x), y), difference(apply(x + 5), y), difference(apply(-x), -y),
                                      difference(slice(apply(other), 0, 0, 2), slice(y, 0, 0, 2))};
    chapter.number(fmt::format("laws.{}", row.name), changes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  double a = 1;
  std::string bug;
  const ChapterText text{"04", "Norms", "Each norm divides by a size; they differ in the numbers that they average.", rms_norm_tape};
  const std::vector<Knob> knobs{{.flag = "--scale", .value = &a, .help = "of x", .least = 1e-6, .most = 1e6},
                                {"--bug", &bug, "a published wrong version beside the right one", ids_of(wrong_norms())}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    one_number(chapter);
    maps(chapter, bug);
    by_hand(chapter);
    scale_of_input(chapter, a);
    extents_of_norms(chapter);
    laws(chapter);
    if (bug.empty()) norms_on_images(chapter);  // no mistake is in these
    write_published(chapter, right_norm(), wrong_norms(), bug, [&](const WrongNorm& norm) { return probes_of(norm, chapter.seed()); });
    claims_of_norms(chapter);
    conventions_of_norms(chapter);
    chapter.finish("√n, the length of x / r for every x of n numbers");
  });
}
