#include "core/inspect/trace.h"
namespace gradus::inspect {
void write_html(const std::string& path, const Trace& trace) { write_json(path, trace); }
}  // namespace gradus::inspect
