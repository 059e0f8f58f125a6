// All of gradus::inspect, which looks at tensors and the tape: comparisons, gradcheck, anomaly mode, severed gradients, calls,
// traces, the tape as text and as a drawing.
#pragma once

#include "core/inspect/anomaly.h"
#include "core/inspect/calls.h"
#include "core/inspect/compare.h"
#include "core/inspect/gradcheck.h"
#include "core/inspect/severed.h"
#include "core/inspect/tape.h"
#include "core/inspect/trace.h"
