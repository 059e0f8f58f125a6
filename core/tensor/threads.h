// The threads that the library's loops share.
#pragma once

#include <cstdint>
#include <functional>

namespace gradus {

// How many threads the loops use: at first as many as there are processors. ValueError unless count is in
// [1, 32 · processors].
int num_threads();
void set_num_threads(int count);
int most_threads();  // 32 · processors

// Calls run(0) … run(parts - 1) on the team of num_threads() threads, the caller among them, and rethrows one of their
// exceptions. Within a call of itself, and while another thread uses the team, it runs on the caller alone.
void run_on_team(std::int64_t parts, const std::function<void(std::int64_t part)>& run);
bool inside_team();                   // is this called from within run_on_team?
void set_library_threads(int count);  // sets how many threads the matrix library uses

}  // namespace gradus
