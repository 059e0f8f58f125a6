"""Tensors and nodes as they lie in memory: 64 bits, little-endian, libstdc++. Offsets come from the debug information."""

import struct

MAX_RANK = 6
FORMATS = {"f32": "f", "f64": "d", "f16": "e", "i64": "q"}
SIZES = {"f32": 4, "f64": 8, "f16": 2, "i64": 8}


class Unreadable(Exception):
    """There is no such memory, or what lies there is no tensor."""


class Complaint(Exception):
    """What the user of a command is to be told."""


class Debugger:
    """What a debugger must be able to do."""

    def read(self, address, size):
        """Bytes; Unreadable if there are none."""
        raise NotImplementedError

    def fields(self, type_name):
        """{field: bits from the start of the object}, those of anonymous unions included; Unreadable without the type."""
        raise NotImplementedError

    def size(self, type_name):
        raise NotImplementedError

    def enumerators(self, type_name):
        """Names, in the order of their values."""
        raise NotImplementedError

    def symbol(self, address):
        """The demangled name of the function or object there, or ""."""
        raise NotImplementedError

    def place(self, function):
        """(file, line, address) of a function's first line, given its demangled name or its address; None if unknown."""
        raise NotImplementedError

    def evaluate(self, expression):
        """The address of the Tensor::Impl of an expression of the program, 0 if undefined; Complaint if it is no tensor."""
        raise NotImplementedError

    def frames(self):
        """From the selected frame outwards: objects with level, function, file, line, `tensors()`, the (name, address of
        the Impl) of its variables, `tensor(name)`, and `address(name)` of what a variable or a reference is."""
        raise NotImplementedError

    def stack(self):
        """As `frames`, from the innermost."""
        raise NotImplementedError

    def source_files(self):
        """The paths of the files that the program was made of, as far as its debug information tells."""
        raise NotImplementedError

    def hold(self):
        """Disables the user's breakpoints, and returns what enables them again."""
        raise NotImplementedError


class Block:
    """An object of the program, copied whole."""

    def __init__(self, debugger, type_name, address):
        self.address, self.fields = address, debugger.fields(type_name)
        self.bytes = debugger.read(address, debugger.size(type_name))

    def at(self, field):
        return self.address + self.fields[field] // 8

    def get(self, field, kind):
        return struct.unpack_from("<" + kind, self.bytes, self.fields[field] // 8)[0]

    def bit(self, field):
        return bool(self.bytes[self.fields[field] // 8] >> self.fields[field] % 8 & 1)


class Memory:
    """What is read between two changes of the program; each tensor once."""

    def __init__(self, debugger):
        self.debugger, self.tensors, self.names = debugger, {}, {}

    def tensor(self, impl):
        if impl not in self.tensors:
            self.tensors[impl] = Tensor(self, impl)
        return self.tensors[impl]

    def pointer(self, address):
        return struct.unpack("<Q", self.debugger.read(address, 8))[0]

    def text(self, address):
        """The string literal there."""
        if address not in self.names:
            text = b""
            while b"\0" not in text and len(text) < 256:
                text += self.debugger.read(address + len(text), 1 if (address + len(text)) % 16 else 16)
            self.names[address] = text.split(b"\0")[0].decode("utf-8", "replace")
        return self.names[address]


class Tensor:
    def __init__(self, memory, impl):
        block = Block(memory.debugger, "gradus::Tensor::Impl", impl)
        dtypes = memory.debugger.enumerators("gradus::DType")
        shape = block.fields["shape"] // 8
        offsets = memory.debugger.fields("gradus::Shape")
        rank = struct.unpack_from("<i", block.bytes, shape + offsets["rank_"] // 8)[0]
        dtype = block.get("dtype", "B")
        if not (0 <= rank <= MAX_RANK and dtype < len(dtypes) and 0 < block.get("references", "I") < 1 << 31):
            raise Unreadable("no tensor lies here")
        self.memory, self.impl = memory, impl
        self.shape = list(struct.unpack_from(f"<{rank}q", block.bytes, shape + offsets["sizes_"] // 8))
        self.dtype = dtypes[dtype]
        self.number = block.get("number", "Q")
        self.requires_grad, self.graph_freed = block.bit("requires_grad"), block.bit("graph_freed")
        self._storage, self._node, self._rare = (block.get(field, "Q") for field in ("storage", "node", "rare"))
        self.numel = 1
        for size in self.shape:
            self.numel *= size
        storage = Block(memory.debugger, "gradus::Storage", self._storage)
        self.data = self._storage + memory.debugger.size("gradus::Storage")
        if min(self.shape, default=0) < 0 or self.numel * SIZES[self.dtype] > storage.get("bytes_", "Q"):
            raise Unreadable("no tensor lies here")

    def elements(self, most):
        """The first of them, as numbers."""
        count = min(self.numel, most)
        data = self.memory.debugger.read(self.data, count * SIZES[self.dtype]) if count else b""
        return list(struct.unpack(f"<{count}{FORMATS[self.dtype]}", data))

    @property
    def node(self):
        return Node(self.memory, self._node) if self._node else None

    @property
    def kind(self):
        return "op" if self._node else "freed" if self.graph_freed else "leaf" if self.requires_grad else "constant"

    @property
    def grad_handle(self):
        """The address of the Tensor that is the gradient, or 0."""
        rare = Block(self.memory.debugger, "gradus::Tensor::Rare", self._rare) if self._rare else None
        return rare.at("grad") if rare and rare.get("grad", "Q") else 0

    @property
    def grad(self):
        impl = self.memory.pointer(self.grad_handle) if self.grad_handle else 0
        return self.memory.tensor(impl) if impl else None


class Node:
    def __init__(self, memory, address):
        block = Block(memory.debugger, "gradus::Node", address)
        self.memory, self.address = memory, address
        self.table = struct.unpack_from("<Q", block.bytes)[0]  # of virtual functions
        if not memory.debugger.symbol(self.table).startswith("vtable for "):
            raise Unreadable("no node lies here")
        self.name = memory.text(block.get("name_", "Q"))
        self.count = block.get("input_count_", "I") & 0x7FFFFFFF  # the highest bit is running_
        self._inputs = block.get("many_", "Q") or block.at("two_")

    def input_handle(self, i):
        """The address of the Tensor that is input i."""
        saved = self.memory.debugger
        return self._inputs + i * saved.size("gradus::Node::Saved") + saved.fields("gradus::Node::Saved")["tensor"] // 8

    @property
    def inputs(self):
        """Each a tensor, or None where the op was given none."""
        return [tensor for tensor, _ in self.saved()]

    def saved(self):
        """(tensor or None, did it require a gradient when the op was recorded?) for each input."""
        fields, size = (ask("gradus::Node::Saved") for ask in (self.memory.debugger.fields, self.memory.debugger.size))
        data = self.memory.debugger.read(self._inputs, size * self.count) if self.count else b""
        found = []
        for i in range(self.count):
            impl = struct.unpack_from("<Q", data, i * size + fields["tensor"] // 8)[0]
            required = data[i * size + fields["required_grad"] // 8] != 0
            found.append((self.memory.tensor(impl) if impl else None, required))
        return found
