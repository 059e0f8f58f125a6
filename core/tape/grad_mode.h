// Switches of the tape, each for the current thread and for as long as the object lives:
//
//   NoGrad off;            // ops leave nothing on the tape: evaluation, optimizer steps
//   AnomalyMode careful;   // the first op whose value or gradient turns NaN or infinite throws, named. Slow
//   FormulaOnly readable;  // every fused op runs as the formula it stands for, op by op, to be stepped through
#pragma once

#include <utility>

namespace gradus {

// Sets a flag, and puts the old value back at the end of its life. They may end in any order: the youngest one counts.
class Switch {
 public:
  struct Flag {
    bool on;
    Switch* youngest = nullptr;
  };

  Switch(Flag& flag, bool value)
      : flag_(flag), before_(std::exchange(flag.on, value)), older_(std::exchange(flag.youngest, this)) {}
  ~Switch() {
    bool* heir = &flag_.on;  // what has the old value from now on: the flag, or the switch that was set after this one
    Switch** link = &flag_.youngest;
    for (; *link != this; link = &(*link)->older_) heir = &(*link)->before_;
    *heir = before_;
    *link = older_;
  }
  Switch(const Switch&) = delete;
  Switch& operator=(const Switch&) = delete;

 private:
  Flag& flag_;
  bool before_;
  Switch* older_;
};

namespace switches {
// What the classes below set: are ops recorded, checked for NaN and Inf, run as readable formulas?
inline constinit thread_local Switch::Flag recording{true}, checking{false}, readable{false};
}  // namespace switches

inline bool grad_enabled() { return switches::recording.on; }    // are ops recorded?
inline bool anomaly_enabled() { return switches::checking.on; }  // are values and gradients checked for NaN and Inf?
inline bool formula_only() { return switches::readable.on; }     // do fused ops run as their formulas?

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
