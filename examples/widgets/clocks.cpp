// Clock hands: what RoPE makes of a query and a key, and of their score, wherever the two stand.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/shared/mistakes/rotations.h"
#include "examples/widgets/models.h"

namespace gradus::widgets {
namespace {

using examples::Rotation;

// The query and the key of one token, how they are turned, and what comes after that.
struct Clocks {
  static constexpr std::int64_t kAhead = 64, kBehind = 16, kText = 12;  // distances of the curve, tokens of the matrix
  static constexpr double kRounding = 1e-6;

  Rotation rotation;
  nn::RopeLayout layout;
  Tensor q, k, wq, wk;  // [d]; undefined, or [d, d] after the turn

  // This vector at each of the positions, [n, d], in the second of two heads: each token alone, or all as one text.
  Tensor at(const Tensor& x, const Tensor& positions, bool alone) const {
    const std::int64_t n = positions.numel();
    const Shape shape = alone ? Shape{n, 1, 2, x.numel()} : Shape{1, n, 2, x.numel()};
    const Tensor turned = rotation.turn(expand(x, shape), alone ? unsqueeze(positions, 1) : positions);
    return reshape(select(turned, 2, 1), {n, -1});
  }
  Tensor queries(const Tensor& positions, bool alone = true) const { return after(at(q, positions, alone), wq); }
  Tensor keys(const Tensor& positions, bool alone = true) const { return after(at(k, positions, alone), wk); }
  static Tensor after(const Tensor& x, const Tensor& w) { return w.defined() ? matmul(x, w) : x; }

  // [queries, keys]
  Tensor scores(const Tensor& at_queries, const Tensor& at_keys, bool alone = true) const {
    return matmul(queries(at_queries, alone), keys(at_keys, alone), {.transpose_b = true});
  }
  double score(std::int64_t m, std::int64_t n) const { return scores(one(m), one(n)).item(); }
  static Tensor one(std::int64_t position) { return arange(position, position + 1); }

