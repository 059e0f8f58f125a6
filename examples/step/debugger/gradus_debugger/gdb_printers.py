"""Gradus in gdb: tensors, shapes, nodes and modules in a line each, which an editor unfolds; and the commands."""

import re

import gdb
import gdb.printing
from gdb.FrameDecorator import FrameDecorator

from . import rules, words
from .commands import PENDING_HELP, TAPE_HELP, WHY_HELP, Commands
from .gdb_side import Gdb, bare, impl_of, is_a, is_reference
from .gdb_span import SpanPrinter, prefer_our_span
from .memory import Complaint, Memory, Node, Unreadable
from .run_to_rule import RULE_HELP, STEP_RULE_HELP, RuleRun

DEEPEST = 3  # levels that `print -pretty` unfolds
ELEMENTS = {"f32": "float", "f64": "double", "i64": "long"}
ASCII = (("…", "..."), ("←", "<-"), ("⊙", "*"), ("²", "^2"), ("Σ", "sum"))

debugger = Gdb()


def speakable(text):
    """In the characters of this terminal."""
    charset = gdb.host_charset()
    if charset.upper() != "UTF-8":
        for sign, plain in ASCII:
            text = text.replace(sign, plain)
    return text.encode(charset, "replace").decode(charset)


def in_a_window():
    """Is gdb driven by an editor, which unfolds a value when asked to?"""
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return re.search(rb"\0--?i(nterpreter)?[=\0]mi", file.read()) is not None
    except OSError:
        return False


WINDOW = in_a_window()
BETWEEN = re.compile(r"std::(__invoke|_Function_handler<|function<)")
WRONG = (gdb.error, Unreadable, RuntimeError, ValueError, OverflowError)  # whatever a broken value leads to


class Printer:
    """One line; below it, in an editor or by `print -pretty`, what the value is made of. For a value that can be unfolded
    gdb tells an editor {...} as its line, so that there the line is the first child: a pointer to the value, which cannot be
    unfolded. No name of a child has a space, as VS Code asks for children by unquoted names."""

    level = 0

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return speakable("<optimized out>" if self.value.is_optimized_out else self.text())
        except WRONG:
            return words.UNREADABLE

    def children(self):
        if not WINDOW and (not gdb.print_options()["pretty_structs"] or Printer.level >= DEEPEST):
            return
        Printer.level += 1
        try:
            if WINDOW:
                yield "line", self.pointer()
            yield from self.parts()
        except WRONG:
            pass
        finally:
            Printer.level -= 1


def object_at(type_name, address):
    return gdb.Value(address).cast(gdb.lookup_type(type_name).pointer()).dereference()


def tensor_line(impl):
    return words.tensor(Memory(debugger).tensor(impl)) if impl else "undefined"


class TensorPrinter(Printer):
    def tensor(self):
        impl = int(self.value["impl_"])
        return Memory(debugger).tensor(impl) if impl else None

    def text(self):
        return tensor_line(int(self.value["impl_"]))

    def pointer(self):
        return self.value["impl_"]

    def parts(self):
        x = self.tensor()
        if not x:
            return
        yield "shape", self.value["impl_"]["shape"]
        yield "requires_grad", gdb.Value(x.requires_grad)
        if x.dtype in ELEMENTS and x.numel:
            array = gdb.lookup_type(ELEMENTS[x.dtype]).array(x.numel - 1)
            yield "values", gdb.Value(x.data).cast(array.pointer()).dereference()
        elif x.numel and not WINDOW:  # gdb has no half, and an editor takes a text for an array
            yield "values", ", ".join(f"{v:.6g}" for v in x.elements(200)) + (", …" if x.numel > 200 else "")
        if x.grad:
            yield "grad", object_at("gradus::Tensor", x.grad_handle)
        if x.node:
            yield "node", object_at("gradus::Node", x.node.address)


class Line:
    """A value in a line, without more."""

    def __init__(self, value, text):
        self.value, self.text = value, text

    def to_string(self):
        try:
            return speakable(self.text(self.value))
        except WRONG:
            return words.UNREADABLE


def shape_line(value):
    rank, elements = int(value["rank_"]), value["sizes_"]["_M_elems"]
    return words.shape([int(elements[i]) for i in range(rank)]) if 0 <= rank <= 6 else words.UNREADABLE


def node_line(address):
    return words.node(Node(Memory(debugger), address)) if address else "none"


class NodePrinter(Printer):
    def node(self):
        return Node(Memory(debugger), int(self.value.address))

    def text(self):
        return node_line(int(self.value.address))

    def pointer(self):
        return self.value.address.cast(gdb.lookup_type("gradus::Node").pointer())

    def parts(self):
        node = self.node()
        for i in range(node.count):
            yield f"input_{i}", object_at("gradus::Tensor", node.input_handle(i))
        for i, rule in () if WINDOW else rules.of_node(node).items():
            place = rule and rule.place
            where = f"{rules.from_top(place[0])}:{place[1]}" if place else "unknown" if rule else "none: zero"
            yield "rule" if i is None else f"rule_{i}", where


