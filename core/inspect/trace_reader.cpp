// A trace out of JSON, checked: what is read can be walked.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "core/inspect/trace.h"

namespace gradus::inspect {
namespace {

using Json = nlohmann::ordered_json;

// No trace nests as deep as this; what does would use up the stack.
bool not_too_deep(int depth, Json::parse_event_t, Json&) {
  check<ValueError>(depth < 32, "the JSON is nested too deep");
  return true;
}

double number_from(const Json& j) {
  if (j.is_number()) return j.get<double>();
  const auto& name = j.get_ref<const std::string&>();
  check<ValueError>(name == "nan" || name == "inf" || name == "-inf", "a number was expected, not '{}'", name);
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  return name == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

std::vector<double> elements_from(const Json& j) {
  check<ValueError>(j.is_array(), "a list of numbers was expected, not {}", j.type_name());
  std::vector<double> elements;
  for (const Json& x : j) elements.push_back(number_from(x));
  return elements;
}

// A whole number must be one, and fit: the JSON library would cut off what is too much.
template <typename T> void read(const Json& j, T& x) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const bool fits = j.is_number_unsigned() ? std::in_range<T>(j.get<std::uint64_t>())
                                             : j.is_number_integer() && std::in_range<T>(j.get<std::int64_t>());
    check<ValueError>(fits, "a whole number was expected, not {}", j.is_number() ? j.dump() : j.type_name());
  }
  j.get_to(x);
}

template <typename T> void read(const Json& j, std::vector<T>& list) {
  check<ValueError>(j.is_array(), "a list was expected, not {}", j.type_name());
  for (const Json& item : j) read(item, list.emplace_back());
}

template <typename T> void read(const Json& j, std::map<std::string, T>& map) {
  check<ValueError>(j.is_object(), "an object was expected, not {}", j.type_name());
  for (const auto& item : j.items()) read(item.value(), map[item.key()]);
}

template <typename T> T as(const Json& j) {
  T x{};
  read(j, x);
  return x;
}

Shape shape_from(const Json& j) { return Shape(as<std::vector<std::int64_t>>(j)); }

template <typename T> std::vector<T> list(const Json& j, const char* name, T (*read)(const Json&)) {
  std::vector<T> result;
  if (const auto found = j.find(name); found != j.end()) {
    check<ValueError>(found->is_array(), "'{}' is not a list", name);
    for (const Json& item : *found) result.push_back(read(item));
  }
  return result;
}

template <typename T> T value(const Json& j, const char* name, T missing = {}) {
  const auto found = j.find(name);
  return found == j.end() ? missing : as<T>(*found);
}

Values values_from(const Json& j, const Shape& expected) {
  Values values{.shape = j.contains("shape") ? shape_from(j["shape"]) : expected};
  if (j.contains("all")) {
    values.all = elements_from(j["all"]);
    check<ValueError>(static_cast<std::int64_t>(values.all.size()) == values.shape.numel(), "{} values for the shape {}", values.all.size(),
                      values.shape);
    return values;
  }
  values.summary =
      Values::Summary{number_from(j.at("min")),      number_from(j.at("max")),        number_from(j.at("mean")),
                      number_from(j.at("rms")),      as<std::int64_t>(j.at("count")), value<std::int64_t>(j, "nan"),
                      value<std::int64_t>(j, "inf"), value<std::int64_t>(j, "zero"),  value<std::vector<std::int64_t>>(j, "histogram")};
  if (j.contains("corner")) {
    values.corner_shape = shape_from(j.at("corner_shape"));
    values.corner = elements_from(j["corner"]);
    check<ValueError>(static_cast<std::int64_t>(values.corner.size()) == values.corner_shape.numel(), "{} values for a corner of {}",
                      values.corner.size(), values.corner_shape);
  }
  return values;
}

TracedTensor tensor_from(const Json& j) {
  TracedTensor x{.number = as<std::uint64_t>(j.at("number")),
                 .name = value<std::string>(j, "name"),
                 .op = value<std::string>(j, "op"),
                 .dtype = dtype_from_name(as<std::string>(j.at("dtype"))),
                 .inputs = value<std::vector<std::uint64_t>>(j, "inputs"),
                 .values = values_from(j.at("values"), shape_from(j.at("shape"))),
                 .module = value(j, "module", -1),
                 .requires_grad = value(j, "requires_grad", false),
                 .of_walk = value(j, "of_walk", false),
                 .severed_by = value<std::vector<std::uint64_t>>(j, "severed_by")};
  constexpr auto& kinds = TracedTensor::kKinds;
  const auto kind = std::find(kinds.begin(), kinds.end(), as<std::string>(j.at("kind")));
  check<ValueError>(kind != kinds.end(), "tensor #{}: no such kind: '{}'", x.number, as<std::string>(j["kind"]));
  x.kind = static_cast<TracedTensor::Kind>(kind - kinds.begin());
  return x;
}

// The shape of a gradient is that of its tensor.
class GradientReader {
 public:
  explicit GradientReader(const Trace& trace) : trace_(trace) {}

  Values values(const Json& j, std::uint64_t number) const { return values_from(j, trace_.tensor(number).values.shape); }

  Delivery delivery(const Json& j) const {
    const auto to = as<std::uint64_t>(j.at("to"));
    Delivery d{.input = as<int>(j.at("input")), .to = to, .contribution = values(j.at("contribution"), to)};
    if (j.contains("before")) d.before = values(j["before"], to);
    d.after = values(j.at("after"), to);
    d.summed_over = value<std::vector<int>>(j, "summed_over");
    d.by_rows = value(j, "by_rows", false);
    d.made_by = value<std::uint64_t>(j, "made_by");
    return d;
  }

