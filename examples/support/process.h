// What a program knows of its own process.
#pragma once

#include <string>

namespace gradus::examples {

double memory_bytes();  // that this process may have: the machine's, or less where a container or `ulimit -v` says so

double peak_rss_mb();  // the most memory resident so far, in units of 10⁶ bytes

}  // namespace gradus::examples
