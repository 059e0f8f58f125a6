// Every mistake and convention that is known: those of the chapters' programs, and those that the exercises name besides.
#pragma once

#include <string>
#include <vector>

#include "examples/shared/report/published.h"

namespace gradus::exercises {

using examples::Published;

const std::vector<Published>& all_published();
const Published& published_as(const std::string& id);  // ValueError if there is none

}  // namespace gradus::exercises
