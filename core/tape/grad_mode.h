// Switches of the tape, each for the current thread and for as long as the object lives:
//
//   NoGrad off;            // ops leave nothing on the tape: evaluation, optimizer steps
//   AnomalyMode careful;   // the first op whose value or gradient turns NaN or infinite throws, named. Slow
//   FormulaOnly readable;  // every fused op runs as the formula it stands for, op by op, to be stepped through
#pragma once

namespace gradus {

namespace switches {
// What the classes below set: are ops recorded, checked for NaN and Inf, run as readable formulas?
inline constinit thread_local bool recording = true, checking = false, readable = false;
}

inline bool grad_enabled() { return switches::recording; }     // are ops recorded?
inline bool anomaly_enabled() { return switches::checking; }   // are values and gradients checked for NaN and Inf?
inline bool formula_only() { return switches::readable; }      // do fused ops run as their formulas?

// Sets a switch, and puts the old value back at the end of its life.
class Switch {
 public:
  Switch(bool& flag, bool value) : flag_(flag), before_(flag) { flag = value; }
  ~Switch() { flag_ = before_; }
  Switch(const Switch&) = delete;
  Switch& operator=(const Switch&) = delete;

 private:
  bool& flag_;
  bool before_;
};

// Turns recording on or off.
struct GradMode : Switch {
  explicit GradMode(bool enabled) : Switch(switches::recording, enabled) {}
};
// Turns recording off.
struct NoGrad : GradMode {
  NoGrad() : GradMode(false) {}
};
// Checks each value and gradient: a GraphError names the op that made the first NaN or Inf.
struct AnomalyMode : Switch {
  explicit AnomalyMode(bool enabled = true) : Switch(switches::checking, enabled) {}
};
// Runs each fused op as its formula.
struct FormulaOnly : Switch {
  explicit FormulaOnly(bool enabled = true) : Switch(switches::readable, enabled) {}
};

}  // namespace gradus
