// trace: one backward walk written down, with the tape it walked. The viewer, the stepper and the debugger's commands
// read this one record; as JSON its form is trace.schema.json, where each field is explained.
//
//   inspect::Trace t = inspect::trace(loss, {.names = {{"w", w}, {"b", b}}});
//   inspect::write_html("walk.html", t);
//
// Tracing changes nothing: the tape stays, and no gradient is added to a leaf. Hooks run, as in any walk.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inspect/calls.h"
#include "core/tensor/tensor.h"

namespace gradus::inspect {

// The numbers of a tensor: all of them where they are few, else a corner and what can be said of the rest.
struct Values {
  struct Summary {
    double min = 0, max = 0, mean = 0, rms = 0;  // of the finite elements
    std::int64_t count = 0, nan = 0, inf = 0, zero = 0;
    std::vector<std::int64_t> histogram = {};  // of the finite elements: 16 equal bins from min to max
  };
  Shape shape = {};
  std::vector<double> all = {};     // every element, row by row; empty when there is a summary
  std::vector<double> corner = {};  // the first rows and columns of the first matrix, row by row
  Shape corner_shape = {};          // at most 6 × 6
  std::optional<Summary> summary = {};
};

// A tensor of the tape.
struct TracedTensor {
  enum class Kind {
    op,        // made by an op on the tape
    leaf,      // requires a gradient, and no op made it
    constant,  // requires none
    freed,     // made by an op that an earlier walk freed
  };
  static constexpr std::array<const char*, 4> kKinds{"op", "leaf", "constant", "freed"};
  std::uint64_t number = 0;
  Kind kind = Kind::constant;
  std::string name = {}, op = {};  // empty: it has none
  DType dtype = DType::f32;
  std::vector<std::uint64_t> inputs = {};  // numbers; 0: absent
  Values values = {};
  int module = -1;  // of Trace::modules, the innermost; -1: none
  bool requires_grad = false;
  bool of_walk = false;                        // made by the walk itself, under create_graph
  std::vector<std::uint64_t> severed_by = {};  // the tensors whose rules gave it no gradient, though it requires one
};

// One contribution to a gradient, as an op's rule hands it to one of its inputs; a seed is one without an op.
struct Delivery {
  int input = 0;  // of the op
  std::uint64_t to = 0;
  Values contribution = {};           // as the rule gave it, perhaps still broadcast
  std::optional<Values> before = {};  // the sum that was there; none for the first to come
  Values after = {};
  std::vector<int> summed_over = {};  // axes of the contribution over which a broadcast was summed back
  bool by_rows = false;               // the contribution is a few rows of a gradient that is zero elsewhere
  std::uint64_t made_by = 0;          // under create_graph: the tensor that is the contribution
};

// One step of the walk: a tensor, its gradient, and what its op hands to its inputs.
struct Visit {
  std::uint64_t tensor = 0;
  Values gradient = {};  // complete, hooks included
  std::vector<Delivery> deliveries = {};
};

// Where an op is written: the table is made when the library is built.
struct OpSource {
  std::string file;                     // from the top of the tree
  int line = 0, rule_line = 0;          // of the function; of its rule
  std::string region;                   // its formula id, or empty
  std::vector<std::string> formulas;    // "y = a ⊙ b", "dL/da = dL/dy ⊙ b", "dL/db = dL/dy ⊙ a"
  std::vector<std::string> parameters;  // the inputs' names in the formulas: "a", "b"
  std::string code;                     // the function, as it stands there
};

// The same tape walked by recursion instead: each arrival at once hands on all that its tensor has gathered so far.
struct NaiveWalk {
  struct Arrival {
    std::uint64_t from, to;  // from 0: the seed
    Values after;            // the gradient of `to`
  };
  std::vector<Arrival> arrivals = {};  // the first of them
  std::int64_t visits = 0;
  bool complete = true;  // or were there too many visits?
};

// All that one walk did.
struct Trace {
  static constexpr int kVersion = 1;  // of the form in trace.schema.json
  std::string title = {};
  std::vector<std::uint64_t> outputs = {};              // where the walk began
  std::map<std::string, std::int64_t> dimensions = {};  // letters for sizes: "B" → 8
  std::vector<TracedTensor> tensors = {};               // by number
  std::vector<Delivery> seeds = {};                     // input -1
  std::vector<Visit> walk = {};
  std::vector<ModuleCall> modules = {};      // by first, outer before inner
  std::map<std::string, OpSource> ops = {};  // of the ops that occur
  std::optional<NaiveWalk> naive = {};
  std::vector<std::string> unreached = {};  // names that were given to tensors which the walk does not reach
  std::vector<std::string> notes = {};      // what was left out, and why

  const TracedTensor& tensor(std::uint64_t number) const;  // ValueError if there is none
};

// What to call things in a trace, and how much to keep.
struct TraceOptions {
  std::string title = {};
  std::vector<std::pair<std::string, Tensor>> names = {};             // what to call which tensor
  std::vector<std::pair<std::string, std::int64_t>> dimensions = {};  // letters for sizes
  std::int64_t whole = 64;                                            // tensors of at most this many elements are kept whole …
  std::int64_t whole_tape = 0;                                        // … and all of them, if together they have no more than this
  std::int64_t memory = std::int64_t{64} << 20;                       // bytes of values; beyond, and beyond 10⁵ tensors, only summaries
  bool create_graph = false;                                          // keep the ops that the rules are made of, too
  bool naive = false;                                                 // walk by naive recursion, too, for at most 10,000 visits
};

// The walk from y, seeded with ones. GraphError unless y is on the tape and none of its graph was freed. Modules and the
// names of their parameters come from the CallLog that was active when y was computed, if it still exists: inspect/calls.h.
Trace trace(const Tensor& y, const TraceOptions& options = {});

// A trace as JSON, of the form trace.schema.json, and back; the last two in a file (IoError).
std::string json(const Trace& trace);
Trace read_trace(std::string_view json);  // ValueError, with the place, for what is no trace of this version
void write_json(const std::string& path, const Trace& trace);
Trace load_trace(const std::string& path);

// The viewer with one trace in it, or two to compare: one page, which needs nothing else.
std::string html(const std::vector<Trace>& traces);
void write_html(const std::string& path, const Trace& trace);

}  // namespace gradus::inspect
