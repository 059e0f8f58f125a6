# For gdb: shows tensors by shape and values, and lets `step` go from line to line of the textbook: over the standard
# library, but not over std::function, which is how a backward rule is called; over handles, shapes and memory.
#
#   gdb -x core/inspect/gdb.py build/debug/bin/ch00_tape
import glob
import gdb
import gdb.printing

for header in glob.glob("/usr/include/c++/*/**/*", recursive=True):
    if not header.endswith(("/std_function.h", "/invoke.h")):
        gdb.execute(f"skip file {header}", to_string=True)
gdb.execute("skip -gfi /usr/include/fmt/*")
gdb.execute("skip -gfi */core/kernels/*")
gdb.execute("skip -gfi */core/tensor/*")
for name in ("Backward", "Node", "Gradient", "Switch", "GradMode"):
    gdb.execute(f"skip -rfu ^gradus::{name}::")
gdb.execute("skip -rfu ^gradus::wants_node[(]")
gdb.execute("skip -rfu ^std::function<.*>::(operator.bool|~?function[(<])")

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
