// The block of 2017 and the block of today, made with the library: their modules, and their parameters by part.
#include <fmt/format.h>

#include <functional>

#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t kModel = 512, kHeads = 8, kContext = 64;

nn::TransformerOptions sized(nn::TransformerOptions o) {
  o.d_model = kModel;
  o.heads = kHeads;
  o.context = kContext;
  o.layers = 1;
  return nn::checked(o, nn::StackKind::decoder, "transformer-blocks");
}

int64_t count(nn::Module& module, const std::function<bool(const NamedTensor&)>& counts) {
  int64_t found = 0;
  for (const NamedTensor& p : module.named_parameters()) found += counts(p) ? p.tensor.numel() : 0;
  return found;
}

std::string with_commas(int64_t n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

bool all_right = true;

// A row of the table; what was counted has to be what the page's formula says.
void row(const std::string& part, std::pair<int64_t, int64_t> counted, std::pair<int64_t, int64_t> by_formula) {
  fmt::print("{:<34}{:>12}{:>12}\n", part, with_commas(counted.first), with_commas(counted.second));
  if (counted == by_formula) return;
  all_right = false;
  fmt::print(stderr, "{}: {} and {} by the formula\n", part, by_formula.first, by_formula.second);
}

}  // namespace

int main() {
  const nn::TransformerOptions old = sized(nn::original_transformer());
  const nn::TransformerOptions modern = sized({.kv_heads = 2});  // RMSNorm, before; RoPE; SwiGLU; no biases: the defaults
  const nn::StackShape shape{};
  const nn::StackPosition waves = nn::make_position(old, shape.kind), turns = nn::make_position(modern, shape.kind);
  nn::Block then(nn::block_options(old, shape), waves.first), now(nn::block_options(modern, shape), turns.first);
  fmt::print("2017: {}\ntoday: {}\n", then, now);

  fmt::print("{:<34}{:>12}{:>12}\n", "parameters", "2017", "today");
  const auto both = [&](const std::function<bool(const NamedTensor&)>& counts) {
    return std::pair{count(then, counts), count(now, counts)};
  };
  const auto in = [](const NamedTensor& p, const char* part) { return p.name.find(part) != std::string::npos; };
  const auto of = [&](const char* part, bool biases) {
    return both([=](const NamedTensor& p) { return in(p, part) && (p.role == Role::bias) == biases; });
  };
  constexpr int64_t d = kModel, kv = d / kHeads * 2, wide = 4 * d, gated = 1408;
  row("attention: W_q", of("q_proj", false), {d * d, d * d});
  row("attention: W_k", of("k_proj", false), {d * d, d * kv});
  row("attention: W_v", of("v_proj", false), {d * d, d * kv});
  row("attention: W_out", of("out_proj", false), {d * d, d * d});
  row("attention: biases", of("attention", true), {4 * d, 0});
  row("feed-forward: matrices", of("feed_forward", false), {2 * d * wide, 3 * d * gated});
  row("feed-forward: biases", of("feed_forward", true), {wide + d, 0});
  row("norms: gains", of("norm", false), {2 * d, 2 * d});
  row("norms: shifts", of("norm", true), {2 * d, 0});
  row("positions", {waves.first->parameter_count(), turns.first->parameter_count()}, {0, 0});
  row("the block", both([](const NamedTensor&) { return true; }), {12 * d * d + 13 * d, 2 * d * (d + kv) + 3 * d * gated + 2 * d});

  fmt::print("\n{:<34}{:>12}{:>12}\n", "kept for each token read", "2017", "today");
  const auto cached = [](nn::Block& block) {
    const NoGrad off;
    nn::KeyValueCache cache;
    nn::BlockInputs inputs;
    inputs.self.cache = &cache;
    block({zeros({1, 16, kModel})}, inputs);
    return (cache.keys.numel() + cache.values.numel()) / 16;
  };
  row("numbers in keys and values", {cached(then), cached(now)}, {2 * d, 2 * kv});
  return all_right ? 0 : 1;
}
