// What the page does without: where each op is written.
#include "core/inspect/op_sources.h"

const gradus::inspect::OpSource* gradus::inspect::source_of(std::string_view) { return nullptr; }
