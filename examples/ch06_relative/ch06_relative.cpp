// ch06_relative: hands that turn, scores that know the distance alone, and what each encoding keeps on longer texts.
#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/ch06_relative/clocks.h"
#include "examples/ch06_relative/family.h"
#include "examples/shared/mistakes/rotation_probes.h"
#include "examples/shared/mistakes/rotations.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/distance_law.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

constexpr int64_t kLength = 100;

// --- the law -------------------------------------------------------------------------------------------------

DistanceLaw law_of(const Rotation& rotation, std::uint64_t seed) {
  Generator random(seed);
  const Tensor q = randn({kHead}, DType::f64, random), k = randn({kHead}, DType::f64, random);
  return distance_law(rotated_scores(rotation, q, k, kLength));
}

void law(Chapter& chapter, const std::vector<Rotation>& rotations) {
  Generator random(chapter.seed());
  const Tensor q = randn({kHead}, DType::f64, random), k = randn({kHead}, DType::f64, random);
  for (const Rotation& rotation : rotations) {
    const Tensor s = rotated_scores(rotation, q, k, kLength);
    const DistanceLaw found = distance_law(s);
    const std::string path = rotation.id == "right" ? "law.right" : "law.wrong";
    chapter.series(path, standardized(s));
    chapter.number(path + ".spread", found.spread);
    chapter.number(path + ".share", found.share);
  }
  const double far = max(abs(rotated_scores(rotations[0], q, k, kLength) - rotated_scores(rotations[0], q, k, kLength, 3000))).item();
  const double formula = nn::formula::rope_relative(q, k, 7).item() - rotated_scores(rotations[0], q, k, 8).at({0, 7});
  chapter.number("law.change_3000_tokens_on", far);
  chapter.number("law.formula_error", std::abs(formula));
  chapter.tell(
      fmt::format("the scores of one distance differ by {:.1e}; distance explains\n{:.6f} of their variance, and 3,000 tokens on they "
                  "are the same to {:.0e}",
                  law_of(rotations[0], chapter.seed()).spread, law_of(rotations[0], chapter.seed()).share, far));
}

void by_hand(Chapter& chapter) {
  const Rotation rope = right_rotation(2);
  const Tensor q = tensor({1, 0}, DType::f64), k = tensor({0.6, 0.8}, DType::f64);
  std::vector<double> scores;
  std::vector<std::vector<double>> turned_q, turned_k;
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{0, 0}, {2, 1}, {7, 6}, {1, 2}}) {
    const auto turned = [&](const Tensor& x, int64_t p) { return flatten(rope.turn(reshape(x, {1, 1, 1, 2}), arange(p, p + 1))); };
    const Tensor a = turned(q, m), b = turned(k, n);
    turned_q.push_back(values_of(a));
    turned_k.push_back(values_of(b));
    scores.push_back(dot(a, b).item());
  }
  chapter.number("hand.scores", scores);
  chapter.series("hand.q", turned_q);
  chapter.series("hand.k", turned_k);
}

void conventions(Chapter& chapter) {
  Generator random(chapter.seed());
  const nn::PositionOptions options{.d_model = kHead, .heads = 1, .head_dim = kHead, .max_length = 64};
  nn::RoPE pairs(options), halves(options, {.layout = nn::RopeLayout::halves});
  const Tensor x = randn({1, 64, 1, kHead}, DType::f64, random), p = arange(64);
  const Tensor order = nn::halves_from_pairs(kHead);
  const double same = max(abs(index_select(pairs.on_queries(x, p), -1, order) - halves.on_queries(index_select(x, -1, order), p))).item();
  const double other = max(abs(pairs.on_queries(x, p) - halves.on_queries(x, p))).item();
  const Tensor code = nn::alibi_slopes(12), text = nn::alibi_slopes(12, nn::AlibiSlopes::text);
  const double slopes = max(abs(code - text)).item();
  chapter.number("conventions.halves_permuted", same);
  chapter.number("conventions.halves", other);
  chapter.number("conventions.alibi_12_heads", slopes);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t shift = 11;
  std::string bug;
  const ChapterText text{"06", "Relative positions", "Turn queries and keys by their position, and scores know the distance alone.",
                         rope_tape};
  const std::vector<Knob> knobs{{.flag = "--shift", .value = &shift, .help = "of both positions of the clocks", .least = 0, .most = 4000},
                                {"--bug", &bug, "a published wrong version beside the right one", ids_of(wrong_rotations(kHead))}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    std::vector<Rotation> rotations{right_rotation(kHead)};
    if (!bug.empty()) rotations.push_back(published(wrong_rotations(kHead), bug));
    const DistanceLaw right = law_of(rotations[0], chapter.seed());
    chapter.ask({"A query and a key both move 1,000 tokens on. What happens to their RoPE score?",
                 {"it shrinks: they are far from the start", "nothing", "it depends on how fast their pair turns"},
                 1,
                 "Both hands of each\nclock turn by the same angle; the score sees the angle between them"});
    clock_hands(chapter, shift);
    law(chapter, rotations);
    by_hand(chapter);
    compare_encodings(chapter);
    write_published(chapter, rotations[0], wrong_rotations(kHead), bug,
                    [&](const Rotation& rotation) { return probes_of(rotation, kHead, chapter.seed()); });
    conventions(chapter);
    chapter.finish(fmt::format("{:.1e}, the spread of RoPE scores of one distance (share {:.6f})", right.spread, right.share));
  });
}
