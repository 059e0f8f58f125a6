// Where each op is written. The table is made from the sources when the library is built: op_sources/generate.cpp.
#pragma once

#include <string_view>

#include "core/inspect/trace.h"

namespace gradus::inspect {

const OpSource* source_of(std::string_view op);  // where `op` is written; nullptr for an op that is not the library's

}  // namespace gradus::inspect
