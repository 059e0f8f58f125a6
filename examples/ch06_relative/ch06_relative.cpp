// ch06_relative: hands that turn, scores that know the distance alone, and what each encoding keeps on longer texts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch06_relative/clocks.h"
#include "examples/ch06_relative/family.h"
#include "examples/shared/mistakes/rotation_probes.h"
#include "examples/shared/mistakes/rotations.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

constexpr int64_t kHead = 64, kPairs = kHead / 2, kLength = 100;

// --- the one picture: clock hands ---------------------------------------------------------------------------

// The hands of every pair: what RoPE makes of (1, 0) at a query's and at a key's position.
std::vector<Clock> hands(int64_t query, int64_t key) {
  const Rotation rope = right_rotation(kHead);
  const Tensor start = reshape(expand(tensor({1, 0}, DType::f64), {kPairs, 2}), {1, 1, 1, kHead});
  const auto angles = [&](int64_t position) {
    const Tensor turned = reshape(rope.turn(start, arange(position, position + 1)), {kPairs, 2});
    std::vector<double> result;
    for (int64_t k = 0; k < kPairs; ++k) result.push_back(std::atan2(turned.at({k, 1}), turned.at({k, 0})));
    return result;
  };
  const std::vector<double> q = angles(query), k = angles(key);
  std::vector<Clock> clocks;
  for (std::size_t i = 0; i < q.size(); ++i) clocks.push_back({q[i], k[i]});
  return clocks;
}

double angle_between(const Clock& clock) { return std::remainder(clock.query - clock.key, 2 * M_PI); }

void clocks(Chapter& chapter, int64_t shift) {
  constexpr int64_t query = 9, key = 4;
  const std::vector<Clock> before = hands(query, key), after = hands(query + shift, key + shift);
  const Tensor wavelengths = 2 * M_PI / nn::rope_frequencies(kHead, {}, 0);
  double change = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    change = std::max(change, std::abs(std::remainder(angle_between(after[i]) - angle_between(before[i]), 2 * M_PI)));
  }
  // How far each hand of the query goes on from one position to the next: the law, read from the layer's own output.
  const std::vector<Clock> here = hands(query, key), next = hands(query + 1, key);
  double off = 0;  // relative
  for (std::size_t i = 0; i < here.size(); ++i) {
    const double turn = std::remainder(next[i].query - here[i].query, 2 * M_PI);
    off = std::max(off, std::abs(turn * wavelengths.at({static_cast<int64_t>(i)}) / (2 * M_PI) - 1));
  }
  const double slowest_to_fastest = wavelengths.at({kPairs - 1}) / wavelengths.at({0});
  chapter.number("clocks.turns_off_by", off);
  chapter.number("clocks.shift", static_cast<double>(shift));
  chapter.number("clocks.change_of_angles", change);
  chapter.number("clocks.wavelengths", values_of(wavelengths));
  std::vector<Panel> faces;
  for (std::size_t i = 0; i < before.size(); i += 4) {
    faces.push_back(
        {fmt::format("pair {}", i),
         fmt::format("{} tokens a turn; angle {}", shown(wavelengths.at({static_cast<int64_t>(i)})), fixed(angle_between(after[i]), 3)),
         draw(after[i], &before[i])});
  }
  const std::string caption = fmt::format(
      "{} of the {} pairs of a head of {}, fast to slow. Hands: what RoPE makes of (1, 0) for a query at position {} and a "
      "key at {}; grey: "
      "the same {} tokens earlier. Angles in radians. Redraw: <code>./examples/run ch06 --shift {}</code>",
      faces.size(), kPairs, kHead, query + shift, key + shift, shift, shift);
  chapter.report.section("clocks", "Each pair of numbers is a clock");
  chapter.report.figure(
      {fmt::format("Both tokens move on by {}: all hands turn, no angle between them changes.", shift), panels(faces, 8.5), caption});
  chapter.report.formula(
      "({v x}{sub 2k}, {v x}{sub 2k+1}) turned by {m p}·{m ω}{sub k};;{m ω}{sub k} = {c θ}{sup −2k/d};;"
      "⟨R{sub m}{v q}, R{sub n}{v k}⟩ = {v q}ᵀR{sub n−m}{v k}");
  chapter.report.text(
      fmt::format("The angles of all {} pairs changed by {} at most. The fastest hand turns in {} tokens, the slowest in {}: the "
                  "first tells neighbours apart, the last has hardly moved at the end of a long text.",
                  kPairs, shown(change, 2), shown(wavelengths.at({0})), with_commas(std::llround(wavelengths.at({kPairs - 1})))));
  chapter.claim("rope-fast-and-slow-hands", "RoPE's pairs are clock hands, fast ones and slow ones.",
                off < 1e-9 && slowest_to_fastest > 100 ? Verdict::confirmed : Verdict::refuted,
                fmt::format("Wavelengths {} to {} tokens, each {:.2f} times the one before. Rule: in the layer's output each hand turns "
                            "by 2π/wavelength a token, to within 10⁻⁹ (it is {}), and the slowest is 100 times as slow as the fastest.",
                            shown(wavelengths.at({0})), with_commas(std::llround(wavelengths.at({kPairs - 1}))),
                            wavelengths.at({1}) / wavelengths.at({0}), shown(off, 2)));
  chapter.tell(
      fmt::format("{} pairs a head, from {:.1f} to {:.0f} tokens a turn.\nBoth tokens move on by {}: angles between hands "
                  "change by {:.1e}.",
                  kPairs, wavelengths.at({0}), wavelengths.at({kPairs - 1}), shift, change));
}

