// What a program knows of its own process.
#pragma once

#include <string>

namespace gradus::examples {

double peak_rss_mb();  // the most memory resident so far, in units of 10⁶ bytes

}  // namespace gradus::examples
