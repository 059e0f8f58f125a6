// What most sources of the library include, precompiled.
#pragma once

#include <fmt/ranges.h>
#include <sys/types.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

extern "C" int kill(pid_t, int);  // as it is elsewhere; this library of C does not declare it
