// The tiny language model: trained while the reader watches, against the losses of models that count.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/core.h"
#include "examples/shared/data/ngrams.h"
#include "examples/widgets/models.h"
#include "examples/widgets/shakespeare.h"
#include "examples/widgets/tiny_model.h"
#include "examples/widgets/training.h"
#include "nn/activation/softmax.h"
#include "nn/model/sampling.h"

namespace gradus::widgets {
namespace {

constexpr std::size_t kMeanOver = 10;     // steps: the loss of four windows is a rough guess
constexpr std::size_t kMostPoints = 120;  // of the curve
constexpr std::size_t kBars = 10;
constexpr int kWritten = 60;

// The lines that a model passes, for this text: what it cannot get below as long as it looks back 0 bytes, or 1.
struct Lines { double guess, unigram, bigram; };

Lines lines_of(const std::string& text) {
  return {std::log(256.0), examples::ngram_loss(text, text, 1, 0), examples::ngram_loss(text, text, 2, 0)};
}

// The mean loss of the last steps up to this one.
double smoothed(const std::vector<double>& losses, std::size_t step) {
  const std::size_t from = step + 1 - std::min(step + 1, kMeanOver);
  const auto at = losses.begin();
  return std::accumulate(at + static_cast<std::ptrdiff_t>(from), at + static_cast<std::ptrdiff_t>(step) + 1, 0.0) /
         static_cast<double>(step + 1 - from);
}

// As many points as can be told apart, the last one among them: [step, loss].
Tensor curve(const std::vector<double>& losses) {
  const std::size_t last = losses.size() - 1, stride = last / kMostPoints + 1;
  std::vector<double> points;
  for (std::size_t s = last % stride; s <= last; s += stride) {
    points.insert(points.end(), {static_cast<double>(s), smoothed(losses, s)});
  }
  return from_vector(points, {static_cast<std::int64_t>(points.size() / 2), 2});
}

// As it can be shown: a new line as an arrow, what is no letter of ASCII as a dot.
std::string shown(char byte) {
  if (byte == '\n') return "↵";
  return byte >= ' ' && byte <= '~' ? std::string(1, byte) : "·";
}

std::vector<Seen> likeliest(const Tensor& scores, double temperature) {
  const std::vector<double> p = to_vector(nn::softmax(scores / temperature));
  std::vector<std::size_t> ids(p.size());
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  std::stable_sort(ids.begin(), ids.end(), [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
  std::vector<Seen> bars;
  for (std::size_t i = 0; i < kBars; ++i) {
    bars.push_back(Seen().add("byte", shown(static_cast<char>(ids[i]))).add("p", p[ids[i]]));
  }
  return bars;
}

// What it writes on, once it has read `past` and given these scores of the next byte.
std::string written(TinyModel& model, nn::KeyValueCache past, Tensor scores, double temperature, std::uint64_t seed) {
  Generator generator(seed);
  std::string all;
  for (int i = 0; i < kWritten; ++i) {
    const char byte = static_cast<char>(nn::draw(scores, {.temperature = temperature}, generator));
    scores = model.next({&byte, 1}, past);
    all += shown(byte);
  }
  return all;
}

std::string law_of_loss(std::int64_t step, std::int64_t asked, double loss, const Lines& lines) {
  const std::string way = step < asked ? fmt::format(" of {}", asked) : "";
  const std::string head = fmt::format("Step {}{}: loss {:.2f}, ", step, way, loss);
  if (loss >= lines.guess) return head + fmt::format("no better than a guess ({:.2f}).", lines.guess);
  if (loss >= lines.unigram) {
    return head + fmt::format(
                      "below a guess ({:.2f}), above the unigram line ({:.2f}): counting single bytes would still be "
                      "better.",
                      lines.guess, lines.unigram);
  }
  if (loss >= lines.bigram) {
    return head + fmt::format(
                      "below the unigram line ({:.2f}), above the bigram line ({:.2f}): it knows more than how often each "
                      "byte comes.",
                      lines.unigram, lines.bigram);
  }
  return head +
         fmt::format("below the bigram line ({:.2f}): what comes next it can only know from more than the one byte before.", lines.bigram);
}

}  // namespace

Seen language_model(Knobs& knobs) {
  const std::int64_t asked = knobs.whole("steps", "steps", 100, {.least = 0, .most = 2000, .step = 1, .play = 2, .two_digits = true});
  const std::string which = knobs.choice("text", "text", "Shakespeare", {"Shakespeare", "my own"});
  const std::string own = knobs.text("own", "my own text", "a rose is a rose is a rose is a rose. ", 4000);
  const double rate = knobs.number("lr", "learning rate", 0.01, {0.001, 0.05, 0.001});
  const std::string context = knobs.choice("context", "context", "32", {"8", "16", "32"});
  const std::string prompt = knobs.text("prompt", "prompt", "We are", 64);
  const double temperature = knobs.number("t", "temperature", 0.8, {0.1, 2, 0.1});
  const auto seed = static_cast<std::uint64_t>(knobs.whole("seed", "seed", 1, {0, 99, 1}));
  if (which == "Shakespeare") knobs.set_idle({"own"}, "choose the text “my own”");
  check<ValueError>(!prompt.empty(), "prompt: at least one letter");

  const std::string text(which == "Shakespeare" ? kShakespeare : std::string_view(own));
  auto& training = training_of<TinyTraining>(TinyTrainingOptions{text, rate, std::stoll(context), seed}, asked, knobs);
  const std::int64_t step = training.step();
  const Lines lines = lines_of(text);
  const double loss = smoothed(training.losses(), static_cast<std::size_t>(step));
  nn::KeyValueCache past;
  const Tensor next = training.model().next(prompt, past);
  return Seen()
      .add("step", step)
      .add("asked", asked)
      .add("goes_on", step < asked)
      .add("curve", curve(training.losses()))
      .add("guess", lines.guess)
      .add("unigram", lines.unigram)
      .add("bigram", lines.bigram)
      .add("loss", loss)
      .add("bars", likeliest(next, temperature))
      .add("prompt", prompt)
      .add("written", written(training.model(), past, next, temperature, seed))
      .say(law_of_loss(step, asked, loss, lines));
}

}  // namespace gradus::widgets
