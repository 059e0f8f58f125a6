// The walks that the viewer is tested on, as pages and as JSON, into the folder that is given.
#include <fmt/format.h>

#include <filesystem>

#include "core/core.h"
#include "core/inspect/calls.h"
#include "core/inspect/trace.h"
#include "nn/activation/softmax.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"

using namespace gradus;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& folder, const std::string& name, const inspect::Trace& trace) {
  inspect::write_json((folder / (name + ".json")).string(), trace);
  inspect::write_html((folder / (name + ".html")).string(), trace);
  fmt::print("{}: {} tensors, {} bytes of JSON\n", name, trace.tensors.size(), fs::file_size(folder / (name + ".json")));
}

// y = (a + b) + a b + (a + b) a b: with a = 2 and b = 3, dy/da = 25 and dy/db = 19; by recursion it would be 29 and 22.
inspect::Trace expression() {
  const Tensor a = tensor(2, DType::f64).set_requires_grad(), b = tensor(3, DType::f64).set_requires_grad();
  const Tensor s = a + b, p = a * b;
  const Tensor y = s + p + s * p;
  return inspect::trace(y, {.title = "y = s + p + s p", .names = {{"a", a}, {"b", b}, {"s", s}, {"p", p}, {"y", y}}, .naive = true});
}

// Broadcasting, a matrix product and a softmax, on numbers that are all kept.
inspect::Trace small_matrices() {
  manual_seed(1);
  const Tensor x = randn({4, 3}), w = randn({3, 5}).set_requires_grad(), b = randn({5}).set_requires_grad();
  const Tensor scores = matmul(x, w) + b;
  const Tensor loss = mean(nn::softmax(scores) * scores);
  return inspect::trace(loss, {.title = "mean(softmax(z) ⊙ z), z = x w + b",
                               .names = {{"x", x}, {"w", w}, {"b", b}, {"z", scores}, {"loss", loss}},
                               .dimensions = {{"B", 4}, {"C", 3}, {"H", 5}}});
}

inspect::Trace language_model(const nn::TransformerOptions& options, int64_t batch, const std::string& title) {
  manual_seed(1);
  nn::LanguageModel model(options);
  Generator generator(2);
  const Tensor ids = randint(0, options.vocabulary, {batch, options.context}, generator),
               targets = randint(0, options.vocabulary, {batch, options.context}, generator);
  const inspect::CallLog log;
  const Tensor loss = nn::cross_entropy(model(ids), targets);
  inspect::TraceOptions named{.title = title,
                              .names = {{"ids", ids}, {"targets", targets}, {"loss", loss}},
                              .dimensions = {{"B", batch}, {"T", options.context}, {"C", options.d_model}, {"F", model.options().d_ff}}};
  for (const auto& p : model.named_parameters()) named.names.emplace_back(p.name, p.tensor);
  return inspect::trace(loss, named);
}

inspect::Trace chain(int64_t length) {
  const Tensor x = tensor(0.5, DType::f64).set_requires_grad(), w = tensor(1.001, DType::f64).set_requires_grad();
  Tensor y = x;
  for (int64_t i = 0; 2 * i < length; ++i) y = tanh(y * w);
  return inspect::trace(y, {.title = fmt::format("tanh(w x), {} times", length / 2), .names = {{"x", x}, {"w", w}, {"y", y}}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return fmt::print(stderr, "traces FOLDER\n"), 2;
  const fs::path folder = argv[1];
  fs::create_directories(folder);
  write(folder, "expression", expression());
  write(folder, "matrices", small_matrices());
  write(folder, "block", language_model({.context = 8, .d_model = 16, .layers = 1, .heads = 2}, 2, "A language model of one block"));
  write(folder, "step",
        language_model({.context = 128, .d_model = 256, .layers = 6, .heads = 8, .d_ff = 704}, 16, "A training step, d 256, 6 blocks"));
  write(folder, "chain", chain(100'000));
}
