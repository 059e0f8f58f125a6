# For gdb: shows tensors by shape and values, and lets `step` go from line to line of the textbook: over the standard
# library, but not over std::function, which is how a backward rule is called; over handles, shapes and memory.
#
#   gdb -x core/inspect/gdb.py build/debug/bin/ch00_tape
import glob
import sys
import gdb
import gdb.printing


def skip(what):
    gdb.execute(f"skip {what}", to_string=True)


for header in glob.glob("/usr/include/c++/*/**/*", recursive=True):
    if not header.endswith(("/std_function.h", "/invoke.h")):
        skip(f"file {header}")
for files in ("/usr/include/fmt/*", "*/core/kernels/*", "*/core/tensor/*"):
    skip(f"-gfi {files}")
for name in ("Backward", "Node", "Gradient", "Switch", "GradMode", ".anonymous.namespace.::Arrival"):
    skip(f"-rfu ^gradus::{name}::")
skip("-rfu ^gradus::(wants_node|grad_enabled|anomaly_enabled)[(]")
skip("-rfu ^std::function<.*>::(operator.bool|~?function[(<])")
skip("-rfu ^std::(_Any_data|_Function_base)::")

ELEMENTS = {"f32": "float", "f64": "double", "i64": "long"}
SHOWN = 6  # values


class TensorPrinter:
    def __init__(self, value):
        self.impl = value["impl_"]

    def to_string(self):
        if not self.impl:
            return "undefined"
        impl = self.impl.dereference()
        shape = impl["shape"]
        sizes = [int(shape["sizes_"]["_M_elems"][i]) for i in range(int(shape["rank_"]))]
        dtype = str(impl["dtype"]).rsplit("::", 1)[-1]
        node = impl["node"].address.cast(gdb.lookup_type("gradus::Node").pointer().pointer()).dereference()
        made_by = f" by {node['name_'].string()}" if node else ""
        return f"#{int(impl['number'])} {dtype} {sizes}{made_by}: {self.values(impl, dtype, sizes)}"

    def values(self, impl, dtype, sizes):
        if dtype not in ELEMENTS:
            return "…"
        count = 1
        for size in sizes:
            count *= size
        first = (impl["storage"] + 1).cast(gdb.lookup_type(ELEMENTS[dtype]).pointer())
        listed = ", ".join(f"{first[i]}" for i in range(min(count, SHOWN)))
        return listed + (", …" if count > SHOWN else "")


printers = gdb.printing.RegexpCollectionPrettyPrinter("gradus")
printers.add_printer("Tensor", "^gradus::Tensor$", TensorPrinter)
gdb.printing.register_pretty_printer(None, printers, replace=True)


# libstdc++ 12 compares a span's extent with an expression that gdb 13 does not read.
def span(self, typename, value):
    extent = value["_M_extent"]
    static = not extent.type.strip_typedefs().fields()
    self.typename, self.val = typename, value
    self.size = value.type.template_argument(1) if static else extent["_M_extent_value"]


sys.path += glob.glob("/usr/share/gcc/python")  # where libstdc++'s own printers are, if they are installed
try:
    import libstdcxx.v6.printers
    libstdcxx.v6.printers.StdSpanPrinter.__init__ = span
except (ImportError, AttributeError):
    pass
