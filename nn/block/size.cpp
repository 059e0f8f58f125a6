#include "nn/block/size.h"

#include <algorithm>

#include "core/machine/memory.h"

namespace gradus::nn {
namespace {

double not_negative(int64_t size) { return static_cast<double>(std::max<int64_t>(size, 0)); }

}  // namespace

double least_parameters(const BlockOptions& o) {
  const AttentionOptions& a = o.attention;
  const double width = not_negative(a.d_model), inner = not_negative(o.feed_forward.d_ff);
  const double heads = std::max(not_negative(a.heads), 1.0);
  const double shared = a.kv_heads > 0 ? std::min(not_negative(a.kv_heads) / heads, 1.0) : 1;
  const double attention = (2 + 2 * shared) * width * width;  // W_q, W_o; W_k, W_v
  const bool known = o.feed_forward_layer.name != "own";
  const double feed_forward = known ? 2 * width * inner : 0;  // W₁, W₂
  return not_negative(o.stack.layers) * ((o.cross_attention ? 2 : 1) * attention + feed_forward);
}

void check_memory(double numbers, OpName op) {
  const double needed = numbers * 4, available = memory_bytes();
  check<MemoryError>(needed <= available,
                     "{}: takes at least {:.3g} GB of memory, and there are {:.3g}; take smaller sizes or fewer layers", op,
                     needed / 1e9, available / 1e9);
}

}  // namespace gradus::nn
