"""The backward rules of a node: which code they are, and what the comments above that code say."""

import re

from .memory import Unreadable

FUNCTION = 32  # bytes of a std::function: 16 of what it holds, its manager, its invoker
CALLED = r"_Function_handler<[^(]*\((.*? const&)\), (.*)>::_M_invoke\("  # with what arguments, which lambda


class Rule:
    """Code that gives the gradient of one input, or of all."""

    def __init__(self, function, place):
        self.function, self.place = function, place  # a demangled name or an address; (file, line, address) or None


def called(memory, function):
    """The lambda that a std::function in memory calls: Rule, or None if it is empty."""
    manager, invoker = (memory.pointer(function + offset) for offset in (16, 24))
    if not manager:
        return None
    found = re.search(CALLED, memory.debugger.symbol(invoker))
    if found:  # of a lambda, its operator()
        name = f"{found[2]}::operator()({found[1]}) const"
        place = memory.debugger.place(name)
        if place:
            return Rule(name, place)
    return Rule(invoker, memory.debugger.place(invoker))


def function_at(memory, address):
    """By its name, if that is its alone: a debugger then passes over the lines that put its arguments in place."""
    name = memory.debugger.symbol(address)
    place = memory.debugger.place(name) if name else None
    if place and address <= place[2] < address + 256:
        return Rule(name, place)
    return Rule(address, memory.debugger.place(address))


def fused_in(node):
    """What a fused op's rule captures, the address of its formula and of its fast path; None for any other op."""
    memory, rule = node.memory, node.address + node.memory.debugger.size("gradus::Node")
    if "JointNode" not in memory.debugger.symbol(node.table):
        return None
    if "gradus::fused(" not in memory.debugger.symbol(memory.pointer(rule + 24)):
        return None
    captured = memory.pointer(rule)
    return captured, memory.pointer(captured + FUNCTION)


def of_node(node):
    """{input: Rule or None}; the key None is a rule for all inputs at once."""
    memory, fields = node.memory, node.address + node.memory.debugger.size("gradus::Node")
    kind = memory.debugger.symbol(node.table)
    one_each = re.search(r"gradus::OpNode<(\d+)", kind)
    if one_each:
        return {i: called(memory, fields + i * FUNCTION) for i in range(int(one_each[1]))}
    fused = fused_in(node)
    if fused:  # the virtual functions of a fast path: ~, ~, forward, backward
        backward = memory.pointer(memory.pointer(fused[1]) + 24)
        return {None: function_at(memory, backward)}
    if "JointNode" in kind:
        return {None: called(memory, fields)}
    backward = memory.pointer(node.table + 16)  # of a node of the reader's own: ~, ~, backward
    return {None: function_at(memory, backward)}


def home_of(node):
    """Where the op is written: the place of its first rule, for a fused op that of its formula."""
    fused = fused_in(node)
    if fused:
        rule = called(node.memory, fused[0])
        return rule.place if rule else None
    return next((rule.place for rule in of_node(node).values() if rule and rule.place), None)


