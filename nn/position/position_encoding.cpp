#include "nn/position/position_encoding.h"

#include <algorithm>

#include "core/options/range.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

void check_positions(const char* who, const Tensor& positions) {
  check_defined(who, {{"positions", positions}});
  check<DTypeError>(positions.dtype() == DType::i64, "{}: positions must be i64, got {}; use cast(positions, DType::i64)",
                    who, positions.dtype());
}

}  // namespace

PositionEncoding::PositionEncoding(const char* type, const PositionOptions& o) {
  for (const auto& [name, size] : {std::pair{"d_model", o.d_model}, {"heads", o.heads}, {"head_dim", o.head_dim},
                                   {"max_length", o.max_length}}) {
    check_size(type, name, size);
  }
}

namespace {

// Distances between positions that are farther from 0 would not be exact in f64.
constexpr int64_t kFarthest = int64_t{1} << 52;

Tensor offsets_of(const char* who, const Positions& positions) {
  for (const Tensor& places : {positions.queries, positions.keys}) {
    check_positions(who, places);
    check<ShapeError>(places.rank() == 1 || places.rank() == 2, "{}: expected positions [T] or [B, T], got {}", who,
                      places.shape());
    const auto* place = places.data<int64_t>();
    for (int64_t i = 0; i < places.numel(); ++i) {
      check<ValueError>(-kFarthest <= place[i] && place[i] <= kFarthest, "{}: positions must be within ±2⁵², got {}", who,
                        place[i]);
    }
  }
  return unsqueeze(positions.keys, -2) - unsqueeze(positions.queries, -1);
}

}  // namespace

Tensor key_offsets(const Positions& positions) { return offsets_of("key_offsets", positions); }

Tensor key_offsets(const char* who, const Tensor& q, const Tensor& k, const Positions& positions) {
  check_inputs(who, {{"q", q}, {"k", k}});
  check<ShapeError>(q.rank() == 4 && k.rank() == 4, "{}: expected q [B, T, H, d] and k [B, S, G, d], got {} and {}", who,
                    q.shape(), k.shape());
  Tensor offsets = offsets_of(who, positions);
  for (const auto& [x, places] : {std::pair{q, positions.queries}, {k, positions.keys}}) {
    check<ShapeError>(places.size(-1) == x.size(1) && (places.rank() == 1 || places.size(0) == x.size(0)),
                      "{}: q or k {} needs positions [{}] or [{}, {}], got {}", who, x.shape(), x.size(1), x.size(0), x.size(1),
                      places.shape());
  }
  return offsets;
}

void check_embedding(const char* who, const Tensor& x, const Tensor& positions, int64_t width) {
  check_inputs(who, {{"x", x}});
  check_positions(who, positions);
  const bool fit = x.rank() == 3 && x.size(2) == width &&
                   (positions.shape() == Shape{x.size(1)} || positions.shape() == Shape{x.size(0), x.size(1)});
  check<ShapeError>(fit, "{}: expected x [B, T, {}] and positions [T] or [B, T], got {} and {}", who, width, x.shape(),
                    positions.shape());
}

Tensor bias_of_heads(const Tensor& table, const Tensor& ids, DType dtype) {
  const Tensor by_head = index_select(transpose(table), 1, flatten(ids));               // [H, T·S] or [H, B·T·S]
  const Tensor bias = reshape(by_head, Shape{table.size(1)}.concat(ids.shape()));       // [H, T, S] or [H, B, T, S]
  return cast(bias.rank() == 3 ? bias : transpose(bias, 0, 1), dtype);
}

Tensor rows_at(const char* who, const Tensor& table, const Tensor& positions, DType dtype, const char* remedy) {
  check_positions(who, positions);
  const Shape shape = positions.shape().concat({table.size(1)});
  if (positions.numel() == 0) return Tensor(shape, dtype);
  const auto* values = positions.data<int64_t>();
  const auto [least, most] = std::minmax_element(values, values + positions.numel());
  const int64_t first = *least, last = *most;
  check<ValueError>(first >= 0, "{}: positions count from 0, got {}", who, first);
  check<ValueError>(last < table.size(0), "{}: position {} is beyond the table's {}; {}", who, last, table.size(0) - 1,
                    remedy);
  return cast(reshape(index_select(table, 0, flatten(positions)), shape), dtype);
}

}  // namespace gradus::nn
