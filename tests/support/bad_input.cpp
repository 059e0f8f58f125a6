#include "tests/support/bad_input.h"

#include <doctest/doctest.h>

#include <cstring>
#include <exception>
#include <string>
#include <typeinfo>
#include <utility>

#include "core/tape/node.h"

namespace gradus::test {
namespace {

const std::type_info& class_of(Raises raises) {
  switch (raises) {
    case Raises::shape: return typeid(ShapeError);
    case Raises::dtype: return typeid(DTypeError);
    case Raises::value: return typeid(ValueError);
    case Raises::io: return typeid(IoError);
    case Raises::graph: return typeid(GraphError);
    case Raises::memory: return typeid(MemoryError);
    default: return typeid(Error);
  }
}

std::string name_of_class(const std::exception& error) {
  for (const auto& [raises, name] : {std::pair{Raises::error, "Error"},
                                     {Raises::shape, "ShapeError"},
                                     {Raises::dtype, "DTypeError"},
                                     {Raises::value, "ValueError"},
                                     {Raises::io, "IoError"},
                                     {Raises::graph, "GraphError"},
                                     {Raises::memory, "MemoryError"}}) {
    if (typeid(error) == class_of(raises)) return name;
  }
  return typeid(error).name();
}

// What a tensor is: its shape, dtype and bytes.
struct Snapshot {
  explicit Snapshot(const Tensor& x) : shape(x.shape()), dtype(x.dtype()) {
    const auto* first = static_cast<const char*>(x.bytes());
    bytes.assign(first, first + static_cast<std::size_t>(x.numel()) * size_of(dtype));
  }
  bool operator==(const Snapshot& other) const { return shape == other.shape && dtype == other.dtype && bytes == other.bytes; }
  Shape shape;
  DType dtype;
  std::string bytes;
};

std::vector<Snapshot> snapshots(const Tensors& tensors) { return {tensors.begin(), tensors.end()}; }

bool is_by(const std::string& message, const std::string& who) {
  return who.empty() || (message.starts_with(who) && std::string(":(.,").find(message[who.size()]) != std::string::npos);
}

// "" if the call raises what it should.
std::string raised_instead(const BadCall& row) {
  try {
    row.call();
  } catch (const std::exception& error) {
    const bool right =
        typeid(error) == class_of(row.raises) && std::strstr(error.what(), row.text.c_str()) != nullptr && is_by(error.what(), row.who);
    return right ? "" : name_of_class(error) + ": " + error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
  return "no error at all";
}

}  // namespace

std::string what_came_instead(const BadCall& row) {
  const std::vector<Snapshot> before = snapshots(row.unchanged);
  const int64_t tensors = live_tensors(), nodes = live_nodes();
  const std::string instead = raised_instead(row);
  if (!instead.empty()) return instead;
  if (live_tensors() != tensors || live_nodes() != nodes) return "the right error, but tensors or nodes are left over";
  return snapshots(row.unchanged) == before ? "" : "the right error, but a tensor was changed";
}

void check_bad_calls(const BadCalls& rows) {
  for (const BadCall& row : rows) {
    INFO(row.name, ", expected: ", row.text);
    CHECK(what_came_instead(row) == "");
  }
}

BadCalls of(const std::string& variant, BadCalls rows) {
  for (BadCall& row : rows) row.name = variant + ": " + row.name;
  return rows;
}

BadCalls by(const std::string& who, BadCalls rows) {
  for (BadCall& row : rows) row.who = who;
  return of(who, std::move(rows));
}

BadCalls keeping(const Tensors& unchanged, BadCalls rows) {
  for (BadCall& row : rows) row.unchanged.insert(row.unchanged.end(), unchanged.begin(), unchanged.end());
  return rows;
}

BadCall undefined_row(const std::string& op, const std::string& argument, std::function<void()> call) {
  return {op + " of an undefined tensor: " + argument, std::move(call), Raises::graph,
          op + ": " + argument + " is undefined: it was never given a value, or is a gradient that has not arrived"};
}

BadCalls undefined_rows(const std::string& op, const std::vector<std::string>& arguments, const Tensors& given,
                        const std::function<void(const Tensors&)>& call) {
  BadCalls rows;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    rows += undefined_row(op, arguments[i], [=] { call(changed(given, [=](Tensors& all) { all[i] = Tensor(); })); });
  }
  return rows;
}

}  // namespace gradus::test
