// What a program knows of its own process.
#pragma once

#include <string>

namespace gradus::examples {

double peak_rss_mb();  // the most memory resident so far, in units of 10⁶ bytes

double cpu_seconds();  // that all its threads together have computed so far

// On a busy machine threads wait at every barrier for one that does not run, and spin meanwhile: a step can take ten times
// as long as by one thread. Empty unless `threads` got less than 0.6 of the time they had, and nothing sets how they wait.
std::string crowded_note(int threads, double cpu, double elapsed);

// From now on Ctrl-C and termination requests only set a flag, so that a run can save its work; a second one ends
// the program at once.
void catch_interrupts();
bool interrupted();

}  // namespace gradus::examples
