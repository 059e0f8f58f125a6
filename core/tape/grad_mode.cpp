#include "core/tape/grad_mode.h"

namespace gradus {
namespace {
thread_local constinit bool recording = true;
thread_local constinit bool checking = false;
thread_local constinit bool readable = false;
}  // namespace

bool grad_enabled() { return recording; }
bool anomaly_enabled() { return checking; }
bool formula_only() { return readable; }

GradMode::GradMode(bool enabled) : Switch(recording, enabled) {}
AnomalyMode::AnomalyMode(bool enabled) : Switch(checking, enabled) {}
FormulaOnly::FormulaOnly(bool enabled) : Switch(readable, enabled) {}

}  // namespace gradus