  Visit visit(const Json& j) const {
    Visit result{.tensor = as<std::uint64_t>(j.at("tensor"))};
    result.gradient = values(j.at("gradient"), result.tensor);
    if (j.contains("deliveries")) {
      for (const Json& d : j["deliveries"]) result.deliveries.push_back(delivery(d));
    }
    return result;
  }

  NaiveWalk naive(const Json& j) const {
    NaiveWalk walk{.visits = as<std::int64_t>(j.at("visits")), .complete = !value(j, "incomplete", false)};
    for (const Json& a : j.at("arrivals")) {
      const auto to = as<std::uint64_t>(a.at("to"));
      walk.arrivals.push_back({as<std::uint64_t>(a.at("from")), to, values(a.at("after"), to)});
    }
    check<ValueError>(walk.visits >= static_cast<std::int64_t>(walk.arrivals.size()), "naive: {} visits with {} arrivals", walk.visits,
                      walk.arrivals.size());
    return walk;
  }

 private:
  const Trace& trace_;
};

ModuleCall call_from(const Json& j) {
  return {as<std::string>(j.at("path")), as<std::string>(j.at("type")), as<std::uint64_t>(j.at("first")), as<std::uint64_t>(j.at("last"))};
}

OpSource source_from(const Json& j) {
  return {as<std::string>(j.at("file")),
          as<int>(j.at("line")),
          value(j, "rule_line", 0),
          value<std::string>(j, "region"),
          value<std::vector<std::string>>(j, "formulas"),
          value<std::vector<std::string>>(j, "parameters"),
          value<std::string>(j, "code")};
}

// Every number names a tensor that is there, and everything is in its order.
void check_whole(const Trace& trace) {
  std::uint64_t last = 0;
  for (const TracedTensor& x : trace.tensors) {
    check<ValueError>(x.number > last, "tensor #{} comes after #{}", x.number, last);
    last = x.number;
    for (const std::uint64_t input : x.inputs) {
      check<ValueError>(input < x.number, "tensor #{} has the input #{}, which is not older", x.number, input);
      if (input != 0) trace.tensor(input);
    }
    for (const std::uint64_t by : x.severed_by) trace.tensor(by);
    check<ValueError>(x.module >= -1 && x.module < static_cast<int>(trace.modules.size()), "tensor #{} is of module {} of {}", x.number,
                      x.module, trace.modules.size());
  }
  for (const std::uint64_t output : trace.outputs) trace.tensor(output);
  last = std::numeric_limits<std::uint64_t>::max();
  for (const Visit& visit : trace.walk) {
    check<ValueError>(visit.tensor < last, "the walk visits #{} after #{}", visit.tensor, last);
    last = visit.tensor;
    const auto inputs = static_cast<int>(trace.tensor(visit.tensor).inputs.size());
    for (const Delivery& d : visit.deliveries) {
      check<ValueError>(d.input >= 0 && d.input < inputs, "#{} delivers to input {} of {}", visit.tensor, d.input, inputs);
      if (d.made_by != 0) trace.tensor(d.made_by);
    }
  }
}

Trace trace_from(const Json& j) {
  check<ValueError>(j.is_object() && j.contains("gradus_trace"), "this is not a trace of Gradus");
  check<ValueError>(j["gradus_trace"] == Trace::kVersion, "version {} of the form is not known; this is version {}",
                    j["gradus_trace"].dump(), Trace::kVersion);
  Trace trace{.title = value<std::string>(j, "title"),
              .outputs = as<std::vector<std::uint64_t>>(j.at("outputs")),
              .dimensions = value<std::map<std::string, std::int64_t>>(j, "dimensions"),
              .tensors = list(j, "tensors", tensor_from)};
  check<ValueError>(!trace.outputs.empty(), "'outputs' is empty: a walk begins somewhere");
  const GradientReader gradients(trace);
  for (const char* name : {"seeds", "walk"}) check<ValueError>(j.at(name).is_array(), "'{}' is not a list", name);
  for (const Json& seed : j["seeds"]) trace.seeds.push_back(gradients.delivery(seed));
  for (const Json& visit : j["walk"]) trace.walk.push_back(gradients.visit(visit));
  trace.modules = list(j, "modules", call_from);
  for (const auto& [op, source] : j.at("ops").items()) trace.ops.emplace(op, source_from(source));
  if (j.contains("naive")) trace.naive = gradients.naive(j["naive"]);
  check_whole(trace);
  trace.unreached = value<std::vector<std::string>>(j, "unreached");
  trace.notes = value<std::vector<std::string>>(j, "notes");
  return trace;
}

}  // namespace

Trace read_trace(std::string_view json) {
  try {
    check<ValueError>(json.find('\0') == json.npos, "the JSON holds a zero byte");  // the parser would take it for the end
    return trace_from(Json::parse(json, not_too_deep));
  } catch (const nlohmann::json::exception& e) {
    const std::string said = e.what();  // "[json.exception.parse_error.101] parse error at line 1, …"
    throw ValueError(fmt::format("read_trace: this is no trace: {}", said.substr(said.find("] ") + 2)));
  } catch (const Error& e) {
    throw ValueError(fmt::format("read_trace: {}", e.what()));
  }
}

}  // namespace gradus::inspect
