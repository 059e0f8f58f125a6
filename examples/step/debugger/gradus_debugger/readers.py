"""The ops that read a tensor, and so send it gradients."""

from . import rules, tape


def called(x, names):
    return f"#{x.number} {names[x.number]}" if x.number in names else f"#{x.number}"


def listed(tensors, names):
    """#7 y, #6 wave and #5"""
    words = [called(x, names) for x in tensors]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


class Reader:
    """An op's input that is the tensor asked about."""

    def __init__(self, y, i, required, reached):
        self.y, self.i, self.required, self.reached = y, i, required, reached
        found = rules.of_node(y.node)
        self.rule = found.get(i, found.get(None))

    def row(self, sources, names, walk=None):
        source = sources.op(self.y.node) or {}
        parameters = source.get("parameters", [])
        as_what = f"as {parameters[self.i]}" if self.i < len(parameters) else f"as input {self.i}"
        place = self.rule and self.rule.place
        return [
            called(self.y, names),
            self.y.node.name,
            as_what,
            rules.gradient_formula(source, self.i),
            self.gives(walk),
            f"{rules.from_top(place[0])}:{place[1]}" if place else "",
        ]

    def gives(self, walk):
        if not self.required:
            return "none: it did not require a gradient when the op was recorded"
        if not self.rule:
            return "none: its rule is zero"
        if not self.reached:
            return "none: no gradient reaches this op"
        if walk and walk.has_passed(self.y):
            return "gave one"
        return "gives one" + (", now" if walk and walk.visiting and self.y.number == walk.visiting.number else "")


def readers_of(x, outputs):
    """The ops that read x, newest first; and the tensors on the way whose ops are freed, so that they cannot be asked."""
    newest_first = [t for t in tape.walk(outputs, tape.inputs_in_memory) if t.number > x.number]
    reached, readers = {y.number for y in outputs}, []
    for y in newest_first:
        if y.kind != "op":
            continue
        zero = {i for i, rule in rules.of_node(y.node).items() if i is not None and rule is None}
        for i, (given, required) in enumerate(y.node.saved()):
            if not given:
                continue
            if given.impl == x.impl:
                readers.append(Reader(y, i, required, y.number in reached))
            if y.number in reached and i not in zero and required:
                reached.add(given.number)
    return readers, [y for y in newest_first if y.kind == "freed"]