// --- the law -------------------------------------------------------------------------------------------------

DistanceLaw law_of(const Rotation& rotation, std::uint64_t seed) {
  Generator random(seed);
  const Tensor q = randn({kHead}, DType::f64, random), k = randn({kHead}, DType::f64, random);
  return distance_law(rotated_scores(rotation, q, k, kLength));
}

void law(Chapter& chapter, const std::vector<Rotation>& rotations) {
  Generator random(chapter.seed());
  const Tensor q = randn({kHead}, DType::f64, random), k = randn({kHead}, DType::f64, random);
  std::vector<Panel> maps;
  for (const Rotation& rotation : rotations) {
    const Tensor s = rotated_scores(rotation, q, k, kLength);
    const DistanceLaw found = distance_law(s);
    maps.push_back({rotation.id == "right" ? "RoPE" : escaped(rotation.id),
                    fmt::format("spread {}, share {:.6f}", shown(found.spread, 2), found.share), draw(map_of_scores(s))});
    const std::string path = rotation.id == "right" ? "law.right" : "law.wrong";
    chapter.number(path + ".spread", found.spread);
    chapter.number(path + ".share", found.share);
  }
  const double far = max(abs(rotated_scores(rotations[0], q, k, kLength) - rotated_scores(rotations[0], q, k, kLength, 3000))).item();
  const double formula = nn::formula::rope_relative(q, k, 7).item() - rotated_scores(rotations[0], q, k, 8).at({0, 7});
  chapter.number("law.change_3000_tokens_on", far);
  chapter.number("law.formula_error", std::abs(formula));
  chapter.report.section("law", "The law: a score knows the distance alone");
  chapter.report.figure(
      {"Every diagonal has one colour, after any projection: q and k are random here.",
       panels(maps, 18) + key_of(map_of_scores(eye(2, 2, DType::f64)), "score, in standard deviations from the mean"),
       fmt::format("⟨R<sub>m</sub>q, R<sub>n</sub>k⟩ for one random q and k of width {}, positions m down and n across, in f64. "
                   "Spread: the greatest difference within one diagonal. 3,000 tokens further on, all scores are the same to "
                   "within {}.",
                   kHead, shown(far, 2))});
  chapter.tell(
      fmt::format("the scores of one distance differ by {:.1e}; distance explains\n{:.6f} of their variance, and 3,000 tokens on they "
                  "are the same to {:.0e}",
                  law_of(rotations[0], chapter.seed()).spread, law_of(rotations[0], chapter.seed()).share, far));
}

void by_hand(Chapter& chapter) {
  const Rotation rope = right_rotation(2);
  const Tensor q = tensor({1, 0}, DType::f64), k = tensor({0.6, 0.8}, DType::f64);
  ReportTable table{"A head of one pair, ω = 1: q = (1, 0), k = (0.6, 0.8).",
                    {{"positions m, n"}, {"q turned", "by m", true}, {"k turned", "by n", true}, {"score", "", true}},
                    {}};
  std::vector<double> scores;
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{0, 0}, {2, 1}, {7, 6}, {1, 2}}) {
    const auto turned = [&](const Tensor& x, int64_t p) { return flatten(rope.turn(reshape(x, {1, 1, 1, 2}), arange(p, p + 1))); };
    const Tensor a = turned(q, m), b = turned(k, n);
    const auto pair = [](const Tensor& t) { return fmt::format("({}, {})", fixed(t.at({0}), 4), fixed(t.at({1}), 4)); };
    scores.push_back(dot(a, b).item());
    table.rows.push_back({fmt::format("{}, {}", m, n), pair(a), pair(b), fixed(scores.back(), 4)});
  }
  chapter.number("hand.scores", scores);
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  chapter.report.text(
      "Rows 2 and 3 have one distance and one score: cos 1 · 0.6 + sin 1 · 0.8 = 0.9974. The other direction, row 4, has "
      "another: "
      "unlike the sinusoidal dot product, this one knows before from after.");
  chapter.show_tape();
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
  chapter.report.section("conventions", "Same name, other formula");
  chapter.report.text(
      fmt::format("Which two numbers of a head turn together: neighbours (the paper) or i and i + d/2 (the common checkpoints)? After "
                  "the permutation they differ by {}, without it by {}: weights of one layout are wrong with the other. ALiBi with "
                  "12 heads: the authors' code takes other slopes than their text, head by head by up to {}.",
                  shown(same, 2), shown(other), shown(slopes)));
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
    chapter.report.one_number(
        shown(right.spread, 2),
        fmt::format("The one number: how much the scores of one distance differ, over {} positions. Distance explains "
                    "{:.6f} of their variance.",
                    kLength, right.share));
    chapter.ask({"A query and a key both move 1,000 tokens on. What happens to their RoPE score?",
                 {"it shrinks: they are far from the start", "nothing", "it depends on how fast their pair turns"},
                 1,
                 "Both hands of each\nclock turn by the same angle; the score sees the angle between them"});
    clocks(chapter, shift);
    law(chapter, rotations);
    by_hand(chapter);
    compare_encodings(chapter);
    write_published(chapter, rotations[0], wrong_rotations(kHead), bug,
                    [&](const Rotation& rotation) { return probes_of(rotation, kHead, chapter.seed()); });
    conventions(chapter);
    chapter.finish(fmt::format("{:.1e}, the spread of RoPE scores of one distance (share {:.6f})", right.spread, right.share));
  });
}