class ModulePrinter(Printer):
    def fields(self, value=None):
        """What its author declared in the class and its bases."""
        value = self.value if value is None else value
        for field in value.type.strip_typedefs().fields():
            if field.is_base_class:
                yield from self.fields(value[field])
            elif hasattr(field, "bitpos") and not field.name.startswith("_vptr"):
                yield field.name, value[field]

    def text(self):
        fields = dict(self.fields())
        mode = "training" if fields.pop("training_") else "in use"
        own = [
            f"{name} {words.brief(tensor_in(value))}"
            for name, value in fields.items()
            if is_a(value.type, "gradus::Tensor") and int(value["impl_"])
        ]
        return f"{str(bare(self.value.type)).removeprefix('gradus::nn::')} ({mode}){': ' if own else ''}{', '.join(own)}"

    def pointer(self):
        return self.value.address

    def parts(self):
        yield from self.fields()


def tensor_in(value):
    return Memory(debugger).tensor(impl_of(value))


KNOWN = {"gradus::Tensor": TensorPrinter, "gradus::nn::Parameter": TensorPrinter, "gradus::Shape": lambda value: Line(value, shape_line)}
POINTERS = {
    "gradus::Tensor::Impl": lambda value: Line(value, lambda v: tensor_line(int(v))),
    "gradus::Node": lambda value: Line(value, lambda v: node_line(int(v))),
}


def printer_of(value):
    type_ = bare(value.type)
    if type_.code == gdb.TYPE_CODE_PTR:
        found = POINTERS.get(bare(type_.target()).tag)
        return found and found(value)
    if type_.code != gdb.TYPE_CODE_STRUCT:
        return None
    if type_.tag not in KNOWN:
        KNOWN[type_.tag] = (
            NodePrinter
            if is_a(type_, "gradus::Node")
            else ModulePrinter
            if is_a(type_, "gradus::nn::Module")
            else SpanPrinter
            if (type_.tag or "").startswith("std::span<")
            else None
        )
    if KNOWN[type_.tag] is None:
        return None
    return KNOWN[type_.tag](value.referenced_value() if is_reference(value.type) else value)


class Printers(gdb.printing.PrettyPrinter):
    def __call__(self, value):
        try:
            return printer_of(value)
        except WRONG:
            return None


# --- commands -------------------------------------------------------------------------------------------------------


class Command(gdb.Command):
    def __init__(self, name, help_text, completes, answer):
        self.__doc__, self.name, self.answer = speakable(help_text), name, answer
        super().__init__(name, gdb.COMMAND_DATA, completes)

    def invoke(self, typed, from_tty):
        try:
            gdb.write(speakable(self.answer(typed)))
        except Complaint as complaint:
            raise gdb.GdbError(speakable(f"{self.name}: {complaint}")) from None
        except Unreadable as error:
            raise gdb.GdbError(speakable(f"{self.name}: memory cannot be read: {error}")) from None


def tell_where_op_begins(event):
    """GCC 12 says of the copies that record makes of its {a, b} that they are at the op's closing brace."""
    if not isinstance(event, gdb.BreakpointEvent):
        return
    frame = next(debugger.stack())
    sources = rules.Sources()
    if frame.function.startswith("gradus::") and sources.lines(frame.file)[frame.line - 1 : frame.line] == ["}"]:
        line = sources.recorded_at(frame.file, frame.line)
        if line:
            where = f"{rules.from_top(frame.file)}:{line}"
            gdb.write(f"gcc places the copies of an op's inputs at its closing brace; it is recorded at {where}\n")


class Running:
    """The commands that run the program on."""

    def __init__(self):
        self.waiting = RuleRun(debugger, lambda text: gdb.write(speakable(text)))

    def rule(self, typed):
        if not gdb.selected_thread():
            raise Complaint("there is no process to run on: start the program first")
        return self.go(self.waiting.begin(typed))

    def step_rule(self, typed):
        if typed.strip():
            raise Complaint("takes no argument; it runs to the next rule")
        return self.go(self.waiting.next_rule())

    def go(self, what):
        gdb.write(speakable(f"running to {what}\n"))
        try:
            gdb.execute("continue")
        except gdb.error as error:  # a core, or the end
            self.waiting.end()
            raise Complaint(str(error)) from None
        finally:
            self.waiting.end_of_run()
        return ""


class WithoutCalls:
    """For `bt`: leaves out how a std::function calls a rule. `bt -no-filters` shows it."""

    name, priority, enabled = "gradus", 100, True

    def __init__(self):
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (Named(frame) for frame in frames if not BETWEEN.match(frame.inferior_frame().name() or ""))


class Named(FrameDecorator):
    """Without the types of the arguments, as where there is no filter."""

    def function(self):
        return self.inferior_frame().name() or super().function()


def load():
    commands, running = Commands(debugger), Running()
    prefer_our_span()
    gdb.printing.register_pretty_printer(None, Printers("gradus"), replace=True)
    WithoutCalls()
    gdb.events.stop.connect(tell_where_op_begins)
    Command("tape", TAPE_HELP, gdb.COMPLETE_EXPRESSION, commands.tape)
    Command("why", WHY_HELP, gdb.COMPLETE_EXPRESSION, commands.why)
    Command("pending", PENDING_HELP, gdb.COMPLETE_NONE, commands.pending)
    Command("rule", RULE_HELP, gdb.COMPLETE_EXPRESSION, running.rule)
    Command("step-rule", STEP_RULE_HELP, gdb.COMPLETE_NONE, running.step_rule)
