// The threads that the library's loops share.
#pragma once

#include <cstdint>
#include <functional>

namespace gradus {

// How many there are; all cores at first. ValueError unless positive.
int num_threads();
void set_num_threads(int count);

// Calls run(0) … run(parts - 1) on the team of threads. Rethrows the first exception. The team's size never changes:
// OpenMP would stop threads and start others.
void run_on_team(std::int64_t parts, const std::function<void(std::int64_t part)>& run);
bool inside_team();
void set_library_threads(int count);  // of the matrix library, which shares our team

}  // namespace gradus
