#include "nn/position/position_encoding.h"

#include <algorithm>

#include "core/options/range.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

void check_positions(const Tensor& positions, OpName op = {}) {
  check_defined({{"positions", positions}}, op);
  check<DTypeError>(positions.dtype() == DType::i64, "{}: positions must be i64, got {}; use cast(positions, DType::i64)", op,
                    positions.dtype());
}

}  // namespace

PositionEncoding::PositionEncoding(const char* type, const PositionOptions& o) : type_(type), options_(o) {
  for (const auto& [name, size] :
       {std::pair{"d_model", o.d_model}, {"heads", o.heads}, {"head_dim", o.head_dim}, {"max_length", o.max_length}}) {
    check_size(name, size, type);
  }
}

namespace {

// Distances between positions that are farther from 0 would not be exact in f64.
constexpr int64_t kFarthest = int64_t{1} << 52;

Tensor offsets_of(const Positions& positions, OpName op = {}) {
  for (const Tensor& places : {positions.queries, positions.keys}) {
    check_positions(places, op);
    check<ShapeError>(places.rank() == 1 || places.rank() == 2, "{}: expected positions [T] or [B, T], got {}", op, places.shape());
    const auto* place = places.data<int64_t>();
    for (int64_t i = 0; i < places.numel(); ++i) {
      check<ValueError>(-kFarthest <= place[i] && place[i] <= kFarthest, "{}: positions must be within ±2⁵², got {}", op, place[i]);
    }
  }
  return unsqueeze(positions.keys, -2) - unsqueeze(positions.queries, -1);
}

}  // namespace

Tensor key_offsets(const Positions& positions) { return offsets_of(positions); }

Tensor PositionEncoding::offsets(const Tensor& q, const Tensor& k, const Positions& positions) const {
  const int64_t heads = options_.heads, width = options_.head_dim;
  check_inputs({{"q", q}, {"k", k}}, type_);
  check<ShapeError>(q.rank() == 4 && k.rank() == 4, "{}: expected q [B, T, H, d] and k [B, S, G, d], got {} and {}", type_, q.shape(),
                    k.shape());
  check<ShapeError>(heads == 0 || (q.size(2) == heads && q.size(3) == width), "{}: expected q [B, T, {}, {}], got {}", type_, heads, width,
                    q.shape());
  check<ShapeError>(heads == 0 || k.size(3) == width, "{}: expected k [B, S, G, {}], got {}", type_, width, k.shape());
  Tensor distances = offsets_of(positions, type_);
  for (const auto& [x, places] : {std::pair{q, positions.queries}, {k, positions.keys}}) {
    check<ShapeError>(places.size(-1) == x.size(1) && (places.rank() == 1 || places.size(0) == x.size(0)),
                      "{}: q or k {} needs positions [{}] or [{}, {}], got {}", type_, x.shape(), x.size(1), x.size(0), x.size(1),
                      places.shape());
  }
  return distances;
}

Tensor PositionEncoding::rows_for(const Tensor& x, const Tensor& positions, const Tensor& table, const char* remedy) const {
  check_inputs({{"x", x}}, type_);
  const Tensor rows = rows_at(table, positions, x.dtype(), remedy);
  const bool fit = x.rank() == 3 && x.size(2) == table.size(1) &&
                   (positions.shape() == Shape{x.size(1)} || positions.shape() == Shape{x.size(0), x.size(1)});
  check<ShapeError>(fit, "{}: expected x [B, T, {}] and positions [T] or [B, T], got {} and {}", type_, table.size(1), x.shape(),
                    positions.shape());
  return rows;
}

Tensor bias_of_heads(const Tensor& table, const Tensor& ids, DType dtype) {
  const Tensor by_head = index_select(transpose(table), 1, flatten(ids));          // [H, T·S] or [H, B·T·S]
  const Tensor bias = reshape(by_head, Shape{table.size(1)}.concat(ids.shape()));  // [H, T, S] or [H, B, T, S]
  return cast(bias.rank() == 3 ? bias : transpose(bias, 0, 1), dtype);
}

Tensor PositionEncoding::rows_at(const Tensor& table, const Tensor& positions, DType dtype, const char* remedy) const {
  check_positions(positions, type_);
  const Shape shape = positions.shape().concat({table.size(1)});
  if (positions.numel() == 0) return Tensor(shape, dtype);
  const auto* values = positions.data<int64_t>();
  const auto [least, most] = std::minmax_element(values, values + positions.numel());
  const int64_t first = *least, last = *most;
  check<ValueError>(first >= 0, "{}: positions count from 0, got {}", type_, first);
  check<ValueError>(last < table.size(0), "{}: position {} is beyond the table's last, {}; {}", type_, last, table.size(0) - 1, remedy);
  return cast(reshape(index_select(table, 0, flatten(positions)), shape), dtype);
}

}  // namespace gradus::nn
