// A trace as JSON, and back. Its form is trace.schema.json.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/inspect/trace.h"

namespace gradus::inspect {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;
constexpr std::array<const char*, 4> kKinds{"op", "leaf", "constant", "freed"};

// --- writing ------------------------------------------------------------------------------------------------

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
  result.update({{"count", s.count}, {"min", to_json(s.min)}, {"max", to_json(s.max)}, {"mean", to_json(s.mean)},
                 {"rms", to_json(s.rms)}});
  if (s.nan > 0) result["nan"] = s.nan;
  if (s.inf > 0) result["inf"] = s.inf;
  if (s.zero > 0) result["zero"] = s.zero;
  if (!s.histogram.empty()) result["histogram"] = s.histogram;
  return result;
}

Json to_json(const TracedTensor& x) {
  Json result{{"number", x.number}, {"kind", kKinds[static_cast<std::size_t>(x.kind)]}};
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

Json to_json(const ModuleCall& call) {
  return {{"path", call.path}, {"type", call.type}, {"first", call.first}, {"last", call.last}};
}

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

// A list, an item a line: written one by one, as the whole of a long walk in Json would take much memory.
template <typename Item> void append(std::string& text, const char* name, const std::vector<Item>& items) {
  text += fmt::format(",\n\"{}\": [", name);
  for (std::size_t i = 0; i < items.size(); ++i) text += (i > 0 ? ",\n" : "\n") + Json(to_json(items[i])).dump();
  text += "]";
}

// --- reading ------------------------------------------------------------------------------------------------

double number_from(const Json& j) {
  if (j.is_number()) return j.get<double>();
  const auto& name = j.get_ref<const std::string&>();
  check<ValueError>(name == "nan" || name == "inf" || name == "-inf", "a number was expected, not '{}'", name);
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  return name == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

std::vector<double> elements_from(const Json& j) {
  std::vector<double> elements;
  for (const Json& x : j) elements.push_back(number_from(x));
  return elements;
}

Shape shape_from(const Json& j) { return Shape(j.get<std::vector<std::int64_t>>()); }

template <typename T> std::vector<T> list(const Json& j, const char* name, T (*read)(const Json&)) {
  std::vector<T> result;
  if (const auto found = j.find(name); found != j.end()) {
    for (const Json& item : *found) result.push_back(read(item));
  }
  return result;
}

template <typename T> T value(const Json& j, const char* name, T missing = {}) { return j.value(name, missing); }

Values values_from(const Json& j, const Shape& expected) {
  Values values{.shape = j.contains("shape") ? shape_from(j["shape"]) : expected};
  if (j.contains("all")) {
    values.all = elements_from(j["all"]);
    check<ValueError>(static_cast<std::int64_t>(values.all.size()) == values.shape.numel(), "{} values for the shape {}",
                      values.all.size(), values.shape);
    return values;
  }
  values.summary = Values::Summary{number_from(j.at("min")), number_from(j.at("max")), number_from(j.at("mean")),
                                   number_from(j.at("rms")), j.at("count").get<std::int64_t>(), value<std::int64_t>(j, "nan"),
                                   value<std::int64_t>(j, "inf"), value<std::int64_t>(j, "zero"),
                                   value<std::vector<std::int64_t>>(j, "histogram")};
  if (j.contains("corner")) {
    values.corner_shape = shape_from(j.at("corner_shape"));
    values.corner = elements_from(j["corner"]);
    check<ValueError>(static_cast<std::int64_t>(values.corner.size()) == values.corner_shape.numel(),
                      "{} values for a corner of {}", values.corner.size(), values.corner_shape);
  }
  return values;
}

TracedTensor tensor_from(const Json& j) {
  TracedTensor x{.number = j.at("number").get<std::uint64_t>(), .name = value<std::string>(j, "name"),
                 .op = value<std::string>(j, "op"), .dtype = dtype_from_name(j.at("dtype").get<std::string>()),
                 .inputs = value<std::vector<std::uint64_t>>(j, "inputs"),
                 .values = values_from(j.at("values"), shape_from(j.at("shape"))), .module = j.value("module", -1),
                 .requires_grad = j.value("requires_grad", false), .of_walk = j.value("of_walk", false),
                 .severed_by = value<std::vector<std::uint64_t>>(j, "severed_by")};
  const auto kind = std::find(kKinds.begin(), kKinds.end(), j.at("kind").get<std::string>());
  check<ValueError>(kind != kKinds.end(), "tensor #{}: no such kind: '{}'", x.number, j["kind"].get<std::string>());
  x.kind = static_cast<TracedTensor::Kind>(kind - kKinds.begin());
  return x;
}

// The shape of a gradient is that of its tensor.
class GradientReader {
 public:
  explicit GradientReader(const Trace& trace) : trace_(trace) {}

  Values values(const Json& j, std::uint64_t number) const { return values_from(j, trace_.tensor(number).values.shape); }

  Delivery delivery(const Json& j) const {
    const auto to = j.at("to").get<std::uint64_t>();
    Delivery d{.input = j.at("input").get<int>(), .to = to, .contribution = values(j.at("contribution"), to)};
    if (j.contains("before")) d.before = values(j["before"], to);
    d.after = values(j.at("after"), to);
    d.summed_over = value<std::vector<int>>(j, "summed_over");
    d.by_rows = j.value("by_rows", false);
    d.made_by = value<std::uint64_t>(j, "made_by");
    return d;
  }

  Visit visit(const Json& j) const {
    Visit result{.tensor = j.at("tensor").get<std::uint64_t>()};
    result.gradient = values(j.at("gradient"), result.tensor);
    if (j.contains("deliveries")) {
      for (const Json& d : j["deliveries"]) result.deliveries.push_back(delivery(d));
    }
    return result;
  }

  NaiveWalk naive(const Json& j) const {
    NaiveWalk walk{.visits = j.at("visits").get<std::int64_t>(), .complete = !j.value("incomplete", false)};
    for (const Json& a : j.at("arrivals")) {
      const auto to = a.at("to").get<std::uint64_t>();
      walk.arrivals.push_back({a.at("from").get<std::uint64_t>(), to, values(a.at("after"), to)});
    }
    return walk;
  }

 private:
  const Trace& trace_;
};

ModuleCall call_from(const Json& j) {
  return {j.at("path").get<std::string>(), j.at("type").get<std::string>(), j.at("first").get<std::uint64_t>(),
          j.at("last").get<std::uint64_t>()};
}

OpSource source_from(const Json& j) {
  return {j.at("file").get<std::string>(), j.at("line").get<int>(), j.value("rule_line", 0), value<std::string>(j, "region"),
          value<std::vector<std::string>>(j, "formulas"), value<std::vector<std::string>>(j, "parameters"),
          value<std::string>(j, "code")};
}

Trace trace_from(const Json& j) {
  check<ValueError>(j.is_object() && j.contains("gradus_trace"), "this is not a trace of Gradus");
  check<ValueError>(j["gradus_trace"] == kVersion, "version {} of the form is not known; this is version {}",
                    j["gradus_trace"].dump(), kVersion);
  Trace trace{.title = value<std::string>(j, "title"), .outputs = j.at("outputs").get<std::vector<std::uint64_t>>(),
              .dimensions = value<std::map<std::string, std::int64_t>>(j, "dimensions"),
              .tensors = list(j, "tensors", tensor_from)};
  const GradientReader gradients(trace);
  for (const Json& seed : j.at("seeds")) trace.seeds.push_back(gradients.delivery(seed));
  for (const Json& visit : j.at("walk")) trace.walk.push_back(gradients.visit(visit));
  trace.modules = list(j, "modules", call_from);
  for (const auto& [op, source] : j.at("ops").items()) trace.ops.emplace(op, source_from(source));
  if (j.contains("naive")) trace.naive = gradients.naive(j["naive"]);
  trace.unreached = value<std::vector<std::string>>(j, "unreached");
  trace.notes = value<std::vector<std::string>>(j, "notes");
  return trace;
}

}  // namespace

std::string json(const Trace& trace) {
  std::string text = fmt::format("{{\n\"gradus_trace\": {}", kVersion);
  const auto field = [&text](const char* name, const Json& j) { text += fmt::format(",\n\"{}\": {}", name, j.dump()); };
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

Trace read_trace(std::string_view json) {
  try {
    return trace_from(Json::parse(json));
  } catch (const nlohmann::json::exception& e) {
    throw ValueError(fmt::format("read_trace: {}", e.what()));
  } catch (const ValueError& e) {
    throw ValueError(fmt::format("read_trace: {}", e.what()));
  }
}

}  // namespace gradus::inspect
