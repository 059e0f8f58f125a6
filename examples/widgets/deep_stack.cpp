#include "examples/widgets/deep_stack.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/core.h"
#include "nn/block/norm_placement.h"
#include "nn/block/scaled_residual.h"
#include "nn/init.h"
#include "nn/loss/cross_entropy.h"
#include "nn/norm/layer_norm.h"
#include "optim/schedule.h"

namespace gradus::widgets {
namespace {

constexpr std::int64_t kWidth = 16, kHeads = 2, kHidden = 64, kClasses = 16, kBatch = 4, kLength = 8;

template <typename T> MakeOwnPlacement of_kind() {
  return [](const nn::PlacementOptions& o) { return std::make_unique<T>(o); };
}

struct NamedPlacement {
  const char* name;
  MakeOwnPlacement make;
};

const std::vector<NamedPlacement>& makers() {
  static const std::vector<NamedPlacement> all = {{"pre", of_kind<nn::PreNorm>()},
                                                  {"post", of_kind<nn::PostNorm>()},
                                                  {"sandwich", of_kind<nn::SandwichNorm>()},
                                                  {"output", of_kind<nn::OutputNorm>()},
                                                  {"deepnorm", of_kind<nn::DeepNorm>()},
                                                  {"residual", of_kind<nn::Residual>()},
                                                  {"residual-scale", of_kind<nn::ResidualScale>()},
                                                  {"rezero", of_kind<nn::ReZero>()},
                                                  {"layerscale", of_kind<nn::LayerScale>()}};
  return all;
}

MakeOwnPlacement maker_of(const DeepStackOptions& o) {
  if (o.placement == "deepnorm") {
    return [scale = scale_of(o)](const nn::PlacementOptions& p) { return std::make_unique<nn::DeepNorm>(p, scale); };
  }
  const auto& all = makers();
  const auto found = std::find_if(all.begin(), all.end(), [&](const NamedPlacement& one) { return one.name == o.placement; });
  check<ValueError>(found != all.end(), "there is no placement '{}'", o.placement);
  return found->make;
}

nn::LayerPtr make_norm() { return std::make_unique<nn::LayerNorm>(kWidth); }

// Xavier's numbers. To draw them takes half of an answer's time, so they are kept for each place in the generator's stream: a stack
// of another depth, placement or gain begins with the same ones.
void init_as_before(Tensor& weight) {
  static std::uint64_t seed = 0;
  static std::map<std::uint64_t, Tensor> drawn;  // by the generator's counter
  Generator& generator = default_generator();
  if (generator.seed() != seed) drawn.clear();
  seed = generator.seed();
  Tensor& before = drawn[generator.counter()];
  if (before.defined() && before.shape() == weight.shape()) {
    weight.assign(before);
    generator.advance(static_cast<std::uint64_t>(weight.numel() + 1) / 2);  // a counter for each pair of numbers
  } else {
    nn::init_xavier_normal(weight);
    before = weight.detached_copy();
  }
}

nn::Init xavier_normal(const nn::InitOptions&) {
  return [](Tensor& weight, nn::Role) { init_as_before(weight); };
}

std::unique_ptr<SmallBlock> block_of(const DeepStackOptions& o, std::int64_t index) {
  auto block = std::make_unique<SmallBlock>(SmallBlockOptions{.width = kWidth,
                                                              .heads = kHeads,
                                                              .hidden = kHidden,
                                                              .make_norm = make_norm,
                                                              .make_placement = maker_of(o),
                                                              .stack = {.layers = o.depth, .index = index}});
  const NoGrad off;
  for (nn::Layer* sublayer : std::initializer_list<nn::Layer*>{&block->attention, &block->feed_forward}) {
    block->placement->initialize(sublayer->named_parameters(), nn::MakeInit(xavier_normal));
    for (auto& [path, weight, role] : nn::linear_maps(sublayer->named_parameters())) weight *= o.gain;
  }
  return block;
}

// The stack whose numbers come from this seed.
DeepStack stack_from(const DeepStackOptions& options) {
  manual_seed(options.seed);
  return DeepStack(options);
}

}  // namespace

std::vector<std::string> stack_placements() {
  std::vector<std::string> names;
  for (const NamedPlacement& one : makers()) names.emplace_back(one.name);
  return names;
}

nn::DeepNormScale scale_of(const DeepStackOptions& o) {
  const nn::DeepNormScale published = nn::deep_norm_scale({.layers = o.depth});
  return {o.alpha > 0 ? o.alpha : published.alpha, o.beta > 0 ? o.beta : published.beta};
}

DeepStack::DeepStack(const DeepStackOptions& o) : head(kWidth, kClasses, {.bias = false}) {
  for (std::int64_t l = 0; l < o.depth; ++l) blocks.push_back(block_of(o, l));
  if (blocks[0]->placement->needs_final_norm()) final_norm = make_norm();
  nn::init_normal(head.weight, 0.02);
  to(DType::f64);
}

Tensor DeepStack::operator()(const Tensor& x, Tensors& trace) {
  nn::Stream stream{x};
  trace.push_back(x);
  for (const auto& block : blocks) trace.push_back((stream = (*block)(stream)).x);
  return head(blocks[0]->placement->finish(stream, final_norm.get()));
}

void DeepStack::members(nn::Members& m) {
  for (std::size_t l = 0; l < blocks.size(); ++l) m.child(fmt::format("blocks.{}", l), *blocks[l]);
  if (final_norm != nullptr) m.child("final_norm", *final_norm);
  m.child("head", head);
}

DeepTraining::DeepTraining(const DeepStackOptions& options)
    : options_(options), stack_(stack_from(options)), optimizer_(stack_.named_parameters(), {.lr = options.learning_rate}) {
  Generator data(options.seed);
  rows_ = randn({kBatch, kLength, kWidth}, DType::f64, data).set_requires_grad();
  classes_ = cast(floor(kClasses * square(uniform({kBatch, kLength}, 0, 1, DType::f64, data))), DType::i64);
  forward();
  gradients_ = grad({loss_}, trace_, {.retain_graph = true});
}

void DeepTraining::forward() {
  trace_.clear();
  loss_ = nn::cross_entropy(stack_(rows_, trace_), classes_);
  losses_.push_back(loss_.item());
}

void DeepTraining::take_step() {
  if (step() == 0) loss_.backward();
  optimizer_.step(optim::warmup_schedule({.max_lr = options_.learning_rate, .warmup = options_.warmup}, step() + 1));
  optimizer_.zero_grad();
  rows_.zero_grad();
  forward();
  for (const Tensor& x : trace_) x.retain_grad();
  loss_.backward();
  gradients_.clear();
  for (const Tensor& x : trace_) gradients_.push_back(x.grad());
}

std::vector<double> DeepTraining::variances() const {
  std::vector<double> all;
  for (const Tensor& x : trace_) all.push_back(var(x.detach(), {}, 0).item());
  return all;
}

std::vector<double> DeepTraining::gradients() const {
  std::vector<double> all;
  for (const Tensor& g : gradients_) all.push_back(std::sqrt(sum(square(g)).item()));
  return all;
}

std::vector<double> variances_in_theory(const DeepStackOptions& o) {
  const double added = 0.5 * std::pow(o.gain, 4), sublayers = 2 * static_cast<double>(o.depth);
  const std::string& name = o.placement;
  const bool normed = name == "sandwich" || name == "output";
  const double addend = name == "pre" ? added : normed ? 1 : 0;
  const double share = name == "residual"         ? added
                       : name == "residual-scale" ? added / sublayers
                       : name == "layerscale"     ? added * std::pow(nn::layer_scale_start(o.depth), 2)
                                                  : 0;
  std::vector<double> all{1};
  for (std::int64_t l = 0; l < o.depth; ++l) all.push_back(all.back() * std::pow(1 + share, 2) + 2 * addend);
  return all;
}

}  // namespace gradus::widgets
