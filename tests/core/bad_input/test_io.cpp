// Bad calls of io and inspect that need no file of their own: those that do are in core/io.
#include "core/inspect/inspect.h"
#include "core/inspect/trace.h"
#include "core/io/named_tensors.h"
#include "core/options/table.h"
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

BadCalls gradus::test::io_rows() {
  const std::string missing = "/no/such/folder/file";
  const Tensor x = ones({2});
  return {
      {"read_npy: no such file", [=] { io::read_npy(missing); }, Raises::io, missing},
      {"read_safetensors: no such file", [=] { io::read_safetensors(missing); }, Raises::io, missing},
      {"read_npy: a folder", [] { io::read_npy("/tmp"); }, Raises::io, "/tmp: not a regular file"},
      {"read_safetensors: a device", [] { io::read_safetensors("/dev/zero"); }, Raises::io, "/dev/zero: not a regular file"},
      {"read_npy: an empty name", [] { io::read_npy(""); }, Raises::io, ""},
      {"write_npy: a name that is too long", [=] { io::write_npy(std::string(5000, 'a'), x); }, Raises::io, "File name too long", {x}},
      {"write_npy: no such folder", [=] { io::write_npy(missing, x); }, Raises::io, missing + ": there is no folder ", {x}},
      {"write_safetensors: no such folder", [=] { io::write_safetensors(missing, {{{"x", x}}, {}}); },
       Raises::io, missing, {x}},
      {"write_npy: undefined", [=] { io::write_npy(missing, Tensor()); }, Raises::value, "undefined"},
      {"write_safetensors: undefined", [=] { io::write_safetensors(missing, {{{"y", Tensor()}}, {}}); },
       Raises::io, "tensor 'y' is undefined"},
      {"write_safetensors: __metadata__", [=] { io::write_safetensors(missing, {{{"__metadata__", x}}, {}}); },
       Raises::io, "no tensor can be named __metadata__"},
      {"load_tensors: missing", [=] { io::load_tensors("load", {{"a", x}}, {}); },
       Raises::value, "load: nothing was loaded: missing a", {x}},
      {"load_tensors: unexpected", [=] { io::load_tensors("load", {}, {{"b", x}}); },
       Raises::value, "load: nothing was loaded: unexpected b"},
      {"load_tensors: another shape", [=] { io::load_tensors("load", {{"a", x}}, {{"a", ones({3})}}); }, Raises::value,
       "load: nothing was loaded: a has shape [3], expected [2]", {x}},
      {"load_tensors: into an undefined one", [=] { io::load_tensors("load", {{"a", Tensor()}}, {{"a", x}}); }, Raises::value,
       "load: nothing was loaded: a has no tensor to load into", {x}},
      {"load_tensors: undefined", [=] { io::load_tensors("load", {{"a", x}}, {{"a", Tensor()}}); },
       Raises::value, "a is undefined", {x}},
      {"load_tensors: twice", [=] { io::load_tensors("load", {{"a", x}}, {{"a", x}, {"a", x}}); },
       Raises::value, "a is given twice", {x}},
      {"inspect::trace: undefined", [] { inspect::trace(Tensor()); }, Raises::graph, "trace: the tensor is undefined"},
      {"inspect::trace: a constant", [=] { inspect::trace(x); }, Raises::graph, "trace: the tensor is not on the tape"},
      {"a table without rows", [] { Table<int>{"part", {}}.find("x"); }, Raises::value, "unknown part 'x'; there is none yet"},
      {"inspect::dot: undefined", [] { inspect::dot(Tensor()); }, Raises::value, "dot: an undefined tensor has no graph"},
  };
}

TEST_CASE("bad input: files, names and drawings are refused, and the message names them") { check_bad_calls(io_rows()); }
