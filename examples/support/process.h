// What a program knows of its own process.
#pragma once

namespace gradus::examples {

double peak_rss_mb();  // the most memory resident so far, in units of 10⁶ bytes

// From now on Ctrl-C and termination requests only set a flag, so that a run can save its work; a second one ends
// the program at once.
void catch_interrupts();
bool interrupted();

}  // namespace gradus::examples
