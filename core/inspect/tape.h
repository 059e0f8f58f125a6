// Looking at the tape: as text, and as a drawing.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::inspect {

// Options of tape() and dot().
struct Options {
  std::vector<std::pair<std::string, Tensor>> names = {};  // what to call which tensor
  std::int64_t limit = 100;                                // how many tensors to show: the newest
};

// What backward would visit from y, in its order, newest first: a line for each op and each leaf.
//
//   tape of #5: 2 ops, 2 leaves, newest first
//     #5     sum   []   f32  11.0            ← #4
//     #4     mul   [2]  f32                  ← #1 w (leaf), #2 x (leaf)
//     #2  x  leaf  [2]  f32
//     #1  w  leaf  [2]  f32        |grad| 5
//
// A tensor's number is the order of creation. Tensors of one element show their value; a gradient that has arrived
// shows its value, or its Euclidean norm. Constants are no part of the tape and appear as inputs only.
std::string tape(const Tensor& y, const Options& options = {});

// What backward would visit from y, as a graph in Graphviz's language (`dot -Tsvg`): tensors are boxes (leaves green,
// constants grey, y amber), ops are ellipses.
std::string dot(const Tensor& y, const Options& options = {});

}  // namespace gradus::inspect
