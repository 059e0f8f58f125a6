#include "examples/exercises/in_place/put.h"

#include <cmath>

#include "core/core.h"
#include "examples/exercises/in_place/calls.h"
#include "examples/exercises/set/functions.h"

namespace gradus::exercises::put {
namespace {

constexpr int64_t kMost = 1000;  // tokens that a cache keeps: all

// f(q, k, v) of [T, d] for all heads, one by one.
template <typename F> Tensor head_by_head(const Tensor& q, const Tensor& k, const Tensor& v, const F& f) {
  Tensors outputs;
  for (int64_t h = 0; h < q.size(0); ++h) outputs.push_back(f(q[h], k[h], v[h]));
  return stack(outputs);
}

Tensor causal(const Tensor& scores) { return scores + triu(full({scores.size(-1), scores.size(-1)}, -1e9, DType::f64), 1); }

// The library's attention of one head.
Tensor attention_of_head(const Parts& parts, const Tensor& q, const Tensor& k, const Tensor& v) {
  return parts.attention(unsqueeze(q, 0), unsqueeze(k, 0), unsqueeze(v, 0))[0];
}

Array row_of(const std::string& name, const Tensor& positions) { return array_of(name, reshape(positions, {1, positions.numel()})); }

}  // namespace

void softmax(Parts& parts, const Functions& mine) {
  const auto probabilities = [=](const Tensor& scores) {
    return record_joint("softmax", called(mine[0], {array_of("x", scores)})[0], {scores},
                        [=](const Step& s) { return called(mine[1], {array_of("g", s.grad), array_of("y", s.output())}); });
  };
  parts.attention = [=](const Tensor& q, const Tensor& k, const Tensor& v) {
    return head_by_head(q, k, v, [&](const Tensor& of_q, const Tensor& of_k, const Tensor& of_v) {
      const Tensor scores = matmul(of_q, of_k, {.transpose_b = true}) / std::sqrt(static_cast<double>(of_q.size(1)));
      return matmul(probabilities(causal(scores)), of_v);
    });
  };
}

void rope(Parts& parts, const Functions& mine) {
  parts.rope = [=](const Tensor& x, const Tensor& positions) {
    const std::vector<Array> rest = {row_of("positions", positions), number("width", static_cast<double>(x.size(1))),
                                     number("theta", 10000)};
    const auto with = [=](const std::string& name, const Tensor& t) {
      return std::vector<Array>{array_of(name, t), rest[0], rest[1], rest[2]};
    };
    return record_joint("rope", called(mine[0], with("x", x))[0], {x}, [=](const Step& s) { return called(mine[1], with("g", s.grad)); });
  };
}

void attention(Parts& parts, const Functions& mine) {
  parts.attention = [=, library = parts](const Tensor& q, const Tensor& k, const Tensor& v) {
    return head_by_head(q, k, v, [&](const Tensor& of_q, const Tensor& of_k, const Tensor& of_v) {
      const Tensor y = called(mine[0], {array_of("q", of_q), array_of("k", of_k), array_of("v", of_v)})[0];
      return own_value("attention", y, {of_q, of_k, of_v},
                       [=](const Tensors& in) { return Tensors{attention_of_head(library, in[0], in[1], in[2])}; });
    });
  };
}

void attention_gradient(Parts& parts, const Functions& mine) {
  parts.attention = [=, library = parts](const Tensor& q, const Tensor& k, const Tensor& v) {
    return head_by_head(q, k, v, [&](const Tensor& of_q, const Tensor& of_k, const Tensor& of_v) {
      const Tensor y = attention_of_head(library, of_q.detach(), of_k.detach(), of_v.detach());
      return record_joint("attention", y, {of_q, of_k, of_v}, [=](const Step& s) {
        return called(mine[0], {array_of("q", s.input(0)), array_of("k", s.input(1)), array_of("v", s.input(2)), array_of("g", s.grad)});
      });
    });
  };
}

// The grader asks for values and gradients: here the values are wanted, and any g will do.
void heads(Parts& parts, const Functions& mine) {
  parts.split_heads = [=, library = parts.split_heads](const Tensor& x, int64_t heads) {
    const Tensor g = zeros({x.size(0), heads, x.size(1), x.size(2) / heads}, DType::f64);
    const Tensor y = called(mine[0], {array_of("x", x), array_of("g", g), number("heads", static_cast<double>(heads))})[0];
    return own_value("split_heads", y, {x}, [=](const Tensors& in) { return Tensors{library(in[0], heads)}; });
  };
  parts.merge_heads = [=, library = parts.merge_heads](const Tensor& x) {
    const Tensor g = zeros({x.size(0), x.size(2), x.size(1) * x.size(3)}, DType::f64);
    const Tensor y = called(mine[1], {array_of("x", x), array_of("g", g)})[0];
    return own_value("merge_heads", y, {x}, [=](const Tensors& in) { return Tensors{library(in[0])}; });
  };
}

void kv_cache(Parts& parts, const Functions& mine) {
  parts.cached = [attend = own<set::Attend>(mine[0])](const Tensor& q, const Tensor& k, const Tensor& v, const Turn& rope, Kept& kept) {
    return attend(q, k, v, rope, kMost, kept.k, kept.v, kept.read);
  };
}

}  // namespace gradus::exercises::put
