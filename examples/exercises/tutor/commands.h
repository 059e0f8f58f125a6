// The commands of the tutor that need no terminal. Each gives the program's status: 0 if what was checked passed, 1 if not.
#pragma once

#include <string>

#include "examples/exercises/tutor/check.h"
#include "examples/exercises/tutor/folder.h"
#include "examples/exercises/tutor/options.h"
#include "examples/exercises/tutor/order.h"
#include "examples/exercises/tutor/state.h"

namespace gradus::exercises {

int carry_out(const Options& options, bool coloured);

// Keeps what a check of the student's own file has found. Is it the mistake that the one before has found?
bool note(const Exercise& exercise, const Checked& checked, State& state);

std::string see_also(const Exercise& exercise);  // "; see also docs/ch10.md#optim-nesterov", or ""

// "▸✓ 10  rms-norm    2026-11-27  (2 hints) RMSNorm, and its gradient by hand": an exercise on a line of a list.
std::string list_line(const Exercise& exercise, const Folder& folder, const State& state, bool is_current, const std::string& remark = "");
std::string progress_bar(const State& state, std::size_t columns);  // "7/26 ███░░░"

// What is said when all functions of it have passed, besides what was hard.
std::string what_follows(const Exercise& exercise, const State& state);

}  // namespace gradus::exercises
