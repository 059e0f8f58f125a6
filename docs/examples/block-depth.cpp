// block-mhc, block-attention-residual, block-mudd: what three small models have learned to mix, and to read of the layers below, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "nn/nn.h"
#include "optim/optim.h"

using namespace gradus;

namespace {

constexpr int64_t width = 16, layers = 4, half = 12, batch = 8, symbols = 16;

// Texts by a rule: twelve random symbols, and the same twelve again.
Tensor texts(Generator& random) {
  const Tensor first = randint(0, symbols, {batch, half}, random);
  return cat({first, first}, 1);
}

nn::LanguageModel trained(const char* placement, Generator& random) {
  manual_seed(1);
  nn::LanguageModel model(
      {.vocabulary = symbols, .context = 2 * half, .d_model = width, .layers = layers, .heads = 2, .placement = placement});
  model.to(DType::f64);
  optim::AdamW optimizer({{.parameters = model.named_parameters()}}, {.lr = 4e-3, .weight_decay = 0});
  for (int step = 0; step < 120; ++step) {
    const Tensor ids = texts(random);
    optimizer.zero_grad();
    nn::cross_entropy(slice(model(ids), 1, half - 1, -1), slice(ids, 1, half)).backward();
    optimizer.step();
  }
  return model;
}

std::map<std::string, Tensor> parameters_of(nn::Module& module) {
  std::map<std::string, Tensor> result;
  for (const NamedTensor& p : module.named_parameters()) result.emplace(p.name, p.tensor);
  return result;
}

// The mean over tokens, to two digits.
std::string shown(const Tensor& rows) {
  std::vector<std::string> values;
  for (const double value : to_vector(rows)) values.push_back(fmt::format("{:.2f}", value));
  return fmt::format("[{}]", fmt::join(values, ", "));
}
std::string grid(const Tensor& x) {
  std::vector<std::string> rows;
  for (const Tensor row : x) rows.push_back(shown(row));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

std::vector<nn::Stream> trace_of(nn::LanguageModel& model, const Tensor& ids) {
  std::vector<nn::Stream> trace;
  model.stack()(model.embed(ids), {.trace = &trace});
  return trace;
}

// The mix of each block's attention, [4, 4].
std::string mixes(Generator& random) {
  nn::LanguageModel model = trained("mhc", random);
  const NoGrad off;
  const std::vector<nn::Stream> trace = trace_of(model, texts(random));
  const std::map<std::string, Tensor> all = parameters_of(model);
  std::vector<std::string> maps;
  for (int64_t i = 0; i < layers; ++i) {
    const nn::Stream& s = trace[static_cast<std::size_t>(i)];
    const Tensor h = i == 0 ? stack({s.x, s.x, s.x, s.x}, -2) : s.second;
    nn::ManifoldConnection connection({.make_norm = nullptr, .d_model = width, .sublayers = {nn::SublayerKind::attention}, .stack = {}},
                                      {});
    connection.to(DType::f64);
    for (NamedTensor& p : connection.named_parameters()) {
      p.tensor.assign(all.at(fmt::format("blocks.{}.placement.connection1.{}", i, p.name)).detach());
    }
    maps.push_back(grid(mean(slice(connection(h).alpha, -1, 1), {0, 1})));
  }
  return fmt::format("[{}]", fmt::join(maps, ",\n  "));
}

// For each sublayer, how much it takes of the embedding and of every sublayer up to itself.
std::string depths(Generator& random) {
  nn::LanguageModel model = trained("attention-residual", random);
  const NoGrad off;
  const Tensor v = trace_of(model, texts(random)).back().second;  // [B, T, 9, C]
  const std::map<std::string, Tensor> all = parameters_of(model);
  std::vector<std::string> rows;
  for (int64_t l = 0; l < 2 * layers; ++l) {
    const std::string block = fmt::format("blocks.{}.placement.", l / 2);
    const Tensor gain = all.at(fmt::format("{}norm{}.gain", block, 2 * (l % 2) + 2)), seen = slice(v, -2, 0, l + 2);
    const Tensor p = nn::softmax(matmul(nn::rms_norm(seen, gain), all.at(fmt::format("{}query{}", block, l % 2 + 1))));
    rows.push_back(shown(mean(p, {0, 1})));
  }
  return fmt::format("[{}]", fmt::join(rows, ",\n  "));
}

// How much the queries, keys, values and the stream of blocks 2 to 4, and then the end of the stack, take of what each block gave.
std::string ways(Generator& random) {
  nn::LanguageModel model = trained("mudd", random);
  const NoGrad off;
  const Tensor states = trace_of(model, texts(random)).back().second;  // [B, T, 5, C]
  const std::map<std::string, Tensor> all = parameters_of(model);
  std::vector<std::string> rows;
  for (int64_t l = 1; l <= layers; ++l) {
    const std::string path = l < layers ? fmt::format("blocks.{}.placement.ways.", l) : "blocks.3.placement.last_way.";
    const Tensor a = all.at(path + "bias"), last = nn::rms_norm(select(states, -2, l));
    const Tensor of_token = matmul(nn::act::gelu(matmul(last, all.at(path + "down"))), all.at(path + "up"));
    for (const Tensor row : a + reshape(mean(of_token, {0, 1}), a.shape())) rows.push_back(shown(row));
  }
  return fmt::format("[{}]", fmt::join(rows, ",\n  "));
}

}  // namespace

int main() {
  Generator random(2);
  const std::string mix = mixes(random);
  const std::string depth = depths(random);
  fmt::print("{{\"mix\": {},\n \"depth\": {},\n \"ways\": {}}}\n", mix, depth, ways(random));
}
