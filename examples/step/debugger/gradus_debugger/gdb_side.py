"""What the rest needs of gdb."""

import re

import gdb

from .memory import Complaint, Debugger, Unreadable


def flat(type_, start=0):
    """(name, bit) of the fields, those of anonymous unions included."""
    for field in type_.fields():
        if field.name is None:
            yield from flat(field.type, start + field.bitpos)
        elif hasattr(field, "bitpos"):
            yield field.name, start + field.bitpos


def is_reference(type_):
    return type_.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


def bare(type_):
    """Without references, const and typedefs."""
    type_ = type_.strip_typedefs()
    return (type_.target() if is_reference(type_) else type_).strip_typedefs().unqualified()


def is_a(type_, name):
    """Is this class `name`, or derived from it?"""
    type_ = bare(type_)
    if type_.code != gdb.TYPE_CODE_STRUCT:
        return False
    return type_.tag == name or any(field.is_base_class and is_a(field.type, name) for field in type_.fields())


def impl_of(value):
    """The address that a Tensor, or what a pointer points at, holds; None for a value that is no tensor."""
    if is_reference(value.type):
        value = value.referenced_value()
    if bare(value.type).code == gdb.TYPE_CODE_PTR and is_a(bare(value.type).target(), "gradus::Tensor"):
        value = value.dereference()
    return int(value["impl_"]) if is_a(value.type, "gradus::Tensor") else None


def location(function):
    """In gdb's language, of an address or a name."""
    return f"*{function}" if isinstance(function, int) else f"'{function}'"


class Frame:
    def __init__(self, frame):
        self.frame, self.level = frame, frame.level()
        self.function = frame.name() or ""
        sal = frame.find_sal()
        self.file, self.line = (sal.symtab.fullname(), sal.line) if sal.symtab else ("", 0)

    def value(self, name):
        try:
            return self.frame.read_var(name)
        except (gdb.error, ValueError) as error:
            raise Unreadable(str(error)) from None

    def tensor(self, name):
        try:
            return impl_of(self.value(name)) or 0
        except gdb.error as error:
            raise Unreadable(str(error)) from None

    def address(self, name):
        value = self.value(name)
        try:
            return int(value) if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else int(value.address)
        except (gdb.error, TypeError) as error:
            raise Unreadable(str(error)) from None

    def tensors(self):
        try:
            block = self.frame.block()
        except RuntimeError:
            return
        while block and not block.is_global and not block.is_static:
            for symbol in block:
                made = symbol.is_argument or symbol.line < self.line
                if made and (symbol.is_variable or symbol.is_argument) and is_a(symbol.type, "gradus::Tensor"):
                    try:
                        yield symbol.name, impl_of(symbol.value(self.frame))
                    except gdb.error:
                        pass
            block = block.superblock if not block.function else None


def outwards(frame):
    for _ in range(1024):
        if frame is None:
            return
        yield Frame(frame)
        frame = frame.older()


class Breakpoint(gdb.Breakpoint):
    def __init__(self, where, callback):
        super().__init__(location(where), internal=True)
        self.silent, self.callback = True, callback

    def stop(self):
        return self.callback(Frame(gdb.newest_frame()))

    def disable(self):
        self.enabled = False

    def remove(self):
        if self.is_valid():
            self.delete()


def show_frame(event):
    """A breakpoint of ours has no number to be told."""
    if isinstance(event, gdb.BreakpointEvent) and any(isinstance(b, Breakpoint) for b in event.breakpoints):
        gdb.execute("frame")


gdb.events.stop.connect(show_frame)


class Gdb(Debugger):
    def __init__(self):
        self.types, self.places, self.symbols = {}, {}, {}
        for changed in (gdb.events.new_objfile, gdb.events.clear_objfiles):
            changed.connect(lambda _: (self.types.clear(), self.places.clear(), self.symbols.clear()))

    def read(self, address, size):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except (gdb.error, OverflowError, ValueError) as error:
            raise Unreadable(str(error)) from None

    def type(self, name):
        if name not in self.types:
            try:
                type_ = gdb.lookup_type(name)
                self.types[name] = dict(flat(type_)), type_.sizeof, [field.name for field in type_.fields()]
            except gdb.error as error:
                raise Unreadable(str(error)) from None
        return self.types[name]

    def fields(self, type_name):
        return self.type(type_name)[0]

    def size(self, type_name):
        return self.type(type_name)[1]

    def enumerators(self, type_name):
        return [name.rsplit("::", 1)[-1] for name in self.type(type_name)[2]]

    def symbol(self, address):
        if address not in self.symbols:
            said = gdb.execute(f"info symbol {address}", to_string=True)
            said = "" if said.startswith("No symbol") else said
            self.symbols[address] = re.sub(r"( \+ \d+)? in section .*", "", said).strip()
        return self.symbols[address]

    def place(self, function):
        if function not in self.places:
            try:
                found = gdb.decode_line(location(function))[1]
                sal = found[0] if found else None
                self.places[function] = (sal.symtab.fullname(), sal.line, sal.pc) if sal and sal.symtab else None
            except gdb.error:
                self.places[function] = None
        return self.places[function]

    def evaluate(self, expression):
        needs_memory()
        try:
            value = gdb.parse_and_eval(expression)
            impl = impl_of(value)
        except gdb.error as error:
            raise Complaint(str(error)) from None
        if impl is None:
            raise Complaint(f"{expression} is no Tensor but {value.type}")
        return impl

    def frames(self):
        try:
            return outwards(gdb.selected_frame())
        except gdb.error:
            return iter(())

    def stack(self):
        try:
            return outwards(gdb.newest_frame())
        except gdb.error:
            return iter(())

    def source_files(self):
        listed = gdb.execute("info sources", to_string=True)
        return sorted(set(re.findall(r"/[^,\n]+", listed)))

    def hold(self):
        held = [b for b in gdb.breakpoints() if b.enabled and b.visible and not isinstance(b, Breakpoint)]

        def enable(on):
            for breakpoint in held:
                if breakpoint.is_valid():
                    breakpoint.enabled = on

        enable(False)
        return lambda: enable(True)

    def stop_at(self, where, callback):
        return Breakpoint(where, callback)


def needs_memory():
    if gdb.selected_inferior().pid == 0 and gdb.selected_thread() is None:
        raise Complaint("there is no process: run the program first, or load a core")
