// The two drawings of chapter 03: feed-forward layers as areas, and the losses of many side by side.
#pragma once

#include "examples/ch03_feed_forward/ablation.h"
#include "examples/shared/report/drawing.h"
#include "nn/layer.h"

namespace gradus::examples {

// The layer from top to bottom, x to y: a rectangle for each matrix, as wide and as high as its shape says, so that areas
// are parameters. `unit`: px for one row or column, the same for all that are to be compared.
Panel areas(nn::Layer& layer, const std::string& title, const std::string& activation, double unit);

// y: loss; x: one column a contestant; dots: seeds, joined; the grey band: the first one's spread.
std::string losses_picture(const std::vector<Contestant>& all);

}  // namespace gradus::examples