class Sources:
    """What is written at a place. Files that are not there are empty."""

    def __init__(self):
        self.files, self.ops = {}, {}

    def lines(self, file):
        if file not in self.files:
            try:
                with open(file, encoding="utf-8", errors="replace") as text:
                    self.files[file] = text.read().split("\n")
            except OSError:
                self.files[file] = []
        return self.files[file]

    def head(self, file, line):
        """The line at which the function around `line` begins; 0 if the source is not there."""
        lines = self.lines(file)
        at = min(line, len(lines))
        while at > 0 and not re.match(r"[A-Za-z].*\(", lines[at - 1]):
            at -= 1
        return at

    def body(self, file, head):
        lines = self.lines(file)[head - 1 :] if head else []
        if lines and lines[0].rstrip().endswith("}"):
            return lines[0]
        return "\n".join(lines[: lines.index("}") + 1] if "}" in lines else lines)

    def recorded_at(self, file, line):
        """The line of the function around that records an op; 0 if there is none."""
        head = self.head(file, line)
        found = (at for at in range(head, line) if re.search(r"\b(record|record_joint|fused)\(", self.lines(file)[at - 1]))
        return next(found, 0) if head else 0

    def formulas(self, file, head):
        """Those in the comment above a function: y = …, dL/dx = …"""
        lines, above = self.lines(file), []
        while head > 1 and lines[head - 2].startswith("//"):
            head -= 1
            above.insert(0, lines[head - 1].lstrip("/ "))
        parts = [part.strip() for text in above if not text.startswith("#") for part in re.split(r" {3,}", text)]
        return [part for part in parts if re.match(r"(y|dL/d\S+) = ", part)]

    def names(self, files):
        """The names of all ops that these files record: record("mul", …), fused("layer_norm", …), extreme("max", …) where extreme
        records its `op`, {"silu", "SiLU", formula::silu …}, and a node of the reader's own."""
        found = set()
        for file in files:
            if re.match(r"/usr/(include|lib)/|.*/core/kernels/", file):
                continue
            text = "\n".join(self.lines(file))
            makers = r"record|record_joint|fused|Node"
            for helper in re.finditer(r"\b(?:record|record_joint|fused)\((?:name|op),", text):
                head = self.head(file, text.count("\n", 0, helper.start()) + 1)
                own = re.search(r"(\w+)\(", self.lines(file)[head - 1]) if head else None
                makers += f"|{own[1]}" if own else ""
            found.update(re.findall(r'\b(?:%s)\(\s*"(\w+)"' % makers, text))
            found.update(re.findall(r'\{\s*"(\w+)", "\w+", formula::', text))
        return sorted(found)

    def op(self, node):
        """One of `ops` of the schema, or None."""
        if node.name not in self.ops:
            self.ops[node.name] = self._op(node)
        return self.ops[node.name]

    def _op(self, node):
        try:
            home = home_of(node)
        except Unreadable:
            home = None
        head = home and self.head(home[0], home[1])
        if not head:
            return None
        body = self.body(home[0], head)
        given = re.search(r'"%s".*?\{([^{}]*)\}' % re.escape(node.name), body, re.S)
        formulas = self.formulas(home[0], head)
        twin = re.search(r"formula::(\w+)\(", body)
        if twin and not formulas:
            formulas = self._twin(home[0], twin[1]) + self._kernel(node)
        source = {"file": from_top(home[0]), "line": head, "rule_line": home[1], "formulas": formulas, "code": body}
        names = [name.strip() for name in given[1].split(",")] if given else []
        if len(names) == node.count and all(map(str.isidentifier, names)):  # and not the body of a rule
            source["parameters"] = names
        return source

    def _twin(self, file, name):
        """A formula made of ops: what is above it, or what it returns."""
        for at, line in enumerate(self.lines(file), 1):
            if re.match(r"Tensor formula::%s\(" % name, line):
                said = self.formulas(file, at)
                if said:
                    return said
                result = re.search(r"return (.*?);", self.body(file, at), re.S)
                return ["y = " + re.sub(r"\s+", " ", result[1])] if result else []
        return []

    def _kernel(self, node):
        """What is said of gradients in the file of the fast path."""
        place = of_node(node)[None].place
        said = [
            part.strip()
            for line in (self.lines(place[0]) if place else [])
            if line.startswith("//")
            for part in re.split(r" {3,}", line.lstrip("/ "))
        ]
        return [part for part in said if re.match(r"dL/d\S+ = ", part)]


def from_top(file):
    """From the top of the source tree."""
    return re.sub(r".*/(?=(core|nn|optim|examples|tests)/)", "", file)


def gradient_formula(source, i):
    """dL/dx of input i, as the comment has it; else all that is said."""
    formulas, names = source.get("formulas", []), source.get("parameters", [])
    own = [f for f in formulas if i < len(names) and f.startswith(f"dL/d{names[i]} = ")]
    return own[0] if own else "; ".join(f for f in formulas if f.startswith("dL/d")) or "; ".join(formulas)
