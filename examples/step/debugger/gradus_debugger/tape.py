"""The tape behind a tensor: walked without recursion, written down in the form of trace.schema.json, and told from that."""

import heapq
import json

from . import values, words
from .memory import Complaint

VERSION = 1


def walk(starts, inputs_of):
    """What a backward pass visits, in the engine's order: of all tensors found, the newest is next. `inputs_of` gives
    those of a tensor that require a gradient; tensors have a number."""
    pending, known, visited = [(-start.number, id(start), start) for start in starts], {x.number for x in starts}, []
    heapq.heapify(pending)
    while pending:
        x = heapq.heappop(pending)[2]
        visited.append(x)
        for given in inputs_of(x):
            if given.number not in known:
                known.add(given.number)
                heapq.heappush(pending, (-given.number, id(given), given))
    return visited


def inputs_in_memory(x):
    return [given for given in x.node.inputs if given and given.requires_grad] if x.kind == "op" else []


class Entry:
    """A tensor of a record, as `walk` sees it."""

    def __init__(self, fields):
        self.number, self.fields = fields["number"], fields


def inputs_in_record(entries):
    return lambda x: [Entry(entries[n]) for n in x.fields.get("inputs", []) if n in entries and entries[n]["kind"] != "constant"]


def entry(x, name):
    """One of `tensors` of the schema."""
    fields = {"number": x.number, "kind": x.kind, "dtype": x.dtype, "shape": x.shape, "values": values.recorded(x)}
    if name:
        fields["name"] = name
    if x.kind == "op":
        fields["op"] = x.node.name
        fields["inputs"] = [given.number if given else 0 for given in x.node.inputs]
    if x.requires_grad:
        fields["requires_grad"] = True
    return fields


class Tape:
    """A record, how much of a tape it holds, and where that begins."""

    def __init__(self, record, shown, ops, leaves, left_of=None):
        self.record, self.shown, self.ops, self.leaves, self.left_of = record, shown, ops, leaves, left_of
        self.entries = {fields["number"]: fields for fields in record["tensors"]}

    def of_what(self):
        if self.left_of is not None:
            return f"what is left of the tape of {', '.join(map(words.hashed, self.left_of)) or 'a backward pass'}"
        return f"tape of {words.hashed(self.entries[self.record['outputs'][0]])}"

    def text(self):
        y = self.entries[self.record["outputs"][0]]
        what = f"{words.hashed(y)} ({words.shape(y['shape'])} {y['dtype']})"
        nothing = {
            "constant": f"{what} is a constant: nothing is on the tape\n",
            "leaf": f"{what} is a leaf: no op made it\n",
            "freed": f"the tape of {what} was freed by an earlier backward; call backward({{loss}}, {{}}, true) to keep it\n",
        }
        if self.left_of is None and y["kind"] in nothing:
            return nothing[y["kind"]]
        arrived = {visit["tensor"]: visit["gradient"] for visit in self.record["walk"]}
        rows = [words.row(self.entries[number], self.entries, arrived) for number in self.shown]
        hidden = self.ops + self.leaves - len(rows)
        return (
            f"{self.of_what()}: {words.plural(self.ops, 'op', 'ops')}, "
            f"{words.plural(self.leaves, 'leaf', 'leaves')}, newest first\n{words.align(rows)}"
            + (f"  … and {hidden} more\n" if hidden else "")
        )


def of_memory(outputs, names, sources, limit, backward_pass=None):
    """The newest `limit` tensors of the tape of some, with the constants that they read; of what is left of the tape of a
    backward pass, with the gradients so far instead of those in the tensors."""
    visited = walk(outputs, inputs_in_memory)
    gradient_of = backward_pass.gradient_of if backward_pass else lambda x: x.grad
    shown, ops = visited[:limit], sum(1 for x in visited if x.kind != "leaf")
    kept = {x.number: x for x in shown}
    for x in shown:
        for given in x.node.inputs if x.kind == "op" else []:
            if given:
                kept.setdefault(given.number, given)
    record = {
        "gradus_trace": VERSION,
        "title": "read by a debugger",
        "outputs": [y.number for y in outputs],
        "tensors": [entry(kept[number], names.get(number)) for number in sorted(kept)],
        "seeds": [],
        "walk": [{"tensor": x.number, "gradient": values.recorded(gradient_of(x))} for x in shown if gradient_of(x)],
        "modules": [],
        "ops": {},
        "notes": [
            "no walk was recorded: the gradients are those that " + ("have arrived so far" if backward_pass else "lie in their tensors")
        ],
    }
    for x in shown:
        if x.kind == "op" and x.node.name not in record["ops"]:
            source = sources.op(x.node)
            if source:
                record["ops"][x.node.name] = source
    for x in kept.values():
        if x.numel > values.STATISTICS:
            record["notes"].append(f"#{x.number}: what is said of it is of its first {values.STATISTICS} elements")
    if len(visited) > len(shown):
        record["notes"].append(f"left out: {len(visited) - len(shown)} older tensors")
    left_of = [entry(y, names.get(y.number)) for y in backward_pass.outputs] if backward_pass else None
    return Tape(record, [x.number for x in shown], ops, len(visited) - ops, left_of)


def of_file(path, limit):
    """The tape in a trace that a program wrote."""
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        if record["gradus_trace"] != VERSION:
            raise Complaint(f"{path} is a trace of version {record['gradus_trace']}; this reads version {VERSION}")
        entries = {fields["number"]: fields for fields in record["tensors"]}
        visited = walk([Entry(entries[record["outputs"][0]])], inputs_in_record(entries))
        ops = sum(1 for x in visited if x.fields["kind"] != "leaf")
        return Tape(record, [x.number for x in visited[:limit]], ops, len(visited) - ops)
    except OSError as error:
        raise Complaint(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, IndexError, TypeError):
        raise Complaint(f"{path} is not a trace") from None


def write(path, tape):
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(tape.record, file, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            file.write("\n")
    except OSError as error:
        raise Complaint(f"cannot write {path}: {error.strerror}") from None
