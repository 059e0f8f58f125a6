// How loud an embedding is beside the positions that are added to it.
#pragma once

#include <cstdint>
#include <string>

namespace gradus::nn {

// What a model multiplies its embedding by unless told otherwise: √d_model where "sinusoidal" waves are added (Vaswani et
// al., 2017, 3.4), for their mean square of ½ would drown one that starts N(0, 0.02²); 1 with every other encoding.
double usual_embedding_scale(const std::string& position, std::int64_t d_model);

}  // namespace gradus::nn
