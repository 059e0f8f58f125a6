// What memory there is.
#pragma once

namespace gradus::examples {

double memory_bytes();  // that this process may have: the machine's, or less where a container or `ulimit -v` says so

}  // namespace gradus::examples
