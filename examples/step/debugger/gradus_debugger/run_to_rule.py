"""The commands `rule` and `step-rule`: run on, and stop at the first line of a backward rule.

Where the engine is about to run a rule, a breakpoint of ours looks at the node. If it is the one that is waited for, the
rule's first line gets a breakpoint of one use. The user's breakpoints are held meanwhile.
"""

import difflib
import re

from . import passes, rules
from .commands import find
from .memory import Complaint, Memory, Node, Unreadable

ENGINE = "gradus::BackwardPass::hand_on"
RECORDED = "gradus::Tensor::set_node"
END = "exit"
ANY = "the next rule"

RULE_HELP = """Run on, and stop at the first line of a backward rule.
  rule        at a stop inside an op: the rule of this very op; inside a backward pass: the next rule
  rule mul    the first rule of an op of this name
  rule y      the rule of the op that made the tensor y
Your breakpoints are disabled until then. If no such rule is run, the program stops before it ends."""

STEP_RULE_HELP = """Run on to the next backward rule, whichever it is: each rule of an op, then those of the next op.
Your breakpoints are disabled until then."""


def no_code(y):
    return f"the rule of {y.node.name}, which made #{y.number}, is zero (nullptr): no code is run for it"


class RuleRun:
    """What is waited for, and the breakpoints for it. A debugger gives `stop_at(function or address, callback)`, which
    returns an object with `remove()` and `disable()`, and calls back with the frame: True stops the program."""

    def __init__(self, debugger, say):
        self.debugger, self.say = debugger, say
        self.wanted = lambda y: False
        self.what, self.mine, self.at_rule, self.enable = "", [], [], lambda: None

    def begin(self, typed):
        """Sets the breakpoints, and says what is waited for; then the program is to run on. `end_of_run` is to be called
        when it has stopped."""
        name = typed.strip()
        if not name and passes.on_stack(self.debugger):
            return self.next_rule()
        wanted = self.wanted_by(name) if name else None
        op = "" if name else self.op_here()
        self.wait()
        if wanted:
            self.what, self.wanted = wanted
        else:
            self.wait_for_this_op(op)
        return self.what

    def next_rule(self):
        """As `begin`, for whichever rule is next."""
        self.wait()
        walk = passes.on_stack(self.debugger)
        if walk and walk.visiting and walk.visiting.kind == "op":  # it may have more rules
            self.plant(walk.visiting)
        return self.what

    def wait(self):
        self.end()
        if not self.debugger.place(ENGINE):
            raise Complaint("the engine has no debug information: build with the preset debug")
        self.what, self.wanted = ANY, lambda y: True
        self.enable = self.debugger.hold()
        self.mine = [self.debugger.stop_at(ENGINE, self.before_a_rule), self.debugger.stop_at(END, self.before_the_end)]

    def end(self):
        for breakpoint in self.mine + self.at_rule:
            breakpoint.remove()
        self.mine, self.at_rule = [], []
        self.end_of_run()

    def end_of_run(self):
        self.enable()
        self.enable = lambda: None

    def wanted_by(self, name):
        """What is waited for, and how to know it."""
        try:
            impl = find(self.debugger, name)
        except Complaint:
            impl = 0
            if not re.fullmatch(r"\w+", name):
                raise
        if not impl:
            self.check_op(name)
            return f"a rule of {name}", lambda y: y.node.name == name
        y = Memory(self.debugger).tensor(impl)
        if y.kind == "freed":
            raise Complaint(f"the op that made {name} is freed: a backward pass has run its rule")
        if y.kind != "op":
            raise Complaint(f"no op made {name}: it has no rule")
        if not any(rules.of_node(y.node).values()):
            raise Complaint(no_code(y))
        return f"the rule of {y.node.name}, which made #{y.number}", lambda other: other.number == y.number

    def check_op(self, name):
        """Where sources can be read, an op that none of them records is not waited for."""
        known = rules.Sources().names(self.debugger.source_files())
        if not known or name in known:
            return
        close = difflib.get_close_matches(name, known, 3, 0.5)
        meant = f"; did you mean {' or '.join(close)}?" if close else ""
        raise Complaint(f"there is no op {name}, and no tensor {name} here{meant}")

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
        raise Complaint("no op is on the stack here: say which rule, as in `rule mul`, or stop in an op first: break gradus::mul")

    def before_a_rule(self, frame):
        memory = Memory(self.debugger)
        try:
            if self.at_rule and self.what != ANY:  # it was run, and none of its rules was asked
                return self.stop(f"{self.what} was not run: none of its gradients is wanted")
            y = memory.tensor(frame.tensor("y"))
            if y.kind == "op" and self.wanted(y) and not self.plant(y) and self.what != ANY:
                return self.stop(no_code(y))
        except Unreadable:
            pass
        return False

    def before_the_end(self, _):
        return self.stop(f"the program is about to end, and {self.what} was not run")

    def plant(self, y):
        """Breakpoints at the rules of an op; False if there is none."""
        for breakpoint in self.at_rule:  # of the op before
            breakpoint.disable()
        places = {rule.function for rule in rules.of_node(y.node).values() if rule}
        name, number = y.node.name, y.number
        self.at_rule = [
            self.debugger.stop_at(function, lambda _: self.stop(f"the rule of {name}, which made #{number}")) for function in places
        ]
        return bool(places)

    def stop(self, text):
        for breakpoint in self.mine + self.at_rule:
            breakpoint.disable()
        self.wanted = lambda y: False
        self.say(text + "\n")
        return True
