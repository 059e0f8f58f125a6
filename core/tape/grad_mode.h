// Switches of the tape, each for the current thread and for as long as the object lives:
//
//   NoGrad off;            // ops leave nothing on the tape: evaluation, optimizer steps
//   FormulaOnly readable;  // every fused op runs as the formula it stands for, op by op, to be stepped through
#pragma once

#include "core/tensor/scoped.h"

namespace gradus {

namespace switches {
inline constinit thread_local bool recording = true, readable = false;
}  // namespace switches

inline bool grad_enabled() { return switches::recording; }  // are ops recorded?
inline bool formula_only() { return switches::readable; }   // do fused ops run as their formulas?

// Turns recording on or off.
struct GradMode : Scoped<bool> {
  explicit GradMode(bool enabled) : Scoped(switches::recording, enabled) {}
};
// Turns recording off.
struct NoGrad : GradMode {
  NoGrad() : GradMode(false) {}
};
// Runs each fused op as its formula.
struct FormulaOnly : Scoped<bool> {
  explicit FormulaOnly(bool enabled = true) : Scoped(switches::readable, enabled) {}
};

}  // namespace gradus
