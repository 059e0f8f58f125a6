// step_products: the matrix products of one training step and nothing else, in their order and on buffers of their
// own for each layer. No step can be faster; what a step takes beyond this is the framework's.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <vector>

#include "core/core.h"
#include "core/kernels/gemm.h"
#include "core/kernels/parallel.h"

using namespace gradus;
using kernels::gemm;

namespace {

struct Model {
  int64_t batch = 12, context = 64, d_model = 128, layers = 4, heads = 4, d_ff = 384, vocabulary = 256;
  int64_t rows() const { return batch * context; }
};

// x [rows, in] to y [rows, out] = x Wᵀ. Gradients of values are short-lived, so all layers share their buffers.
struct Projection {
  Projection(int64_t in_width, int64_t out_width)
      : in(in_width), out(out_width), weight(randn({out, in})), weight_gradient(Shape{out, in}, DType::f32) {}

  void forward(int64_t rows, const float* x, float* y) {
    gemm(rows, out, in, 1.0F, {x, in}, {weight.data<float>(), in, true}, 0.0F, y, out);
  }
  // dL/dx = g W      dL/dW = gᵀ x
  void backward(int64_t rows, const float* x, const float* g, float* dx) {
    gemm(rows, in, out, 1.0F, {g, out}, {weight.data<float>(), in}, 0.0F, dx, in);
    gemm(out, in, rows, 1.0F, {g, out, true}, {x, in}, 0.0F, weight_gradient.mutable_data<float>(), in);
  }

  int64_t in, out;
  Tensor weight, weight_gradient;
};

// Attention's products by tiles of 64 queries against the keys they may see, each head one thread's.
struct Attention {
  static constexpr int64_t kTile = 64;
  const Model& model;

  // Calls tile(start of this head, first query, queries, keys, two score buffers) for every tile of every head.
  template <typename Tile> void for_each_tile(const Tile& tile) const {
    kernels::parallel_for(model.batch * model.heads, 1, [&](int64_t begin, int64_t end) {
      std::vector<float> scores(static_cast<std::size_t>(2 * kTile * model.context));
      for (int64_t i = begin; i < end; ++i) {
        const int64_t head = i / model.heads * model.context * model.d_model + i % model.heads * width();
        for (int64_t first = 0; first < model.context; first += kTile) {
          const int64_t queries = std::min(kTile, model.context - first);
          tile(head, first * model.d_model + head, queries, first + queries, scores.data());
        }
      }
    });
  }
  int64_t width() const { return model.d_model / model.heads; }

  // S = q kᵀ, y = S v
  void forward(const float* q, const float* k, const float* v, float* y) const {
    const int64_t d = model.d_model;
    for_each_tile([=, this](int64_t head, int64_t at, int64_t queries, int64_t keys, float* s) {
      gemm(queries, keys, width(), 1.0F, {q + at, d}, {k + head, d, true}, 0.0F, s, keys);
      gemm(queries, width(), keys, 1.0F, {s, keys}, {v + head, d}, 0.0F, y + at, d);
    });
  }

  // S again, dS = g vᵀ, dv += Sᵀ g, dk += dSᵀ q, dq = dS k
  void backward(const float* q, const float* k, const float* v, const float* g, float* dq, float* dk,
                float* dv) const {
    const int64_t d = model.d_model;
    for_each_tile([=, this](int64_t head, int64_t at, int64_t queries, int64_t keys, float* s) {
      float* ds = s + kTile * model.context;
      gemm(queries, keys, width(), 1.0F, {q + at, d}, {k + head, d, true}, 0.0F, s, keys);
      gemm(queries, keys, width(), 1.0F, {g + at, d}, {v + head, d, true}, 0.0F, ds, keys);
      gemm(keys, width(), queries, 1.0F, {s, keys, true}, {g + at, d}, 1.0F, dv + head, d);
      gemm(keys, width(), queries, 1.0F, {ds, keys, true}, {q + at, d}, 1.0F, dk + head, d);
      gemm(queries, width(), keys, 1.0F, {ds, keys}, {k + head, d}, 0.0F, dq + at, d);
    });
  }
};

// One block's weights, and the values its products keep for backward.
struct Block {
  explicit Block(const Model& m) : model(m) {
    for (Tensor* x : {&normed, &q, &k, &v, &attended, &normed_again}) *x = randn({m.rows(), m.d_model});
    for (Tensor* x : {&gate, &value, &gated}) *x = randn({m.rows(), m.d_ff});
  }

