"""The commands `rule` and `step-rule`: run on, and stop at the first line of a backward rule.

Where the engine is about to run a rule, a breakpoint of ours looks at the node. If it is the one that is waited for, the
rule's first line gets a breakpoint of one use. Another breakpoint may stop the program in between: ours stay.
"""
import re

from . import rules
from .commands import find
from .memory import Complaint, Memory, Node, Unreadable

ENGINE = "gradus::BackwardPass::hand_on"
RECORDED = "gradus::Tensor::set_node"

RULE_HELP = """Run on, and stop at the first line of a backward rule.
  rule        at a stop inside an op: the rule of this very op; inside a backward pass: the next rule
  rule mul    the first rule of an op of this name
  rule y      the rule of the op that made the tensor y"""

STEP_RULE_HELP = "Run on to the next backward rule, whichever it is."


class RuleRun:
    """What is waited for, and the breakpoints for it. A debugger gives `stop_at(function or address, callback)`, which
    returns an object with `remove()` and `disable()`, and calls back with the frame: True stops the program."""

    def __init__(self, debugger, say):
        self.debugger, self.say = debugger, say
        self.wanted = lambda y: False
        self.what, self.mine, self.at_rule = "", [], []

    def begin(self, typed):
        """Sets the breakpoints, and says what is waited for; then the program is to run on."""
        name = typed.strip()
        op = "" if name or self.in_backward() else self.op_here()
        self.next_rule()
        if name:
            self.wait_for(name)
        elif op:
            self.wait_for_this_op(op)
        return self.what

    def in_backward(self):
        return any(frame.function.startswith(ENGINE) for frame in self.debugger.frames())

    def next_rule(self):
        """As `begin`, for whichever rule is next."""
        self.end()
        if not self.debugger.place(ENGINE):
            raise Complaint("the engine has no debug information: build with the preset debug")
        self.what, self.wanted = "the next rule", lambda y: True
        self.mine = [self.debugger.stop_at(ENGINE, self.before_a_rule)]
        return self.what

    def end(self):
        for breakpoint in self.mine + self.at_rule:
            breakpoint.remove()
        self.mine, self.at_rule = [], []

    def wait_for(self, name):
        memory = Memory(self.debugger)
        try:
            impl = find(self.debugger, name)
        except Complaint:
            impl = 0
            if not re.fullmatch(r"\w+", name):
                raise
        if impl:
            y = memory.tensor(impl)
            if y.kind != "op":
                raise Complaint(f"no op made {name}: it has no rule")
            self.what = f"the rule of {y.node.name}, which made #{y.number}"
            self.wanted = lambda other, number=y.number: other.number == number
        else:
            self.what, self.wanted = f"a rule of {name}", lambda y: y.node.name == name

    def wait_for_this_op(self, op):
        """The node that this call makes is known once it is recorded."""
        self.what = f"the rule of this {op}"

        def recorded(frame):
            node = frame.address("node")  # of the unique_ptr
            memory = Memory(self.debugger)
            try:
                if Node(memory, memory.pointer(node)).name == op:
                    y = memory.tensor(memory.pointer(frame.address("this"))).number
                    self.wanted = lambda other: other.number == y
                    self.mine[-1].disable()
            except Unreadable:
                pass
            return False
        self.mine.append(self.debugger.stop_at(RECORDED, recorded))

    def op_here(self):
        """The name of the op whose function is on the stack, innermost first."""
        sources = rules.Sources()
        for frame in self.debugger.frames():
            head = sources.head(frame.file, frame.line) if frame.file else 0
            body = sources.body(frame.file, head)
            found = re.search(r'\b(?:record|record_joint|fused)\("(\w+)"', body)
            if found and not frame.function.startswith("gradus::record"):
                return found[1]
        raise Complaint("no op is on the stack here: say which rule, as in `rule mul`, or stop in an op first: "
                        "break gradus::mul")

    def before_a_rule(self, frame):
        memory = Memory(self.debugger)
        try:
            if self.at_rule:  # it was run, and none of its rules was asked
                self.forget()
                self.say(f"{self.what} was not run: none of its gradients is wanted\n")
                return True
            y = memory.tensor(frame.tensor("y"))
            if y.kind == "op" and self.wanted(y):
                self.plant(y)
        except Unreadable:
            pass
        return False

    def plant(self, y):
        places = {rule.function for rule in rules.of_node(y.node).values() if rule}

        def arrived(_):
            self.forget()
            self.say(f"the rule of {y.node.name}, which made #{y.number}\n")
            return True
        self.at_rule = [self.debugger.stop_at(function, arrived) for function in places]

    def forget(self):
        for breakpoint in self.mine + self.at_rule:
            breakpoint.disable()
        self.wanted = lambda y: False
