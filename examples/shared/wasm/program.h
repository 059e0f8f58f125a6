// What a program in the page can include, precompiled.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include "core/core.h"
#include "core/inspect/inspect.h"
#include "examples/shared/wasm/note_name.h"
#include "nn/nn.h"
#include "optim/optim.h"
