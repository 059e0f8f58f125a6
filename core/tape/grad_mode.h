// Switches of the tape, each for the current thread and for as long as the object lives:
//
//   NoGrad off;            // ops leave nothing on the tape: evaluation, optimizer steps
//   AnomalyMode careful;   // the first op whose value or gradient turns NaN or infinite throws, named. Slow
//   FormulaOnly readable;  // every fused op runs as the formula it stands for, op by op, to be stepped through
#pragma once

namespace gradus {

bool grad_enabled();     // are ops recorded? true at first
bool anomaly_enabled();  // false at first
bool formula_only();     // false at first

// Sets a switch and puts it back.
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

struct GradMode : Switch {
  explicit GradMode(bool enabled);
};
struct NoGrad : GradMode {
  NoGrad() : GradMode(false) {}
};
struct AnomalyMode : Switch {
  explicit AnomalyMode(bool enabled = true);
};
struct FormulaOnly : Switch {
  explicit FormulaOnly(bool enabled = true);
};

}  // namespace gradus
