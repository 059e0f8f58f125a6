// State dicts of PyTorch: the tensors of a module under the names that PyTorch's layer of the same kind gives them.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// The module's state_dict() under PyTorch's names, for those who have both: Linear, Embedding, norms, recurrent layers, convolution,
// multi-head attention (q, k and v packed into in_proj), and the layers of an encoder or decoder with a plain feed-forward layer.
//
//   blocks.0.placement.norm1.gain         layers.0.norm1.weight
//   blocks.0.attention.q_proj.weight      layers.0.self_attn.in_proj_weight, its first rows
//
// The tensors are constants that share storage, but for packed ones. What PyTorch has no name for keeps its own. ValueError where two get
// one name, as an `attention` and a `self_attn` side by side would: every path is read as that of the library's layers.
NamedTensors to_pytorch(Module& module);

// The other way: tensors under PyTorch's names, as they are in a state dict of PyTorch's, under those of the module, for
// load_state_dict(), which says what is missing. What the module has no place for keeps its name. ShapeError unless a packed
// tensor has as many rows as the module's q, k and v.
NamedTensors from_pytorch(Module& module, const NamedTensors& state);

}  // namespace gradus::nn
