"""std::span in gdb, with or without libstdc++'s own printers."""


class SpanPrinter:
    """std::span as libstdc++ shows it, whose own printer needs the name of std::size_t in the program, and else fails."""

    def __init__(self, value):
        extent, self.data = value["_M_extent"], value["_M_ptr"]
        fixed = not extent.type.strip_typedefs().fields()
        self.size = int(value.type.strip_typedefs().template_argument(1) if fixed else extent["_M_extent_value"])

    def to_string(self):
        return f"std::span of length {self.size}"

    def children(self):
        return ((f"[{i}]", (self.data + i).dereference()) for i in range(self.size))

    def display_hint(self):
        return "array"


def prefer_our_span():
    """gdb asks libstdc++'s printers first, as they belong to a file of the program: they get this one."""
    try:
        from libstdcxx.v6 import printers

        printers.libstdcxx_printer.add("std::span", lambda name, value: SpanPrinter(value))
    except (ImportError, AttributeError):
        pass  # there are none
