"""The commands `tape` and `why`, the same in every debugger: from what was typed to the text that is shown."""
import shlex

from . import rules, tape, words
from .memory import Complaint, Memory, Unreadable, pending

LIMIT = 100

TAPE_HELP = """The tape behind a tensor, newest first: what a backward pass from it would visit.
  tape y [--limit N] [--json FILE]   read from memory; with --json, also written as a trace
  tape --trace FILE [--limit N]      of a trace that a program wrote
Nothing in the program is called or changed."""

WHY_HELP = """Who sends gradients to a tensor: the ops on a tape that read it, each with its formula.
  why x from y    on the tape of y
  why x           on that of the output last used; inside a backward pass, on what is left of its tape"""


class Commands:
    def __init__(self, debugger):
        self.debugger, self.sources, self.output = debugger, rules.Sources(), None

    def names(self):
        """{number: name} of the variables in the frames from here outwards."""
        names, memory = {}, Memory(self.debugger)
        for frame in readers_first(self.debugger.frames()):
            for name, impl in frame.tensors():
                try:
                    names.setdefault(memory.tensor(impl).number, name)
                except Unreadable:
                    pass  # not yet made
        return names

    def tensor(self, expression, memory):
        impl = find(self.debugger, expression)
        if not impl:
            raise Complaint(f"{expression} is undefined: no tensor, or a gradient that has not arrived")
        try:
            return memory.tensor(impl)
        except Unreadable:
            raise Complaint(f"{expression} cannot be read: it is not initialised, or was destroyed") from None

    def tape(self, typed):
        words_typed, options = options_of(typed, {"--limit", "--json", "--trace"})
        limit = whole_number(options.get("--limit", str(LIMIT)))
        if "--trace" in options:
            found = tape.of_file(options["--trace"], limit)
        else:
            if not words_typed:
                raise Complaint("of which tensor? Say `tape y`, or `tape --trace FILE`")
            expression = " ".join(words_typed)
            y = self.tensor(expression, Memory(self.debugger))
            self.output = expression
            found = tape.of_memory(y, self.names(), self.sources, limit)
        text = found.text()
        if "--json" in options:
            tape.write(options["--json"], found)
            text += f"written to {options['--json']}\n"
        return text

    def why(self, typed):
        asked, _, given = typed.partition(" from ")
        if not asked.strip():
            raise Complaint("who sends gradients to which tensor? Say `why x`, or `why x from y`")
        memory = Memory(self.debugger)
        x = self.tensor(asked.strip(), memory)
        names = self.names()
        if not x.requires_grad:
            return f"{called(x, names)} is a constant: no op sends it a gradient\n"
        outputs, current = self.outputs(given.strip(), memory)
        readers, blocked = readers_of(x, outputs)
        whose = ", ".join(called(y, names) for y in outputs)
        rows = [reader.row(self.sources, names, current, blocked) for reader in readers]
        if not rows:
            return f"no op on the tape of {whose} reads {called(x, names)}: no gradient will reach it\n"
        return f"{called(x, names)} gets gradients on the tape of {whose} from:\n" + words.align(rows)

    def outputs(self, given, memory):
        """The tensors from which to walk, and the one whose rule is being run."""
        if given:
            self.output = given
            return [self.tensor(given, memory)], None
        for frame in self.debugger.frames():
            if frame.function.startswith("gradus::BackwardPass::hand_on"):
                y = memory.tensor(frame.tensor("y"))
                waiting = [tensor for tensor, _ in pending(memory, frame.address("this"))]
                return [y] + waiting, y
        if not self.output:
            raise Complaint("on the tape of which output? Say `why x from y`")
        return [self.tensor(self.output, memory)], None


def readers_first(frames):
    """The functions of the reader's program before those of the library, each innermost first."""
    return sorted(frames, key=lambda frame: frame.function.startswith(("gradus::", "std::", "operator()")))


def find(debugger, expression):
    """The address of the Impl of an expression here, or else of a variable in a frame around."""
    try:
        return debugger.evaluate(expression)
    except Complaint:
        for frame in readers_first(debugger.frames()):
            for name, impl in frame.tensors():
                if name == expression:
                    return impl
        raise


def called(x, names):
    return f"#{x.number} {names[x.number]}" if x.number in names else f"#{x.number}"


class Reader:
    """An op's input that is the tensor asked about."""

    def __init__(self, y, i, required):
        self.y, self.i, self.required = y, i, required
        found = rules.of_node(y.node)
        self.rule = found.get(i, found.get(None))

    def row(self, sources, names, current, blocked):
        source = sources.op(self.y.node) or {}
        parameters = source.get("parameters", [])
        as_what = f"as {parameters[self.i]}" if self.i < len(parameters) else f"as input {self.i}"
        place = self.rule and self.rule.place
        return [called(self.y, names), self.y.node.name, as_what, rules.gradient_formula(source, self.i),
                self.gives(blocked) + (", now" if current is self.y else ""),
                f"{rules.from_top(place[0])}:{place[1]}" if place else ""]

    def gives(self, blocked):
        if not self.required:
            return "none: it did not require a gradient when the op was recorded"
        if not self.rule:
            return "none: its rule is zero"
        return "none: no gradient reaches this op" if self.y.number in blocked else "gives one"


def readers_of(x, outputs):
    """The ops that read x, newest first; and the numbers of those that no gradient reaches."""
    visited = {}
    for y in outputs:
        visited.update((t.number, t) for t in tape.walk(y, tape.inputs_in_memory) if t.number > x.number)
    newest_first = [visited[number] for number in sorted(visited, reverse=True)]
    reached, readers = {y.number for y in outputs}, []
    for y in newest_first:
        if y.kind != "op":
            continue
        zero = {i for i, rule in rules.of_node(y.node).items() if i is not None and rule is None}
        for i, (given, required) in enumerate(y.node.saved()):
            if not given:
                continue
            if given.impl == x.impl:
                readers.append(Reader(y, i, required))
            if y.number in reached and i not in zero and required:
                reached.add(given.number)
    return readers, set(visited) - reached


def options_of(typed, known):
    """Words, and the values of options."""
    try:
        given = shlex.split(typed, posix=True)
    except ValueError as error:
        raise Complaint(str(error)) from None
    plain, options = [], {}
    while given:
        word = given.pop(0)
        if not word.startswith("--"):
            plain.append(word)
        elif word not in known:
            raise Complaint(f"there is no option {word}; there are {', '.join(sorted(known))}")
        elif not given:
            raise Complaint(f"{word} needs a value")
        else:
            options[word] = given.pop(0)
    return plain, options


def whole_number(text):
    if not text.isdecimal() or int(text) == 0:
        raise Complaint(f"--limit needs a whole number above zero, not {text}")
    return int(text)
