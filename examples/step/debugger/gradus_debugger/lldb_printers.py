"""Gradus in lldb: tensors, shapes, nodes and modules in a line each, with what they are made of; and the commands."""

from . import rules, words
from .commands import PENDING_HELP, TAPE_HELP, WHY_HELP, Commands
from .lldb_side import Lldb, bare, hit, impl_of, is_a
from .memory import Complaint, Memory, Node, Unreadable
from .run_to_rule import RULE_HELP, STEP_RULE_HELP, RuleRun

__all__ = [
    "__lldb_init_module",
    "hit",
    "tensor_line",
    "shape_line",
    "node_line",
    "module_line",
    "TensorParts",
    "NodeParts",
    "Tape",
    "Why",
    "Pending",
    "Rule",
    "StepRule",
]

CATEGORY = "gradus"
LINES = {
    "tensor_line": "^gradus::(Tensor|nn::Parameter)$",
    "shape_line": "^gradus::Shape$",
    "node_line": r"^gradus::(\(anonymous namespace\)::)?[A-Za-z]*Node(<.*>)?$",
}
PARTS = {"TensorParts": LINES["tensor_line"], "NodeParts": LINES["node_line"]}
ELEMENTS = {"f32": "float", "f64": "double", "i64": "long"}


class Session:
    """One lldb, and what its commands remember."""

    debugger = commands = run = None


def guarded(line):
    def shown(value, _):
        try:
            return line(value.GetNonSyntheticValue())
        except (Unreadable, Complaint, RuntimeError, ValueError, OverflowError, TypeError):
            return words.UNREADABLE

    return shown


@guarded
def tensor_line(value):
    impl = impl_of(value)
    return words.tensor(Memory(Session.debugger).tensor(impl)) if impl else "undefined"


@guarded
def shape_line(value):
    rank = value.GetChildMemberWithName("rank_").GetValueAsUnsigned()
    if rank > 6:
        return words.UNREADABLE
    sizes = value.GetChildMemberWithName("sizes_").GetChildMemberWithName("_M_elems")
    return words.shape([sizes.GetChildAtIndex(i).GetValueAsSigned() for i in range(rank)])


def node_at(value):
    address = value.GetValueAsUnsigned() if value.GetType().IsPointerType() else value.GetLoadAddress()
    return Node(Memory(Session.debugger), address)


@guarded
def node_line(value):
    return words.node(node_at(value))


@guarded
def module_line(value):
    """lldb 14 chooses by name, so that options come here too; they are shown as ever."""
    if not is_a(value.GetType(), "gradus::nn::Module"):
        return ""
    own, mode = [], "in use"
    for name, field in fields_of(value):
        if name == "training_":
            mode = "training" if field.GetValueAsUnsigned() else "in use"
        elif is_a(field.GetType(), "gradus::Tensor") and impl_of(field):
            own.append(f"{name} {words.brief(Memory(Session.debugger).tensor(impl_of(field)))}")
    name = bare(value.GetType()).GetName().removeprefix("gradus::nn::")
    return f"{name} ({mode}){': ' if own else ''}{', '.join(own)}"


def fields_of(value):
    """The fields of the class and its bases."""
    type_ = bare(value.GetType())
    bases = type_.GetNumberOfDirectBaseClasses()
    for i in range(value.GetNumChildren()):
        child = value.GetChildAtIndex(i).GetNonSyntheticValue()
        if i < bases:
            yield from fields_of(child)
        else:
            yield child.GetName(), child


class Parts:
    """The children of a value; a list of functions that make them."""

    def __init__(self, value, _):
        self.value, self.made = value.GetNonSyntheticValue(), []

    def update(self):
        try:
            self.made = list(self.parts())
        except (Unreadable, Complaint, RuntimeError, ValueError, OverflowError):
            self.made = []
        return False

    def num_children(self):
        return len(self.made)

    def get_child_index(self, name):
        return next((i for i, (known, _, _) in enumerate(self.made) if known == name), -1)

    def get_child_at_index(self, i):
        if not 0 <= i < len(self.made):
            return None
        name, address, type_ = self.made[i]
        return self.value.CreateValueFromAddress(name, address, type_)

    def has_children(self):
        return True


class TensorParts(Parts):
    def parts(self):
        impl = impl_of(self.value)
        if not impl:
            return
        session = Session.debugger
        x = Memory(session).tensor(impl)
        yield "shape", impl + session.fields("gradus::Tensor::Impl")["shape"] // 8, session.type("gradus::Shape")
        if x.dtype in ELEMENTS and x.numel:
            yield "values", x.data, session.element(ELEMENTS[x.dtype]).GetArrayType(x.numel)
        if x.grad:
            yield "grad", x.grad_handle, session.type("gradus::Tensor")
        if x.node:
            yield "node", x.node.address, session.type("gradus::Node")


class NodeParts(Parts):
    def parts(self):
        node = node_at(self.value)
        for i in range(node.count):
            yield f"input_{i}", node.input_handle(i), Session.debugger.type("gradus::Tensor")


# --- commands -------------------------------------------------------------------------------------------------------


class Command:
    def __init__(self, debugger, _):
        pass

    def get_short_help(self):
        return self.help.split("\n", 1)[0]

    def get_long_help(self):
        return self.help

    def __call__(self, debugger, typed, context, result):
        try:
            result.AppendMessage(self.answer(typed).rstrip("\n"))
        except Complaint as complaint:
            result.SetError(f"{self.name}: {complaint}")
        except Unreadable as error:
            result.SetError(f"{self.name}: memory cannot be read: {error}")


class Tape(Command):
    name, help = "tape", TAPE_HELP

    def answer(self, typed):
        return Session.commands.tape(typed)


class Why(Command):
    name, help = "why", WHY_HELP

    def answer(self, typed):
        return Session.commands.why(typed)


class Pending(Command):
    name, help = "pending", PENDING_HELP

    def answer(self, typed):
        return Session.commands.pending(typed)


class Rule(Command):
    name, help = "rule", RULE_HELP

    def begin(self, typed):
        return Session.run.begin(typed)

    def answer(self, typed):
        Session.debugger.process()
        print(f"running to {self.begin(typed)}")
        Session.debugger.run_on()
        Session.run.end_of_run()
        return ""


class StepRule(Rule):
    name, help = "step-rule", STEP_RULE_HELP

    def begin(self, typed):
        if typed.strip():
            raise Complaint("takes no argument; it runs to the next rule")
        return Session.run.next_rule()


def __lldb_init_module(debugger, _):
    Session.debugger = Lldb(debugger)
    Session.commands, Session.run = Commands(Session.debugger), RuleRun(Session.debugger, lambda text: print(text, end=""))
    for function, types in LINES.items():
        debugger.HandleCommand(f"type summary add -w {CATEGORY} -F gradus_lldb.{function} -x '{types}'")
    modules = "^gradus::nn::[A-Z][A-Za-z0-9_]*$"
    debugger.HandleCommand(f"type summary add -e -w {CATEGORY} -F gradus_lldb.module_line -x '{modules}'")
    for class_, types in PARTS.items():
        debugger.HandleCommand(f"type synthetic add -w {CATEGORY} -l gradus_lldb.{class_} -x '{types}'")
    debugger.HandleCommand(f"type category enable {CATEGORY}")
    for command in (Tape, Why, Pending, Rule, StepRule):
        debugger.HandleCommand(f"command script add -c gradus_lldb.{command.__name__} {command.name}")
