// A trace as JSON. Its form is trace.schema.json.
#include <fmt/format.h>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/inspect/trace.h"

namespace gradus::inspect {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(double x) {  // a whole number without ".0"
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  if (x == std::trunc(x) && std::abs(x) < 1e15 && !(x == 0 && std::signbit(x))) return static_cast<std::int64_t>(x);
  return x;
}

Json to_json(const Shape& shape) { return shape.vector(); }

Json to_json(const std::vector<double>& elements) {
  Json result = Json::array();
  for (const double x : elements) result.push_back(to_json(x));
  return result;
}

Json to_json(const Values& values, const Shape& expected) {
  Json result = Json::object();
  if (values.shape != expected) result["shape"] = to_json(values.shape);
  if (!values.summary) {
    result["all"] = to_json(values.all);
    return result;
  }
  if (!values.corner.empty()) {
    result["corner_shape"] = to_json(values.corner_shape);
    result["corner"] = to_json(values.corner);
  }
  const Values::Summary& s = *values.summary;
  result.update({{"count", s.count}, {"min", to_json(s.min)}, {"max", to_json(s.max)}, {"mean", to_json(s.mean)}, {"rms", to_json(s.rms)}});
  if (s.nan > 0) result["nan"] = s.nan;
  if (s.inf > 0) result["inf"] = s.inf;
  if (s.zero > 0) result["zero"] = s.zero;
  if (!s.histogram.empty()) result["histogram"] = s.histogram;
  return result;
}

Json to_json(const TracedTensor& x) {
  Json result{{"number", x.number}, {"kind", TracedTensor::kKinds[static_cast<std::size_t>(x.kind)]}};
  if (!x.name.empty()) result["name"] = x.name;
  if (!x.op.empty()) result["op"] = x.op;
  result["dtype"] = name_of(x.dtype);
  result["shape"] = to_json(x.values.shape);
  if (!x.inputs.empty()) result["inputs"] = x.inputs;
  result["values"] = to_json(x.values, x.values.shape);
  if (x.module >= 0) result["module"] = x.module;
  if (x.requires_grad) result["requires_grad"] = true;
  if (x.of_walk) result["of_walk"] = true;
  if (!x.severed_by.empty()) result["severed_by"] = x.severed_by;
  return result;
}

Json to_json(const Delivery& d) {
  const Shape& shape = d.after.shape;
  Json result{{"input", d.input}, {"to", d.to}, {"contribution", to_json(d.contribution, shape)}};
  if (d.before) result["before"] = to_json(*d.before, shape);
  result["after"] = to_json(d.after, shape);
  if (!d.summed_over.empty()) result["summed_over"] = d.summed_over;
  if (d.by_rows) result["by_rows"] = true;
  if (d.made_by != 0) result["made_by"] = d.made_by;
  return result;
}

Json to_json(const Visit& visit) {
  Json result{{"tensor", visit.tensor}, {"gradient", to_json(visit.gradient, visit.gradient.shape)}};
  for (const Delivery& delivery : visit.deliveries) result["deliveries"].push_back(to_json(delivery));
  return result;
}

Json to_json(const ModuleCall& call) { return {{"path", call.path}, {"type", call.type}, {"first", call.first}, {"last", call.last}}; }

Json to_json(const OpSource& source) {
  Json result{{"file", source.file}, {"line", source.line}, {"rule_line", source.rule_line}};
  if (!source.region.empty()) result["region"] = source.region;
  if (!source.formulas.empty()) result["formulas"] = source.formulas;
  if (!source.parameters.empty()) result["parameters"] = source.parameters;
  result["code"] = source.code;
  return result;
}

Json to_json(const NaiveWalk& walk, const Trace& trace) {
  Json result{{"visits", walk.visits}, {"arrivals", Json::array()}};
  if (!walk.complete) result["incomplete"] = true;
  for (const NaiveWalk::Arrival& a : walk.arrivals) {
    result["arrivals"].push_back({{"from", a.from}, {"to", a.to}, {"after", to_json(a.after, trace.tensor(a.to).values.shape)}});
  }
  return result;
}

// A name that is no UTF-8 is written with replacement characters.
std::string text_of(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A list, an item a line: written one by one, as the whole of a long walk in Json would take much memory.
template <typename Item> void append(std::string& text, const char* name, const std::vector<Item>& items) {
  text += fmt::format(",\n\"{}\": [", name);
  for (std::size_t i = 0; i < items.size(); ++i) text += (i > 0 ? ",\n" : "\n") + text_of(to_json(items[i]));
  text += "]";
}

}  // namespace

std::string json(const Trace& trace) {
  std::string text = fmt::format("{{\n\"gradus_trace\": {}", Trace::kVersion);
  const auto field = [&text](const char* name, const Json& j) { text += fmt::format(",\n\"{}\": {}", name, text_of(j)); };
  if (!trace.title.empty()) field("title", trace.title);
  field("outputs", trace.outputs);
  if (!trace.dimensions.empty()) field("dimensions", trace.dimensions);
  append(text, "tensors", trace.tensors);
  append(text, "seeds", trace.seeds);
  append(text, "walk", trace.walk);
  append(text, "modules", trace.modules);
  Json ops = Json::object();
  for (const auto& [op, source] : trace.ops) ops[op] = to_json(source);
  field("ops", ops);
  if (trace.naive) field("naive", to_json(*trace.naive, trace));
  if (!trace.unreached.empty()) field("unreached", trace.unreached);
  if (!trace.notes.empty()) field("notes", trace.notes);
  return text + "\n}\n";
}

}  // namespace gradus::inspect
