"""The commands `tape`, `why` and `pending`, the same in every debugger: from what was typed to the text that is shown."""

import shlex

from . import passes, rules, tape, words
from .memory import Complaint, Memory, Unreadable
from .readers import called, listed, readers_of

LIMIT = 100

TAPE_HELP = """The tape behind a tensor, newest first: what a backward pass from it would visit.
  tape y [--limit N] [--json FILE]   read from memory; with --json, also written as a trace
  tape                               during a backward pass: what is left of its tape, with the gradients so far
  tape --trace FILE [--limit N]      of a trace that a program wrote
Nothing in the program is called or changed."""

WHY_HELP = """Who sends gradients to a tensor: the ops on a tape that read it, each with its formula.
  why x from y    on the tape of y
  why x           on that of the output last used; during a backward pass, in any frame, on what is left of its tape"""

PENDING_HELP = """Where a backward pass is: the tensor whose gradient is complete and is being handed on, and
those that gradients have reached, in the order in which the pass will visit them, each with the sum so far."""


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
        walk = None if "--trace" in options else passes.on_stack(self.debugger)
        if "--trace" in options:
            found = tape.of_file(options["--trace"], limit)
        elif words_typed:
            expression = " ".join(words_typed)
            y = self.tensor(expression, Memory(self.debugger))
            self.output = expression
            if y.kind == "freed" and walk and not any(y.number == other.number for other in walk.left):
                return f"{self.past(walk)}; `tape` shows what is left\n"
            found = tape.of_memory([y], self.names(), self.sources, limit)
        elif walk and walk.left:
            found = tape.of_memory(walk.left, self.names(), self.sources, limit, walk)
        else:
            raise Complaint("of which tensor? Say `tape y`, or `tape --trace FILE`")
        text = found.text()
        if "--json" in options:
            tape.write(options["--json"], found)
            text += f"written to {options['--json']}\n"
        return text

    def pending(self, typed):
        if typed.strip():
            raise Complaint("takes no argument; it tells of the backward pass on the stack")
        walk, names = passes.needed(self.debugger), self.names()
        rows = [
            [called(x, names), x.node.name if x.kind == "op" else x.kind, words.shape(x.shape), x.dtype, words.elements(sum_)]
            for x, sum_ in walk.waiting
        ]
        text = "; ".join(filter(None, [self.at(walk, names), "" if rows else "nothing else waits"])) + "\n"
        return text + ("waiting, in this order, each with its gradient so far:\n" + words.align(rows) if rows else "")

    def at(self, walk, names):
        """What the pass is doing."""
        if not walk.visiting:
            return "the walk is between two tensors"
        by = f" by {walk.visiting.node.name}" if walk.visiting.kind == "op" else ""
        return (
            f"{called(walk.visiting, names)}: its gradient is complete, {words.elements(walk.gradient)}, and is being "
            f"{'handed on' + by if by else 'kept'}"
        )

    def past(self, walk):
        """What it has done. Among tensors freed by now only those that it began with, and those that are variables,
        can be told; and of these, an earlier pass may have freed some."""
        names, memory = self.names(), walk.memory
        begun = [y for y in walk.outputs if walk.has_passed(y)]
        known = {y.number for y in begun}
        newest = max(known, default=0)
        freed = [
            y for y in self.variables(memory) if y.kind == "freed" and walk.has_passed(y) and y.number < newest and y.number not in known
        ]
        text = f"the walk has already visited {listed(begun, names)}" if begun else "the walk has just begun"
        return text + (f"; freed too, by it or by an earlier one: {listed(freed, names)}" if freed else "")

    def variables(self, memory):
        """The tensors of all frames of the stack, newest first."""
        found = {}
        for frame in self.debugger.stack():
            for _, impl in frame.tensors():
                try:
                    x = memory.tensor(impl)
                    found[x.number] = x
                except Unreadable:
                    pass
        return [found[number] for number in sorted(found, reverse=True)]

    def why(self, typed):
        asked, _, given = typed.partition(" from ")
        if not asked.strip():
            raise Complaint("who sends gradients to which tensor? Say `why x`, or `why x from y`")
        memory = Memory(self.debugger)
        x, names, walk = self.tensor(asked.strip(), memory), self.names(), passes.on_stack(self.debugger, memory)
        if not x.requires_grad:
            return f"{called(x, names)} is a constant: no op sends it a gradient\n"
        y = self.tensor(given.strip(), memory) if given else None
        self.output = given.strip() or self.output
        if walk and (not y or walk.concerns(y)):
            return self.why_during(walk, x, names)
        if not self.output:
            raise Complaint("on the tape of which output? Say `why x from y`")
        y = y or self.tensor(self.output, memory)
        readers, freed = readers_of(x, [y])
        whose = called(y, names)
        if readers:
            return (
                f"{called(x, names)} gets gradients on the tape of {whose} from:\n"
                + words.align([reader.row(self.sources, names) for reader in readers])
                + part_freed(freed, names)
            )
        if freed:
            return f"no op on what is left of the tape of {whose} reads {called(x, names)}\n" + part_freed(freed, names)
        return f"no op on the tape of {whose} reads {called(x, names)}: no gradient will reach it\n"

    def why_during(self, walk, x, names):
        """What x has got, and what it still gets."""
        name = called(x, names)
        if walk.visiting and x.number == walk.visiting.number:
            return self.at(walk, names) + "\n"
        sum_ = walk.sum_of(x)
        text = self.past(walk) + "\n" + (self.at(walk, names) + "\n" if walk.visiting else "")
        text += f"{name} has so far: {words.elements(sum_)}\n" if sum_ else ""
        if walk.has_passed(x):
            return text + f"{name} is newer: the walk has passed it, or does not reach it\n"
        if x.number < walk.oldest:
            return text + f"{name} is older than what grad() was asked for: the walk does not reach it\n"
        readers, _ = readers_of(x, walk.left)
        kept = [y for y in walk.outputs if y.kind == "op"]  # by retain_graph: those that have given are there too
        gave = [reader for reader in readers_of(x, kept)[0] if walk.has_passed(reader.y)]
        rows = [reader.row(self.sources, names, walk) for reader in gave + readers]
        if not readers:
            text += f"no op on what is left of the tape reads {name}" + (": its gradient is complete\n" if sum_ else "\n")
        return text + (f"{name} gets gradients from:\n" + words.align(rows) if rows else "")


def part_freed(freed, names):
    return f"part of this tape was freed by an earlier backward: what made {listed(freed, names)}\n" if freed else ""


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
