"""Backward passes that are on the stack: where they are, and what waits in the engine's map."""

import re
import struct

from .memory import Complaint, Memory, Unreadable

PASS = re.compile(r"(void )?gradus::BackwardPass::(\w+)")
STARTED_BY = re.compile(r"gradus::(backward|grad)(\(|$)")


class Pass:
    """One walk, as it stands at this stop."""

    def __init__(self, memory, address):
        self.memory, self.address = memory, address
        self.outputs, self.visiting, self.gradient = [], None, None
        options = address + memory.debugger.fields("gradus::BackwardPass")["options_"] // 8
        self.oldest = memory.pointer(options + memory.debugger.fields("gradus::BackwardPass::Options")["oldest"] // 8)
        self.waiting = pending(memory, address)  # [(tensor, the sum of the gradients that have reached it)]

    def look(self, frame):
        """Takes from a frame of the pass what it tells."""
        name = {"hand_on": "y", "run": "x"}.get(PASS.match(frame.function)[2])
        if name and self.visiting is None:
            here = dict(frame.tensors())
            if here.get(name) and here.get("gradient"):
                self.visiting, self.gradient = (self.memory.tensor(here[which]) for which in (name, "gradient"))

    def started_by(self, frame):
        first, last = struct.unpack("<2Q", self.memory.debugger.read(frame.address("outputs"), 16))
        handles = range(first, min(last, first + 8 * 1000), 8)
        self.outputs = [self.memory.tensor(self.memory.pointer(handle)) for handle in handles]

    @property
    def left(self):
        """From where to walk over what is left of its tape."""
        return ([self.visiting] if self.visiting else []) + [tensor for tensor, _ in self.waiting]

    def sum_of(self, x):
        return next((gradient for tensor, gradient in self.waiting if tensor.number == x.number), None)

    def gradient_of(self, x):
        """Complete or not."""
        return self.gradient if self.visiting and x.number == self.visiting.number else self.sum_of(x)

    def concerns(self, y):
        """Is y one of its outputs, or what it visits or is to visit, or has its op been freed?"""
        return y.graph_freed or any(y.number == other.number for other in self.outputs + self.left)

    def has_passed(self, y):
        return bool(self.left) and y.number > self.left[0].number


def on_stack(debugger, memory=None):
    """The pass that the selected frame belongs to or was called from; else the outermost of those that it has started;
    None if there is no pass."""
    memory = memory or Memory(debugger)
    selected = {frame.level for frame in debugger.frames()}
    found, current = [], None
    for frame in debugger.stack():  # a pass's own frames, and next to them that of backward or grad
        try:
            if PASS.match(frame.function):
                address = frame.address("this")
                if not found or found[-1][0].address != address:
                    found.append((Pass(memory, address), frame.level in selected))
                current = found[-1][0]
                current.look(frame)
            elif current and STARTED_BY.match(frame.function):
                current.started_by(frame)
                current = None
        except Unreadable:
            pass
    around = [walk for walk, is_around in found if is_around]
    return around[0] if around else found[-1][0] if found else None


def needed(debugger):
    walk = on_stack(debugger)
    if not walk:
        raise Complaint("no backward pass is on the stack: stop in one first, as by `rule mul`")
    return walk


def pending(memory, backward_pass):
    """[(tensor, gradient so far)] of the engine's std::map, in its order."""
    tree = backward_pass + memory.debugger.fields("gradus::BackwardPass")["pending_"] // 8
    found, above, at = [], [], memory.pointer(tree + 16)  # the root; a node is {colour, parent, left, right, value}
    while (above or at) and len(found) < 10000:
        while at:
            above.append(at)
            at = memory.pointer(at + 16)
        at = above.pop()
        _, tensor, gradient = struct.unpack("<3Q", memory.debugger.read(at + 32, 24))
        if tensor and gradient:  # else its first gradient is just being put there
            found.append((memory.tensor(tensor), memory.tensor(gradient)))
        at = memory.pointer(at + 24)
    return found
