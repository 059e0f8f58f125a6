"""A tensor, a node, a record in words."""

from . import values
from .memory import Unreadable

UNREADABLE = "<unreadable>"


def guarded(describe):
    """Whatever lies in memory, text comes out."""

    def described(*given):
        try:
            return describe(*given)
        except (Unreadable, RecursionError, MemoryError, OverflowError, ValueError):
            return UNREADABLE

    return described


def shape(sizes):
    return f"[{', '.join(map(str, sizes))}]"


def gradient(tensor):
    grad = tensor.grad
    if grad is None:
        return ""
    known = values.recorded(grad)
    return f"grad {values.short(grad.elements(1)[0])}" if grad.numel == 1 else f"|grad| {values.norm(known):.4g}"


@guarded
def tensor(x):
    """#5 f32 [2, 3] by mul: 1, 2, 3, 4, 5, 6"""
    by = {"op": f" by {x.node.name}" if x.kind == "op" else "", "freed": " by a freed op"}.get(x.kind, "")
    state = gradient(x) or ("no gradient yet" if x.kind == "leaf" else "")
    state = ", ".join(filter(None, ["leaf" if x.kind == "leaf" else "", state]))
    return f"#{x.number} {x.dtype} {shape(x.shape)}{by}: {values.shown(x)}{f' ({state})' if state else ''}"


@guarded
def elements(x):
    """1, 2, 3"""
    return values.shown(x)


@guarded
def brief(x):
    """#5 f32 [2, 3]"""
    return f"#{x.number} {x.dtype} {shape(x.shape)}" if x else "absent"


@guarded
def node(node):
    """mul of #1 f32 [2, 3], #2 f32 [3]"""
    return f"{node.name} of {', '.join(map(brief, node.inputs))}"


def plural(count, one, many):
    return f"{count} {one if count == 1 else many}"


def align(rows):
    """Two spaces between columns, the first to the right; a column that is empty in all rows takes none."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    text = ""
    for row in rows:
        cells = [cell.rjust(width) if i == 0 else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths)) if width]
        text += ("  " + "  ".join(cells)).rstrip() + "\n"
    return text


# --- of a record, which has the form of trace.schema.json -----------------------------------------------------------


def after(text, entry):
    return f"{text} {entry['name']}" if entry.get("name") else text


def hashed(entry):
    return after(f"#{entry['number']}", entry)


def single(entry, known):
    """The value of a tensor with one element."""
    all_of_it = known.get("all", [])
    return str(all_of_it[0]) if len(all_of_it) == 1 else ""


def kind(entry):
    return entry["op"] if entry["kind"] == "op" else entry["kind"]


def constant(entry):
    named, value = after("constant", entry), single(entry, entry["values"])
    if value:
        return f"{named} = {value}" if entry.get("name") else value
    return f"{named} {shape(entry['shape'])}"


def inputs(entry, entries):
    if entry["kind"] == "freed":
        return "(inputs freed by backward)"
    listed = []
    for number in entry.get("inputs", []):
        given = entries.get(number)
        if given is None:
            listed += [f"#{number}"] if number else []
        else:
            leaf = " (leaf)" if given["kind"] == "leaf" else ""
            listed.append(constant(given) if given["kind"] == "constant" else hashed(given) + leaf)
    return "← " + ", ".join(listed) if entry["kind"] == "op" else ""


def row(entry, entries, arrived):
    known = arrived.get(entry["number"])
    reached = ""
    if known is not None:
        reached = f"grad {single(entry, known)}" if single(entry, known) else f"|grad| {values.norm(known):.4g}"
    return [
        f"#{entry['number']}",
        entry.get("name", ""),
        kind(entry),
        shape(entry["shape"]),
        entry["dtype"],
        single(entry, entry["values"]),
        reached,
        inputs(entry, entries),
    ]