  static float* of(Tensor& x) { return x.mutable_data<float>(); }

  void forward(Tensor& stream) {
    const int64_t n = model.rows();
    q_proj.forward(n, of(normed), of(q));
    k_proj.forward(n, of(normed), of(k));
    v_proj.forward(n, of(normed), of(v));
    attention.forward(of(q), of(k), of(v), of(attended));
    out_proj.forward(n, of(attended), of(stream));
    w1.forward(n, of(normed_again), of(gate));
    w3.forward(n, of(normed_again), of(value));
    w2.forward(n, of(gated), of(stream));
  }

  void backward(Tensor& g, std::vector<Tensor>& d, Tensor& wide) {
    const int64_t n = model.rows();
    w2.backward(n, of(gated), of(g), of(wide));
    w3.backward(n, of(normed_again), of(wide), of(d[0]));
    w1.backward(n, of(normed_again), of(wide), of(d[1]));
    out_proj.backward(n, of(attended), of(g), of(d[0]));
    attention.backward(of(q), of(k), of(v), of(d[0]), of(d[1]), of(d[2]), of(d[3]));
    q_proj.backward(n, of(normed), of(d[1]), of(d[0]));
    k_proj.backward(n, of(normed), of(d[2]), of(d[0]));
    v_proj.backward(n, of(normed), of(d[3]), of(d[0]));
  }

  const Model& model;
  Attention attention{model};
  Projection q_proj{model.d_model, model.d_model}, k_proj{model.d_model, model.d_model};
  Projection v_proj{model.d_model, model.d_model}, out_proj{model.d_model, model.d_model};
  Projection w1{model.d_model, model.d_ff}, w2{model.d_ff, model.d_model}, w3{model.d_model, model.d_ff};
  Tensor normed, q, k, v, attended, normed_again, gate, value, gated;
};

class StepProducts {
 public:
  explicit StepProducts(const Model& m)
      : model_(m),
        head_(m.d_model, m.vocabulary),
        stream_(randn({m.rows(), m.d_model})),
        gradient_(randn({m.rows(), m.d_model})),
        wide_(randn({m.rows(), m.d_ff})),
        logits_(Shape{m.rows(), m.vocabulary}, DType::f32) {
    for (int64_t layer = 0; layer < m.layers; ++layer) blocks_.emplace_back(model_);
    for (int i = 0; i < 4; ++i) shared_.push_back(randn({m.rows(), m.d_model}));
  }

  void step() {
    for (Block& block : blocks_) block.forward(stream_);
    head_.forward(model_.rows(), Block::of(stream_), Block::of(logits_));
    head_.backward(model_.rows(), Block::of(stream_), Block::of(logits_), Block::of(gradient_));
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) block->backward(gradient_, shared_, wide_);
  }

 private:
  Model model_;
  std::vector<Block> blocks_;
  Projection head_;
  Tensor stream_, gradient_, wide_, logits_;
  std::vector<Tensor> shared_;
};

}  // namespace

int main(int argc, char** argv) {
  Model m;
  int64_t steps = 50;
  CLI::App app("The time that the matrix products of a training step take by themselves.", "step_products");
  app.add_option("--batch", m.batch)->capture_default_str();
  app.add_option("--context", m.context)->capture_default_str();
  app.add_option("--d-model", m.d_model)->capture_default_str();
  app.add_option("--layers", m.layers)->capture_default_str();
  app.add_option("--heads", m.heads, "must divide d-model")->capture_default_str();
  app.add_option("--d-ff", m.d_ff)->capture_default_str();
  app.add_option("--vocabulary", m.vocabulary)->capture_default_str();
  app.add_option("--steps", steps)->check(CLI::PositiveNumber)->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  StepProducts products(m);
  std::vector<double> times;
  for (int64_t i = 0; i < steps; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    products.step();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
  }
  // A multiplication and an addition for each row and weight, forward, for the input's gradient and for the weight's.
  const int64_t weights = m.layers * (4 * m.d_model + 3 * m.d_ff) * m.d_model + m.vocabulary * m.d_model;
  const double flop = 6.0 * static_cast<double>(m.rows() * weights);  // attention's not counted
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  fmt::print("result steps={} median_ms_per_step={:.3f} least_ms_per_step={:.3f} gflop_of_projections={:.3f}\n",
             steps, median, times.front(), flop / 1e9);
}
