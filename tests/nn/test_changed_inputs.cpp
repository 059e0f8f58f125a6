// What a fast path reads again in its backward pass must be what it read in its forward pass: every input has a version.
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "core/autograd/engine.h"
#include "core/inspect/compare.h"
#include "nn/feed_forward/grouped_linear.h"
#include "nn/nn.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

struct FastCall {
  const char* kernel;  // the class of the fast path
  const char* name;
  std::function<Tensor(const Tensors&)> call;
  std::vector<Shape> shapes;  // of the inputs; the first requires a gradient
};

Tensor class_ids() { return from_vector(std::vector<int64_t>{0, 2}, {2}); }

std::vector<FastCall> fast_calls() {
  const auto of = [](const nn::Activation& f) { return [f](const Tensors& in) { return f(in[0]); }; };
  const auto gate = [](const nn::Activation& f) { return [f](const Tensors& in) { return nn::gate(f, in[0], in[1]); }; };
  std::vector<FastCall> calls{
      {"GateKernel", "gate of silu", gate(nn::act::silu), {{3}, {3}}},
      {"GateKernel", "gate of sigmoid", gate(nn::act::sigmoid), {{3}, {3}}},
      {"LearnedSwishKernel", "learned_swish", [](const Tensors& in) { return nn::learned_swish(in[0], in[1]); }, {{3}, {}}},
      {"SoftmaxKernel", "softmax", [](const Tensors& in) { return nn::softmax(in[0]); }, {{2, 3}}},
      {"LogSoftmaxKernel", "log_softmax", [](const Tensors& in) { return nn::log_softmax(in[0]); }, {{2, 3}}},
      {"SinkhornKernel", "sinkhorn", [](const Tensors& in) { return nn::sinkhorn(in[0]); }, {{3, 3}}},
      {"SoluKernel", "solu", [](const Tensors& in) { return nn::solu(in[0]); }, {{2, 3}}},
      {"LayerNormKernel", "layer_norm", [](const Tensors& in) { return nn::layer_norm(in[0], {3}, in[1], in[2]); }, {{2, 3}, {3}, {3}}},
      {"RmsNormKernel", "rms_norm", [](const Tensors& in) { return nn::rms_norm(in[0], in[1]); }, {{2, 3}, {3}}},
      {"RmsNormKernel", "rms_norm_upcast", [](const Tensors& in) { return nn::rms_norm_upcast(in[0], in[1]); }, {{2, 3}, {3}}},
      {"RopeKernel", "rope", [](const Tensors& in) { return nn::rope(in[0], in[1], in[2]); }, {{1, 2, 1, 4}, {2, 2}, {2, 2}}},
      {"AttentionKernel",
       "attention",
       [](const Tensors& in) { return nn::attention(in[0], in[1], in[2]); },
       {{1, 3, 2, 4}, {1, 3, 1, 4}, {1, 3, 1, 4}}},
      {"AttentionKernel",
       "attention with a sink",
       [](const Tensors& in) { return nn::attention(in[0], in[1], in[2], {.causal = true, .sink = in[3]}); },
       {{1, 3, 2, 4}, {1, 3, 2, 4}, {1, 3, 2, 4}, {2}}},
      {"Conv2dKernel", "conv2d", [](const Tensors& in) { return nn::conv2d(in[0], in[1], in[2]); }, {{1, 2, 3, 3}, {2, 2, 2, 2}, {2}}},
      {"ExpertsKernel",
       "experts",
       [](const Tensors& in) {  // one expert, with biases
         const nn::ExpertRows rows = nn::rows_by_expert(zeros({3, 1}, DType::i64), 1, 3);
         return nn::experts({in[0], in[1], rows.tokens, rows.choices, rows.ends, in[2], in[3], in[4], in[5], in[6], in[7]});
       },
       {{3, 2}, {3, 1}, {4, 2}, {4, 2}, {2, 4}, {4}, {4}, {2}}},
      {"CrossEntropyKernel", "cross_entropy", [](const Tensors& in) { return nn::cross_entropy(in[0], class_ids()); }, {{2, 3}}},
  };
  for (const nn::Activation& f :
       {nn::act::leaky_relu(), nn::act::relu2,     nn::act::relu6,      nn::act::elu(),        nn::act::celu(),
        nn::act::selu,         nn::act::swish(2),  nn::act::silu,       nn::act::hardswish,    nn::act::mish,
        nn::act::gelu,         nn::act::gelu_tanh, nn::act::quick_gelu, nn::act::softplus,     nn::act::hardsigmoid,
        nn::act::log_sigmoid,  nn::act::softsign,  nn::act::hardtanh(), nn::act::softshrink(), nn::act::hardshrink()}) {
    calls.push_back({"CurveKernel", f.name(), of(f), {{3}}});
  }
  return calls;
}

// The classes of nn that are fast paths, read off its sources.
std::set<std::string> fast_path_classes() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() + "/nn")) {
    std::ifstream file(entry.path());
    std::string line;
    while (std::getline(file, line)) {
      const auto at = line.find("class "), end = line.find(" final : public FastPath");
      if (at != std::string::npos && end != std::string::npos) names.insert(line.substr(at + 6, end - at - 6));
    }
  }
  return names;
}

}  // namespace

TEST_CASE("changed inputs: every fast path of nn is tried") {
  std::set<std::string> tried;
  for (const FastCall& row : fast_calls()) tried.insert(row.kernel);
  CHECK(tried == fast_path_classes());
}

TEST_CASE("changed inputs: what a fast path reads cannot be changed between forward and backward") {
  const std::pair<const char*, void (*)(Tensor&)> changes[] = {
      {"filled", [](Tensor& x) { x.fill(0.25); }},
      {"one element set", [](Tensor& x) { x.set(std::vector<int64_t>(static_cast<std::size_t>(x.rank()), 0), 7); }},
      {"other values", [](Tensor& x) { x.assign(full(x.shape(), 3)); }},
  };
  for (const FastCall& row : fast_calls()) {
    for (std::size_t changed = 0; changed < row.shapes.size(); ++changed) {
      for (const auto& [how, change] : changes) {
        for (const bool create_graph : {false, true}) {
          INFO(row.name, ", input ", changed, ", ", how, ", create_graph ", create_graph);
          Tensors in;
          for (const Shape& shape : row.shapes) in.push_back(full(shape, 0.5));
          in[0].set_requires_grad();
          const Tensor loss = sum(row.call(in));
          change(in[changed]);
          CHECK_THROWS_AS(grad({loss}, {in[0]}, {.create_graph = create_graph}), GraphError);
        }
      }
    }
  }
}

TEST_CASE("changed inputs: what was copied on the way in may change") {
  const Tensor x = full({2, 3}, 0.5).set_requires_grad(), y = full({2, 3}, 0.5).set_requires_grad();
  Tensor targets = class_ids(), weights = full({3}, 2, DType::f64);
  const Tensor loss = nn::cross_entropy(x, targets, {.class_weights = weights});
  targets.fill(1);
  weights.fill(9);
  CHECK(equal(grad({loss}, {x})[0], grad({nn::cross_entropy(y, class_ids())}, {y})[0]));
}
