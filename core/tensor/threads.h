// The threads that the library's loops share.
#pragma once

#include <cstdint>
#include <functional>

namespace gradus {

// How many threads the loops use: at first as many as there are cores. ValueError unless count is in [1, 1000].
int num_threads();
void set_num_threads(int count);

// Calls run(0) … run(parts - 1) on the team of num_threads() threads, and rethrows one of their exceptions. All loops use
// one size of team: for another, OpenMP would stop threads and start others.
void run_on_team(std::int64_t parts, const std::function<void(std::int64_t part)>& run);
bool inside_team();                   // is this called from within run_on_team?
void set_library_threads(int count);  // sets how many threads the matrix library uses

}  // namespace gradus