  // The two numbers of each pair, [d/2, 2].
  Tensor hands(const Tensor& x) const {
    const Tensor flat = flatten(x);
    const Tensor pairs = layout == nn::RopeLayout::pairs ? flat : index_select(flat, 0, nn::pairs_from_halves(flat.numel()));
    return reshape(pairs, {-1, 2});
  }
};

double greatest_apart(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

// (a, b) in each pair.
Tensor in_pairs(double a, double b, std::int64_t width, nn::RopeLayout layout) {
  const Tensor pairs = flatten(expand(tensor({a, b}, DType::f64), {width / 2, 2}));
  return layout == nn::RopeLayout::pairs ? pairs : index_select(pairs, 0, nn::halves_from_pairs(width));
}

std::vector<std::string> rotation_mistakes() {
  std::vector<std::string> names{"none"};
  for (const Rotation& wrong : examples::wrong_rotations(4))
    if (wrong.slopes == nullptr) names.push_back(wrong.id);
  return names;
}

Rotation rotation_of(const std::string& bug, std::int64_t width, const nn::RopeOptions& options) {
  if (bug == "none") return examples::right_rotation(width, options);
  return examples::published(examples::wrong_rotations(width, options), bug);
}

Clocks clocks_of(const Rotation& rotation, std::int64_t width, nn::RopeLayout layout, const std::string& projection) {
  const Tensor x = in_pairs(1, 0, width, layout);
  Clocks clocks{rotation, layout, x, x, {}, {}};
  Generator random(1);
  const double start = std::sqrt(2.0 / static_cast<double>(width));  // half of x is 0
  const Tensor wq = randn({width, width}, DType::f64, random) * start, wk = randn({width, width}, DType::f64, random) * start;
  if (projection == "before the turn") {
    clocks.q = matmul(x, wq);
    clocks.k = matmul(x, wk);
  } else if (projection == "after the turn") {
    clocks.wq = wq;
    clocks.wk = wk;
  }
  return clocks;
}

// A query of each distance to the key at n, and the same further on.
struct ScoreCurve {
  Tensor distances, here, there;

  ScoreCurve(const Clocks& clocks, std::int64_t n, std::int64_t shift) {
    const Tensor positions = arange(std::max<std::int64_t>(n - Clocks::kBehind, 0), n + Clocks::kAhead + 1);
    distances = positions - n;
    here = flatten(clocks.scores(positions, Clocks::one(n)));
    there = flatten(clocks.scores(positions + shift, Clocks::one(n + shift)));
  }
  bool flat() const { return (max(here) - min(here)).item() < Clocks::kRounding; }
};

// The greatest difference of two scores of one distance, in the matrix of a text and on the curve.
double spread(const Tensor& gram, const ScoreCurve& curve) {
  const Tensor next = slice(slice(gram, 0, 1), 1, 1), before = slice(slice(gram, 0, 0, -1), 1, 0, -1);
  return std::max(greatest_apart(next, before), greatest_apart(curve.here, curve.there));
}

struct ClockPlace {
  std::int64_t m, n, shift;  // how far both are moved to see whether it matters
};

std::string law(const Clocks& clocks, const ScoreCurve& curve, double spread, const ClockPlace& place) {
  const auto [m, n, shift] = place;
  if (curve.flat()) return "The score is the same at every distance: no position is left.";
  const double change = std::abs(clocks.score(m + shift, n + shift) - clocks.score(m, n));
  if (spread < Clocks::kRounding) {
    return fmt::format("The score depends on m − n alone: shifting both by {} changes it by {:.4f}.", shift, change);
  }
  return fmt::format("The score depends on more than m − n: shifting both by {} changes it by {:.4f}, others by up to {:.2f}.", shift,
                     change, spread);
}

// What a mistake changes beside the law, or in its stead.
std::string beside_right(const Clocks& clocks, const Clocks& right, const ScoreCurve& curve, const ClockPlace& place, const Tensor& value) {
  const auto [m, n, shift] = place;
  const auto handed_on = [&](std::int64_t at) { return clocks.at(value, Clocks::one(at), true); };
  if (clocks.rotation.turns_values) {
    return fmt::format(" But the value is turned too: the shift changes what is handed on by {:.4f}.",
                       norm(handed_on(n + shift) - handed_on(n)).item());
  }
  const Tensor text = arange(std::max(m, n) + 1);
  const double in_text = clocks.scores(text, text, false)[m][n].item(), alone = clocks.score(m, n);
  if (std::abs(in_text - alone) > Clocks::kRounding) {
    return fmt::format(" In a text read as a whole it is {:.2f}; of tokens that come one by one, as with a cache, it is {:.2f}.", in_text,
                       alone);
  }
  if (curve.flat()) return "";
  const double wrong = greatest_apart(curve.here, ScoreCurve(right, n, shift).here);
  return wrong > Clocks::kRounding ? fmt::format(" RoPE's scores are others, by up to {:.2f}.", wrong) : "";
}

}  // namespace

Seen clocks(Knobs& knobs) {
  const std::int64_t m = knobs.whole("m", "position m of the query", 9, {0, Clocks::kAhead, 1});
  const std::int64_t n = knobs.whole("n", "position n of the key", 4, {0, Clocks::kBehind, 1});
  const std::int64_t shift = knobs.whole("shift", "shift, added to both", 0, {.least = 0, .most = 1000, .step = 1, .two_digits = true});
  const std::string theta = knobs.choice("theta", "θ", "10000", {"10", "100", "1000", "10000", "100000", "1000000"});
  const std::int64_t width = std::stoll(knobs.choice("d", "width of the head", "8", {"4", "8", "16"}));
  const std::string order = knobs.choice("layout", "which numbers are a pair", "pairs", {"pairs", "halves"});
  const std::string projection = knobs.choice("projection", "projection", "none", {"none", "before the turn", "after the turn"});
  const std::string bug = knobs.choice("bug", "published mistake", "none", rotation_mistakes());

  const nn::RopeLayout layout = order == "pairs" ? nn::RopeLayout::pairs : nn::RopeLayout::halves;
  const nn::RopeOptions options{.theta = std::stod(theta), .layout = layout};
  const Clocks all = clocks_of(rotation_of(bug, width, options), width, layout, projection);
  const ClockPlace place{m, n, shift > 0 ? shift : 5};
  const ScoreCurve curve(all, n, place.shift);
  const Tensor text = arange(shift, shift + Clocks::kText), gram = all.scores(text, text, false);
  const double differ = spread(gram, curve);
  const Tensor value = in_pairs(0, 1, width, layout);
  std::string words = law(all, curve, differ, place);
  if (bug != "none") {
    const Clocks right = clocks_of(rotation_of("none", width, options), width, layout, projection);
    words += beside_right(all, right, curve, place, value);
  }

  Seen seen;
  seen.add("query", all.hands(all.queries(Clocks::one(m + shift))));
  seen.add("key", all.hands(all.keys(Clocks::one(n + shift))));
  if (all.rotation.turns_values) seen.add("value", all.hands(all.at(value, Clocks::one(n + shift), true)));
  return seen.add("place", std::vector<double>{double(m + shift), double(n + shift)})
      .add("pairs", all.hands(arange(width)))
      .add("score", all.score(m + shift, n + shift))
      .add("moved", shift)
      .add("distance", m - n)
      .add("shift", place.shift)
      .add("distances", curve.distances)
      .add("here", curve.here)
      .add("there", curve.there)
      .add("gram", gram)
      .add("holds", differ < Clocks::kRounding)
      .add("flat", curve.flat())
      .add("flat_text", (max(gram) - min(gram)).item() < Clocks::kRounding)
      .say(words);
}

}  // namespace gradus::widgets
