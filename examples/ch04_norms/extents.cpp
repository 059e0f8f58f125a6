#include "examples/ch04_norms/extents.h"

#include "examples/shared/study/norm_axes.h"
#include "nn/nn.h"

namespace gradus::examples {

void extents_of_norms(Chapter& chapter) {
  const Shape image{4, 6, 3, 5};
  nn::BatchNorm2d batch(6), eval(6);
  eval.eval();
  nn::InstanceNorm instance(6);
  nn::GroupNorm group(3, 6);
  nn::LayerNorm layer({6, 3, 5});
  nn::ChannelLayerNorm channel(6);
  const auto add = [&](const std::string& path, const Shape& extent) {
    chapter.series("axes." + path, std::vector<double>(extent.begin(), extent.end()));
    chapter.number("axes." + path, static_cast<double>(extent.numel()));
  };
  add("batch", norm_extent(batch, image));
  add("batch_eval", norm_extent(eval, image));
  add("instance", norm_extent(instance, image));
  add("group", norm_extent(group, image));
  add("layer", norm_extent(layer, image));
  add("channel_layer", norm_extent(channel, image));
  nn::RMSNorm rms(6);  // of the last axis: [N, H, W, C]
  const Shape last = norm_extent(rms, {4, 3, 5, 6});
  add("rms", {last[0], last[3], last[1], last[2]});
}

}  // namespace gradus::examples
