// What the programs of this folder share: a small GPT in f64, which learns a verse by plain gradient descent.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/core.h"
#include "optim/distributed/collectives.h"
#include "optim/distributed/start.h"

namespace gradus::ranks {

using distributed::Link;

constexpr int64_t kBatch = 8, kContext = 16, kBlocks = 4, kWidth = 16, kHeads = 4, kHidden = 32, kSteps = 120;
constexpr double kRate = 0.5;

struct Block {
  Tensor query, key, value, out, up, down;
  Tensors parameters() const { return {query, key, value, out, up, down}; }
};

struct Model {
  Tensor table, places;  // a row for each character; a row for each position
  std::vector<Block> blocks;

  // The same weights on every rank.
  Model() {
    Generator random(1);
    const auto weight = [&](int64_t in, int64_t out) {
      return (std::sqrt(1.0 / static_cast<double>(in)) * randn({in, out}, DType::f64, random)).set_requires_grad();
    };
    table = (0.1 * randn({128, kWidth}, DType::f64, random)).set_requires_grad();
    places = (0.1 * randn({kContext, kWidth}, DType::f64, random)).set_requires_grad();
    for (int64_t i = 0; i < kBlocks; ++i) {
      Tensor q = weight(kWidth, kWidth), k = weight(kWidth, kWidth), v = weight(kWidth, kWidth), out = weight(kWidth, kWidth);
      blocks.push_back({q, k, v, out, weight(kWidth, kHidden), weight(kHidden, kWidth)});
    }
  }
  Tensors parameters() const {
    Tensors all = {table, places};
    for (const Block& block : blocks) {
      for (const Tensor& one : block.parameters()) all.push_back(one);
    }
    return all;
  }
};

inline Tensor rms_norm(const Tensor& x) { return x / sqrt(mean(x * x, -1, true) + 1e-5); }

// [B, T, heads · d] to [B, heads, T, d], and back.
inline Tensor split_heads(const Tensor& x, int64_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}
inline Tensor join_heads(const Tensor& x) { return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), x.size(1) * x.size(3)}); }

// softmax(Q Kᵀ / √d) V, where no position sees a later one.
inline Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Tensor scores = matmul(q, k, {.transpose_b = true}) / std::sqrt(static_cast<double>(q.size(3)));
  const Tensor seen = masked_fill(scores, triu(ones({q.size(2), q.size(2)}), 1) == 1, -INFINITY);
  return matmul(exp(seen - logsumexp(seen, -1, true)), v);
}

inline Tensor attend(const Tensor& x, const Block& b) {
  const Tensor h = rms_norm(x);
  const auto heads = [&](const Tensor& w) { return split_heads(matmul(h, w), kHeads); };
  return x + matmul(join_heads(attention(heads(b.query), heads(b.key), heads(b.value))), b.out);
}
inline Tensor feed_forward(const Tensor& x, const Block& b) { return x + matmul(relu(matmul(rms_norm(x), b.up)), b.down); }

inline Tensor embed(const Tensor& ids, const Tensor& table, const Tensor& places) {
  const Tensor rows = reshape(index_select(table, 0, flatten(ids)), {ids.size(0), ids.size(1), kWidth});
  return rows + slice(places, 0, 0, ids.size(1));
}

// Σ -log softmax(scores)[target], over all positions; the table scores, too.
inline Tensor losses(const Tensor& x, const Tensor& table, const Tensor& targets) {
  const Tensor scores = matmul(rms_norm(x), table, {.transpose_b = true});
  return sum(logsumexp(scores, -1, true) - gather(scores, -1, unsqueeze(targets, -1)));
}

// The batch of a step, [kBatch, kContext + 1]; inputs and targets of some of it.
inline Tensor batch(int step) {
  static constexpr std::string_view verse =
      "Tyger Tyger, burning bright, In the forests of the night; What immortal hand or eye, Could frame thy fearful symmetry? ";
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < kBatch; ++i) {
    for (int64_t t = 0; t <= kContext; ++t) {
      const auto at = static_cast<std::size_t>(31 * (step * kBatch + i) + t) % verse.size();
      ids.push_back(static_cast<unsigned char>(verse[at]));
    }
  }
  return from_vector(ids, {kBatch, kContext + 1});
}
inline Tensor inputs(const Tensor& windows) { return slice(windows, 1, 0, -1); }
inline Tensor targets(const Tensor& windows) { return slice(windows, 1, 1); }

inline void descend(const Tensors& parameters, double rate) {
  const NoGrad off;
  for (Tensor p : parameters) {
    p -= rate * p.grad();
    p.zero_grad();
  }
}

// max |x - y| over all numbers.
inline double difference(const Tensors& x, const Tensors& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, max(abs(x[i].detach() - y[i].detach())).item());
  return most;
}

// The largest of all ranks' numbers, on rank 0.
inline double largest(Link& link, double own) {
  std::vector<double> all(static_cast<std::size_t>(link.ranks()));
  all[static_cast<std::size_t>(link.rank())] = own;
  distributed::tree_all_reduce(link, std::span(all));
  return *std::max_element(all.begin(), all.end());
}

// The weights that one rank comes to, which trains alone: rank 0, and then all have them.
template <typename Train> Model alone(Link& link, const Train& train) {
  distributed::Alone nobody;
  const Model model = link.rank() == 0 ? train(nobody) : Model();
  for (Tensor p : model.parameters())
    distributed::broadcast(link, std::span(p.mutable_data<double>(), static_cast<std::size_t>(p.numel())));
  return model;
}

// Only rank 0 speaks.
template <typename... Args> void tell(const Link& link, fmt::format_string<Args...> text, Args&&... args) {
  if (link.rank() == 0) fmt::print(text, std::forward<Args>(args)...);
}

// main() of these programs: `./examples/run NAME [--ranks 4] [--threads]`.
inline int run(int argc, char** argv, const distributed::Body& body) {
  distributed::StartOptions options{.ranks = 4};
  try {
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word == "--help") {
        fmt::print("--ranks N     how many there are (default: 4)\n--threads     they are threads, even where Open MPI is installed\n");
        return 0;
      }
      if (word == "--threads") {
        options.threads = true;
      } else if (word == "--ranks" && i + 1 < argc) {
        options.ranks = std::atoi(argv[++i]);
      } else {
        throw ValueError(fmt::format("'{}' is no option; there are --ranks N and --threads", word));
      }
    }
    distributed::start(options, argv, [&](Link& link) {
      tell(link, "{}\n", distributed::how_started({.ranks = link.ranks(), .threads = options.threads}));
      body(link);
    });
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace gradus::ranks
