#include "examples/ch11_language_model/next_byte.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/core.h"
#include "examples/shared/report/printable.h"
#include "examples/shared/report/values.h"
#include "nn/nn.h"

namespace gradus::examples {

Tensor distribution(const Tensor& scores, double temperature, int64_t top_k) {
  const int64_t count = scores.size(0);
  if (temperature == 0) return one_hot(argmax(scores), count, scores.dtype());
  Tensor kept = scores;
  if (top_k > 0) {
    const double least = topk(scores, top_k).values.at({top_k - 1});
    kept = masked_fill(scores, scores < least, -HUGE_VAL);
  }
  return nn::softmax(kept / temperature);
}

double entropy(const Tensor& p) {
  double sum = 0;
  for (const double x : values_of(p)) sum -= x > 0 ? x * std::log(x) : 0;
  return sum;
}

namespace {

struct Setting {
  std::string name, path;
  double temperature = 1;
  int64_t top_k = 0;
};

std::vector<int64_t> ids_of(const std::string& text) {
  std::vector<int64_t> ids;
  for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

// Scores of the byte after the prompt, [256].
Tensor scores_after(nn::LanguageModel& model, const std::string& prompt) {
  const NoGrad off;
  const std::vector<int64_t> ids = ids_of(prompt);
  const Tensor logits = model(from_vector(ids, {1, static_cast<int64_t>(ids.size())}));
  return cast(select(select(logits, 0, 0), 0, -1), DType::f64);
}

std::string name_of(int64_t byte) {
  const auto c = static_cast<char>(byte);
  return c == ' ' ? "space" : c == '\n' ? "line" : printable(std::string(1, c));
}

// The chances of these bytes.
std::vector<double> shares_of(const Tensor& p, const std::vector<int64_t>& bytes) {
  std::vector<double> shares;
  for (const int64_t byte : bytes) shares.push_back(p.at({byte}));
  return shares;
}

std::string written(Trainer& trainer, const std::string& prompt, const Setting& setting, std::uint64_t seed) {
  Generator generator(seed + 7);
  const double temperature = setting.temperature == 0 ? 1e-6 : setting.temperature;  // the limit
  const std::vector<int64_t> ids =
      nn::sample(trainer.model(), ids_of(prompt), {.count = 90, .temperature = temperature, .top_k = setting.top_k}, generator);
  std::string text;
  for (std::size_t i = prompt.size(); i < ids.size(); ++i) text += static_cast<char>(ids[i]);
  return text;
}

constexpr int64_t kDraws = 2000;

// How often the library draws this byte at T = 1.
int64_t drawn(const Tensor& scores, int64_t byte, Generator& generator) {
  int64_t times = 0;
  for (int64_t i = 0; i < kDraws; ++i) times += nn::draw(scores, {.temperature = 1}, generator) == byte ? 1 : 0;
  return times;
}

}  // namespace

void sampling(Chapter& chapter, Trainer& trainer, double temperature, const std::string& prompt) {
  std::vector<Setting> settings{
      {"T = 0", "0", 0}, {"T = 0.5", "50", 0.5}, {"T = 1", "100", 1}, {"T = 2", "200", 2}, {"T = 1, top 5", "top5", 1, 5}};
  const bool another = std::none_of(settings.begin(), settings.end(), [&](const Setting& s) { return s.temperature == temperature; });
  if (another) settings.push_back({fmt::format("T = {}, yours", shown(temperature)), "own", temperature});
  const Tensor scores = scores_after(trainer.model(), prompt);
  const Tensor order = topk(scores, 8).indices;
  std::vector<int64_t> likeliest;
  for (int64_t i = 0; i < 8; ++i) likeliest.push_back(static_cast<int64_t>(order.at({i})));
  std::vector<std::string> names, paths, bytes;
  std::vector<std::vector<double>> shares;
  for (const int64_t byte : likeliest) bytes.push_back(name_of(byte));
  for (const Setting& setting : settings) {
    const Tensor p = distribution(scores, setting.temperature, setting.top_k);
    const double nats = entropy(p);
    chapter.number("temperature." + setting.path + ".entropy", nats);
    chapter.number("temperature." + setting.path + ".first", p.at({likeliest[0]}));
    names.push_back(setting.name);
    paths.push_back(setting.path);
    shares.push_back(shares_of(p, likeliest));
    const std::string text = written(trainer, prompt, setting, chapter.seed());
    chapter.word("temperature." + setting.path + ".sample", printable(text));
    if (setting.path == "0" || setting.path == "100" || setting.path == "own") {
      chapter.tell(fmt::format("After the prompt at {}: entropy {:.2f} nats", setting.name, nats));
    }
  }
  Generator draws(chapter.seed() + 8);
  const int64_t likeliest_drawn = drawn(scores, likeliest[0], draws);
  chapter.number("temperature.100.drawn", static_cast<double>(likeliest_drawn) / kDraws);
  chapter.series("prompt", printable(prompt));
  chapter.series("temperature.names", names);
  chapter.series("temperature.paths", paths);
  chapter.series("temperature.bytes", bytes);
  chapter.series("temperature.shares", shares);
}

}  // namespace gradus::examples
