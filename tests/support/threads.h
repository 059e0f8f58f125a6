// Threads: kernels use a given number of threads for as long as the object lives; and the check that their number changes no bit.
#pragma once

#include <fmt/core.h>

#include <cstring>
#include <string>

#include "core/autograd/engine.h"
#include "core/machine/threads.h"

namespace gradus::test {

struct Threads {
  explicit Threads(int count) { set_num_threads(count); }
  ~Threads() { set_num_threads(before); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  int before = num_threads();
};

inline bool same_bits(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return a.defined() == b.defined();
  const auto bytes = static_cast<std::size_t>(a.numel()) * size_of(a.dtype());
  return a.shape() == b.shape() && a.dtype() == b.dtype() && std::memcmp(a.bytes(), b.bytes(), bytes) == 0;
}

// "" when the tensors that f makes are the same, bit by bit, on 1, 2 and 3 threads; otherwise which are not.
template <typename F> std::string thread_dependence(const std::string& name, const F& f) {
  std::string problems;
  Tensors expected;
  for (int count : {1, 2, 3}) {
    const Threads threads(count);
    const Tensors found = f();
    if (count == 1) expected = found;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!same_bits(found[i], expected[i])) problems += fmt::format("{}: result {} on {} threads\n", name, i, count);
    }
  }
  return problems;
}

// The value of f and the gradient of each of its leaves, where it depends on one, along dL/dy = y + 1.
template <typename F> Tensors value_and_gradients(const F& f, const Tensors& leaves) {
  const Tensor y = f();
  Tensors results{y.detach()};
  if (!y.requires_grad()) return results;
  Tensor seed = y.detached_copy();
  auto* values = seed.mutable_data<float>();
  for (int64_t i = 0; i < seed.numel(); ++i) values[i] += 1;
  for (const Tensor& gradient : grad({y}, leaves, {.seeds = {seed}, .allow_unused = true})) results.push_back(gradient);
  return results;
}

}  // namespace gradus::test
