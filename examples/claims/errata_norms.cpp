#include "examples/claims/all_claims.h"
#include "examples/claims/lab.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/norm_table.h"

namespace gradus::examples {
namespace {

double code_against_formula(const Where& where, std::uint64_t seed) {
  Generator generator(seed);
  const int64_t width = std::stoll(level(where, "features"));
  const Tensor x = randn({64, width}, DType::f64, generator);
  return relative_difference(nn::layer_norm_std(x), nn::layer_norm(x, {width}));
}

// A sentence that says which axes a norm averages over.
struct AxesSaid {
  std::string sentence;
  MakeNormOf norm;
  int channel_axis, rank;
  Axes named;
};

Evidence footprints(Lab& lab, const std::vector<AxesSaid>& said) {
  std::vector<Where> places;
  for (const AxesSaid& one : said) places.push_back({{"sentence", one.sentence}});
  return lab.each(places, [&](const Where& where, std::uint64_t seed) {
    for (const AxesSaid& one : said) {
      if (one.sentence == level(where, "sentence")) {
        return footprint_error(one.norm, one.channel_axis, one.rank, one.named, seed);
      }
    }
    throw ValueError("footprints: nothing is said of " + text_of(where));
  });
}

const std::vector<AxesSaid>& said_of_images() {  // [N, C, H, W]
  const MakeNormOf batch = [](int64_t channels) { return std::make_unique<nn::BatchNorm2d>(channels); },
                   instance = [](int64_t channels) { return std::make_unique<nn::InstanceNorm>(channels); };
  static const std::vector<AxesSaid> all{{"batch norm averages over N", batch, 1, 4, {0}},
                                         {"batch norm averages over each channel of an image", batch, 1, 4, {2, 3}},
                                         {"instance norm averages over C and N", instance, 1, 4, {0, 1}}};
  return all;
}

const std::vector<AxesSaid>& said_of_sentences() {  // [B, T, C]
  const auto in_a_block = [](const char* norm) { return [norm](int64_t width) { return nn::norms().find(norm).value({.width = width}); }; };
  static const std::vector<AxesSaid> all{{"layer norm averages over a sentence", in_a_block("layer"), 2, 3, {1, 2}},
                                         {"batch norm averages over one position", in_a_block("batch"), 2, 3, {0}}};
  return all;
}

const Criterion kSameAxes{.statistic = "share of the inputs that matter in fact but not by the sentence, or the reverse",
                          .side = Side::below,
                          .bound = 0.01,
                          .sample = "draws"};

}  // namespace

std::vector<Claim> norm_errata() {
  return {
      {.id = "erratum-5",
       .sources = {{4, 128}, {4, 57}, {4, 120}, {4, 158}},
       .quote = "std = x.std(-1, keepdim=True)",
       .says = "This code is the layer norm of the formulas above it.",
       .meant = "It divides by the unbiased deviation plus ε, the formula by √(σ² + ε) with the biased variance: y is "
                "smaller by √((n−1)/n). Besides, the bodies of __init__ and forward are not indented, the feed-forward "
                "layers are no wider than the model, and n_embd and dim are two names of one width.",
       .predicted = Verdict::refuted,
       .because = "1 − √((n−1)/n) is about 1/(2n), far above both ε.",
       .rule = {.statistic = "‖code − formula‖ / ‖formula‖", .side = Side::below, .bound = 1e-4, .sample = "draws"},
       .measure =
           [](Lab& lab) { return lab.each({{{"features", "4"}}, {{"features", "64"}}, {{"features", "512"}}}, code_against_formula); }},

      {.id = "erratum-7",
       .sources = {{2, 41}, {2, 37}, {2, 22}},
       .quote = "在通道（C）和样本（N）维度上进行归一化",
       .says = "Instance norm averages over channels and samples, batch norm over samples, or each channel of an image.",
       .meant = "Instance norm averages over H and W, for each sample and channel apart; batch norm over N, H and W. What "
                "is said of each channel of an image is instance norm.",
       .predicted = Verdict::refuted,
       .because = "Ulyanov, Vedaldi and Lempitsky (2016); Ioffe and Szegedy (2015); the diagram of Wu and He (2018).",
       .rule = kSameAxes,
       .measure = [](Lab& lab) { return footprints(lab, said_of_images()); }},

      {.id = "erratum-8",
       .sources = {{2, 23}},
       .quote = "Layer Norm是三句话分别各自归一化",
       .says = "Layer norm normalises each of three sentences by itself, and batch norm each position across them.",
       .meant = "A Transformer's layer norm is of each token, over its features; the usual batch norm pools all tokens of "
                "all sentences, feature by feature.",
       .predicted = Verdict::refuted,
       .because = "Vaswani et al. (2017) normalise a token's features; Shen et al. (2020) describe both.",
       .rule = kSameAxes,
       .measure = [](Lab& lab) { return footprints(lab, said_of_sentences()); }},
  };
}

}  // namespace gradus::examples
