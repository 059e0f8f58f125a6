// The causality map: what each output of attention depends on, by the tape, beside the weights.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/autograd/vjp.h"
#include "core/core.h"
#include "examples/shared/mistakes/attentions.h"
#include "examples/widgets/models.h"
#include "nn/position/position_encoding.h"

namespace gradus::widgets {
namespace {

// Attention over `places` tokens, with its random inputs and projections.
struct CausalHead {
  static constexpr std::int64_t kModel = 8, kPainted = 8, kMost = 12;  // width of the model, places with a mask, places

  examples::AttentionFunction attend;
  nn::ScaledDotOptions options;
  std::int64_t places, heads, shared, width;  // heads of queries, of keys and values, and their width
  Tensor x, wq, wk, wv;                       // [1, places, kModel], and [kModel, heads · width]

  Tensor project(const Tensor& in, const Tensor& w) const { return reshape(matmul(in, w), {in.size(0), in.size(1), -1, width}); }
  Tensor outputs(const Tensor& in, const examples::AttentionFunction& function) const {
    return function(project(in, wq), project(in, wk), project(in, wv), options);
  }
};

// How much of value s is in output t: the mean over the numbers of a token. Without a mistake, the weights themselves.
Tensor weights(const CausalHead& head) {
  const std::int64_t places = head.places, numbers = head.heads * head.width;
  const Tensor every = expand(head.x, {places, places, CausalHead::kModel});  // one copy for each output that is asked about
  const Tensor q = head.project(every, head.wq), k = head.project(every, head.wk), v = head.project(every, head.wv);
  const Tensor seed = expand(reshape(eye(places, -1, DType::f64), {places, places, 1, 1}), q.shape());
  const auto of_values = [&](const Tensors& in) { return Tensors{head.attend(q, k, in[0], head.options)}; };
  return sum(vjp(of_values, {v}, {seed})[0], {2, 3}) / numbers;
}

// ‖∂out_t / ∂in_s‖: one copy of the tokens for each number of the output, and one walk back.
Tensor dependence(const CausalHead& head) {
  const std::int64_t copies = head.places * CausalHead::kModel;
  const Tensor seed = reshape(eye(copies, -1, DType::f64), {copies, head.places, head.heads, head.width});
  const auto f = [&](const Tensors& in) { return Tensors{head.outputs(in[0], head.attend)}; };
  const Tensor jacobian = vjp(f, {expand(head.x, {copies, head.places, CausalHead::kModel})}, {seed})[0];
  return norm(reshape(jacobian, {head.places, CausalHead::kModel, head.places, CausalHead::kModel}), {1, 3});
}

// A share of 0 adds 0: its logarithm is finite here.
Tensor entropy_of(const Tensor& p) { return 0 - sum(p * log(p + 1e-300), -1); }

// The painted mask in its corner of [places, places]; beyond it no later place is seen.
Tensor visible_places(const Tensor& painted, std::int64_t places) {
  const std::int64_t corner = std::min(places, CausalHead::kPainted);
  const Padding rest{{0, places - corner}, {0, places - corner}};
  const Tensor shown = slice(slice(cast(painted, DType::i64), 0, 0, corner), 1, 0, corner);
  return where(pad(ones_like(shown), rest), pad(shown, rest), tril(ones({places, places}, DType::i64)));
}

bool any_of(const Tensor& mask) { return any(mask).item() != 0; }

// Causal, unless the mask shows a later place; what else it hides is a mask beside that.
nn::ScaledDotOptions options_with_mask(const Tensor& visible) {
  nn::ScaledDotOptions options{.causal = !any_of(triu(visible, 1))};
  const Tensor mask = options.causal ? logical_or(visible, triu(ones_like(visible), 1)) : visible;
  if (!all(mask).item() || !options.causal) options.mask = mask;
  return options;
}

// The cells of [T, T] above the diagonal that are not 0, and of these the one with the greatest number.
struct Leaks {
  std::vector<std::int64_t> cells;
  std::int64_t worst = 0;
  bool any() const { return !cells.empty(); }
};

Leaks leaks_of(const Tensor& depends) {
  const std::vector<double> numbers = to_vector(depends);
  const std::int64_t places = depends.size(0);
  Leaks leaks;
  for (std::int64_t cell = 0; cell < depends.numel(); ++cell) {
    if (cell % places <= cell / places || numbers[cell] == 0) continue;
    if (!leaks.any() || numbers[cell] > numbers[leaks.worst]) leaks.worst = cell;
    leaks.cells.push_back(cell);
  }
  return leaks;
}

std::string causal_law(const Tensor& depends, const Leaks& leaks) {
  if (any_of(isnan(depends))) return "A query sees no key, and what it says is NaN: it spreads to all that NaN touches.";
  if (!leaks.any()) return "No output depends on a later input.";
  const std::int64_t places = depends.size(0);
  return fmt::format("Output {} depends on input {}: the future leaks, in {} of {} cells.", leaks.worst / places + 1,
                     leaks.worst % places + 1, leaks.cells.size(), places * (places - 1) / 2);
}

// What the mistake changes, in the second sentence.
std::string beside_right(const CausalHead& head) {
  const Tensor apart = abs(head.outputs(head.x, head.attend) - head.outputs(head.x, nn::attention));
  if (any_of(isnan(apart))) return "";
  const double most = max(apart).item();
  if (most < 1e-9) return " With these knobs the mistake changes nothing.";
  return fmt::format(" The outputs are wrong by up to {:.2f}.", most);
}

// The tokens and projections of this seed. More places leave the first ones as they are.
CausalHead random_head(std::int64_t seed, std::int64_t places, std::int64_t heads) {
  Generator random(static_cast<std::uint64_t>(seed));
  const std::int64_t shared = heads > 2 ? heads / 2 : heads, width = CausalHead::kModel / heads;
  const auto drawn = [&](const Shape& shape) { return randn(shape, DType::f64, random); };
  const double start = 1 / std::sqrt(static_cast<double>(CausalHead::kModel));
  CausalHead head{nn::attention, {}, places, heads, shared, width, {}, {}, {}, {}};
  head.wq = drawn({CausalHead::kModel, CausalHead::kModel}) * (2 * start);  // rows that are not too even
  head.wk = drawn({CausalHead::kModel, shared * width}) * start;
  head.wv = drawn({CausalHead::kModel, shared * width}) * start;
  head.x = slice(drawn({1, CausalHead::kMost, CausalHead::kModel}), 1, 0, places);
  return head;
}

std::vector<std::string> attention_mistakes() {
  std::vector<std::string> names{"none"};
  for (const auto& wrong : examples::wrong_attentions()) names.push_back(wrong.id);
  return names;
}

}  // namespace

Seen causality(Knobs& knobs) {
  const std::string bug = knobs.choice("bug", "published mistake", "none", attention_mistakes());
  const std::string heads = knobs.choice("heads", "heads (of 4, two share keys and values)", "1", {"1", "2", "4"});
  const std::int64_t places = knobs.whole("t", "places T", 8, {4, CausalHead::kMost, 1});
  const double scale = knobs.number("scale", "scale of q·k (0: 1/√d)", 0, {0, 4, 0.05});
  const std::int64_t window = knobs.whole("window", "window (0: none)", 0, {0, CausalHead::kMost, 1});
  const double softcap = knobs.number("cap", "softcap (0: none)", 0, {0, 5, 0.1});
  const double slope = knobs.number("slope", "ALiBi slope", 0, {0, 2, 0.05});
  const std::int64_t seed = knobs.whole("seed", "seed", 1, {1, 99, 1});
  const Tensor painted = knobs.numbers("mask", "mask: the place of the row sees that of the column",
                                       tril(ones({CausalHead::kPainted, CausalHead::kPainted}, DType::f64)), {0, 1, 1});

  CausalHead head = random_head(seed, places, std::stoll(heads));
  const Tensor visible = visible_places(painted, places);
  head.options = options_with_mask(visible);
  head.options.window = window;
  head.options.softcap = softcap;
  head.options.scale = scale > 0 ? scale : 1 / std::sqrt(static_cast<double>(head.width));
  if (slope > 0) head.options.bias = cast(abs(nn::key_offsets({arange(places), arange(places)})), DType::f64) * -slope;
  if (bug != "none") head.attend = examples::published(examples::wrong_attentions(), bug).function;

  const Tensor p = weights(head), depends = dependence(head);
  const Leaks leaks = leaks_of(depends);
  const Tensor reach = window > 0 ? triu(tril(visible, window - 1), 1 - window) : visible;
  return Seen()
      .add("weights", p)
      .add("depends", depends)
      .add("entropy", entropy_of(p))
      .add("most_entropy", std::log(static_cast<double>(places)))
      .add("mask", visible)
      .add("visible", reach)
      .add("scale", head.options.scale)
      .add("leaks", std::vector<double>(leaks.cells.begin(), leaks.cells.end()))
      .say(causal_law(depends, leaks) + (bug == "none" ? "" : beside_right(head)));
}

}  // namespace gradus::widgets
