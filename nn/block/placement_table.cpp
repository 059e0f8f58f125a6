#include "nn/block/adaptive_placement.h"
#include "nn/block/deep_norm.h"
#include "nn/block/depth_placement.h"
#include "nn/block/gated_streams.h"
#include "nn/block/gru_gate.h"
#include "nn/block/hyper_connections.h"
#include "nn/block/multiway_dense.h"
#include "nn/block/norm_placement.h"
#include "nn/block/placement.h"
#include "nn/block/scaled_residual.h"
#include "nn/block/sphere.h"

namespace gradus::nn {
namespace {

template <typename T> PlacementPtr make(const PlacementOptions& options) { return std::make_unique<T>(options); }

PlacementPtr make_glm_deep_norm(const PlacementOptions& options) {
  return std::make_unique<DeepNorm>(options, glm_deep_norm_scale(options.stack));
}

PlacementPtr make_static_hyper_connections(const PlacementOptions& options) {
  return std::make_unique<HyperConnections>(options, HyperConnectionOptions{.map = StreamMap::fixed});
}

PlacementPtr make_manifold_hyper_connections(const PlacementOptions& options) {
  return std::make_unique<HyperConnections>(options, HyperConnectionOptions{.map = StreamMap::manifold});
}

// Sources of two blocks each, whose sublayers are four.
PlacementPtr make_attention_residual_blocks(const PlacementOptions& options) {
  return std::make_unique<AttentionResidual>(options, 2 * static_cast<int64_t>(options.sublayers.size()));
}

// With pre-norm in the first block.
PlacementPtr make_hybrid_star(const PlacementOptions& options) { return std::make_unique<HybridNorm>(options, true); }

// x + s f(norm(x)) in place of x + s f(x)
template <typename T> PlacementPtr make_pre(const PlacementOptions& options) { return std::make_unique<T>(options, BranchNorm::before); }

}  // namespace

const Table<MakePlacement>& placements() {
  static const Table<MakePlacement> family{
      "placement",
      {
          {"pre", "block-pre", make<PreNorm>},
          {"post", "block-post", make<PostNorm>},
          {"residual", "block-residual", make<Residual>},
          {"sandwich", "block-sandwich", make<SandwichNorm>},
          {"output", "block-output-norm", make<OutputNorm>},
          {"deepnorm", "block-deepnorm", make<DeepNorm>},
          {"deepnorm-glm", "block-deepnorm", make_glm_deep_norm},
          {"parallel", "block-parallel", make<Parallel>},
          {"rezero", "block-rezero", make<ReZero>},
          {"layerscale", "block-layerscale", make<LayerScale>},
          {"layerscale-pre", "block-layerscale", make_pre<LayerScale>},
          {"residual-scale", "block-residual-scale", make<ResidualScale>},
          {"residual-scale-pre", "block-residual-scale", make_pre<ResidualScale>},
          {"macaron", "block-macaron", make<Macaron>},
          {"normformer", "block-normformer", make<NormFormer>},
          {"resi-dual", "block-resi-dual", make<ResiDual>},
          {"hyper-connections", "block-hyper-connections", make<HyperConnections>},
          {"hyper-connections-static", "block-hyper-connections", make_static_hyper_connections},
          {"mhc", "block-mhc", make_manifold_hyper_connections},
          {"attention-residual", "block-attention-residual", make<AttentionResidual>},
          {"attention-residual-blocks", "block-attention-residual", make_attention_residual_blocks},
          {"gated-streams", "block-gated-streams", make<GatedStreams>},
          {"denseformer", "block-denseformer", make<DenseFormer>},
          {"input-residual", "block-input-residual", make<InputResidual>},
          {"gru-gate", "block-gru-gate", make<GruGate>},
          {"orthogonal", "block-orthogonal", make<OrthogonalResidual>},
          {"highway", "block-highway", make<HighwayNorm>},
          {"mix", "block-mix", make<MixNorm>},
          {"depth-scaled-norm", "block-depth-scaled-norm", make<DepthScaledNorm>},
          {"hybrid", "block-hybrid", make<HybridNorm>},
          {"hybrid-star", "block-hybrid", make_hybrid_star},
          {"mudd", "block-mudd", make<MultiwayDense>},
          {"sphere", "block-sphere", make<Sphere>},
          {"adaptive", "norm-adaptive", make<AdaptivePlacement>},
      },
  };
  return family;
}

}  // namespace gradus::nn
