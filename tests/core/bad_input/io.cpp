// Bad calls of io and inspect that need no file of their own: those that do are in core/io.
#include "core/inspect/tape.h"
#include "core/inspect/trace.h"
#include "core/io/named_tensors.h"
#include "core/options/table.h"
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

BadCalls gradus::test::io_rows() {
  const std::string missing = "/no/such/folder/file";
  const Tensor x = ones({2});
  return keeping({x}, {
                          REFUSED(io, io::read_npy(missing), missing),
                          REFUSED(io, io::read_safetensors(missing), missing),
                          REFUSED(io, io::read_npy("/tmp"), "/tmp: not a regular file"),
                          REFUSED(io, io::read_safetensors("/dev/zero"), "/dev/zero: not a regular file"),
                          REFUSED(io, io::read_npy(""), ""),
                          REFUSED(io, io::write_npy(std::string(5000, 'a'), x), "File name too long"),
                          REFUSED(io, io::write_npy(missing, x), missing + ": there is no folder "),
                          REFUSED(io, io::write_safetensors(missing, {{{"x", x}}, {}}), missing),
                          REFUSED(value, io::write_npy(missing, Tensor()), "undefined"),
                          REFUSED(io, io::write_safetensors(missing, {{{"y", Tensor()}}, {}}), "tensor 'y' is undefined"),
                          REFUSED(io, io::write_safetensors(missing, {{{"__metadata__", x}}, {}}), "no tensor can be named __metadata__"),
                          REFUSED(value, io::load_tensors({{"a", x}}, {}, {}, "load"), "load: nothing was loaded: missing a"),
                          REFUSED(value, io::load_tensors({}, {{"b", x}}, {}, "load"), "load: nothing was loaded: unexpected b"),
                          REFUSED(value, io::load_tensors({{"a", x}}, {{"a", ones({3})}}, {}, "load"),
                                  "load: nothing was loaded: a has shape [3], expected [2]"),
                          REFUSED(value, io::load_tensors({{"a", Tensor()}}, {{"a", x}}, {}, "load"),
                                  "load: nothing was loaded: a has no tensor to load into"),
                          REFUSED(value, io::load_tensors({{"a", x}}, {{"a", Tensor()}}, {}, "load"), "a is undefined"),
                          REFUSED(value, io::load_tensors({{"a", x}}, {{"a", x}, {"a", x}}, {}, "load"), "a is given twice"),
                          REFUSED(graph, inspect::trace(Tensor()), "trace: the tensor is undefined"),
                          REFUSED(graph, inspect::trace(x), "trace: the tensor is not on the tape"),
                          REFUSED(value, (Table<int>{"part", {}}.find("x")), "unknown part 'x'; there is none yet"),
                          REFUSED(value, inspect::dot(Tensor()), "dot: an undefined tensor has no graph"),
                      });
}
