"""What the rest needs of lldb."""

import lldb

from .memory import Complaint, Debugger, Unreadable


def bare(type_):
    """Without references, const and typedefs."""
    type_ = type_.GetCanonicalType()
    return (type_.GetDereferencedType() if type_.IsReferenceType() else type_).GetUnqualifiedType()


def is_a(type_, name):
    """Is this class `name`, or derived from it?"""
    type_ = bare(type_)
    bases = (type_.GetDirectBaseClassAtIndex(i).GetType() for i in range(type_.GetNumberOfDirectBaseClasses()))
    return type_.GetName() == name or any(is_a(base, name) for base in bases)


def impl_of(value):
    """The address that a Tensor, or what a pointer points at, holds; None for a value that is no tensor."""
    value = value.GetNonSyntheticValue()
    type_ = bare(value.GetType())
    if type_.IsPointerType() and is_a(type_.GetPointeeType(), "gradus::Tensor"):
        value = value.Dereference().GetNonSyntheticValue()
    if not is_a(value.GetType(), "gradus::Tensor"):
        return None
    impl = value.GetChildMemberWithName("impl_")
    if not impl.IsValid() or impl.GetError().Fail() or impl.GetValue() is None:
        raise Unreadable("optimized out")
    return impl.GetValueAsUnsigned()


class Frame:
    def __init__(self, frame):
        self.frame, self.level = frame, frame.GetFrameID()
        self.function = frame.GetFunctionName() or ""
        entry = frame.GetLineEntry()
        self.file, self.line = (entry.GetFileSpec().fullpath or "", entry.GetLine()) if entry.IsValid() else ("", 0)

    def value(self, name):
        value = self.frame.FindVariable(name)
        if not value.IsValid() or value.GetError().Fail():
            raise Unreadable(f"no {name} here")
        return value.GetNonSyntheticValue()

    def tensor(self, name):
        return impl_of(self.value(name)) or 0

    def address(self, name):
        value = self.value(name)
        is_address = value.GetType().IsPointerType() or value.GetType().IsReferenceType()
        return value.GetValueAsUnsigned() if is_address else value.GetLoadAddress()

    def tensors(self):
        for value in self.frame.GetVariables(True, True, False, True):
            made = value.GetValueType() == lldb.eValueTypeVariableArgument or value.GetDeclaration().GetLine() < self.line
            if made and is_a(value.GetType(), "gradus::Tensor"):
                try:
                    yield value.GetName(), impl_of(value)
                except Unreadable:
                    pass


class Breakpoint:
    called = {}  # by number
    NAME = "gradus"  # what is called when one is hit belongs to this name: lldb 19 cannot set that from within such a call

    def __init__(self, breakpoint, callback):
        self.breakpoint = breakpoint
        Breakpoint.called[breakpoint.GetID()] = callback
        breakpoint.AddName(Breakpoint.NAME)

    def disable(self):
        self.breakpoint.SetEnabled(False)

    def remove(self):
        Breakpoint.called.pop(self.breakpoint.GetID(), None)
        self.breakpoint.GetTarget().BreakpointDelete(self.breakpoint.GetID())


def hit(frame, location, _):
    callback = Breakpoint.called.get(location.GetBreakpoint().GetID())
    return callback is None or callback(Frame(frame))


class Lldb(Debugger):
    def __init__(self, debugger):
        self.debugger, self.known, self.of = debugger, {}, None

    @property
    def target(self):
        return self.debugger.GetSelectedTarget()

    def process(self):
        process = self.target.GetProcess()
        if not process.IsValid() or process.GetState() not in (lldb.eStateStopped, lldb.eStateSuspended, lldb.eStateCrashed):
            raise Complaint("there is no process: run the program first, or load a core")
        return process

    def read(self, address, size):
        error = lldb.SBError()
        data = self.target.GetProcess().ReadMemory(address, size, error)
        if error.Fail() or data is None or len(data) != size:
            raise Unreadable(error.GetCString() or "no such memory")
        return data

    def once(self, kind, what, find):
        """What is known of a target stays known."""
        identity = (self.target.GetExecutable().fullpath, self.target.GetProcess().GetUniqueID())
        if self.of != identity:
            self.known, self.of = {}, identity
        if (kind, what) not in self.known:
            self.known[kind, what] = find()
        return self.known[kind, what]

    def type(self, name):
        named = name.rsplit("::", 1)[-1]  # FindFirstType(name) would give up at the first with this last part
        found = self.once("type", name, lambda: next((t for t in self.target.FindTypes(named) if t.GetName() == name), None))
        if not found:
            raise Unreadable(f"no type {name}")
        return found

    def element(self, name):
        basic = {"float": lldb.eBasicTypeFloat, "double": lldb.eBasicTypeDouble, "long": lldb.eBasicTypeLong}
        return self.target.GetBasicType(basic[name])

    def fields(self, type_name):
        return self.once("fields", type_name, lambda: dict(self.flat(self.type(type_name), 0)))

    def flat(self, type_, start):
        for i in range(type_.GetNumberOfFields()):
            field = type_.GetFieldAtIndex(i)
            if field.GetName():
                yield field.GetName(), start + field.GetOffsetInBits()
            else:
                yield from self.flat(field.GetType(), start + field.GetOffsetInBits())

    def size(self, type_name):
        return self.type(type_name).GetByteSize()

    def enumerators(self, type_name):
        return self.once("names", type_name, lambda: [member.GetName() for member in self.type(type_name).GetEnumMembers()])

    def symbol(self, address):
        return self.once("symbol", address, lambda: self.target.ResolveLoadAddress(address).GetSymbol().GetName() or "")

    def place(self, function):
        return self.once("place", function, lambda: self.find_place(function))

    def find_place(self, function):
        if isinstance(function, int):
            address = self.target.ResolveLoadAddress(function)
            symbol = address.GetSymbol()
        else:
            found = self.target.FindSymbols(function)  # with its arguments …
            found = found if found.GetSize() else self.target.FindFunctions(function)  # … or without
            symbol = found.GetContextAtIndex(0).GetSymbol() if found.GetSize() else lldb.SBSymbol()
            address = symbol.GetStartAddress()
        if not address.IsValid():
            return None
        if address == symbol.GetStartAddress():
            address.OffsetAddress(symbol.GetPrologueByteSize())
        line = address.GetLineEntry()
        return (line.GetFileSpec().fullpath, line.GetLine(), address.GetLoadAddress(self.target)) if line.IsValid() else None

    def selected(self):
        return self.process().GetSelectedThread().GetSelectedFrame()

    def evaluate(self, expression):
        value = self.selected().GetValueForVariablePath(expression)
        if not value.IsValid() or value.GetError().Fail():
            raise Complaint(f"there is no variable {expression} here")
        try:
            impl = impl_of(value)
        except Unreadable as error:
            raise Complaint(f"{expression} cannot be read: {error}") from None
        if impl is None:
            raise Complaint(f"{expression} is no Tensor but {value.GetType().GetName()}")
        return impl

    def frames(self):
        return self.outwards(self.process().GetSelectedThread().GetSelectedFrame().GetFrameID())

    def stack(self):
        return self.outwards(0)

    def outwards(self, first):
        thread = self.process().GetSelectedThread()
        for i in range(first, min(first + 1024, thread.GetNumFrames())):
            yield Frame(thread.GetFrameAtIndex(i))

    def source_files(self):
        program = self.target.FindModule(self.target.GetExecutable())
        modules = [program] + [m for m in self.target.module_iter() if "gradus" in (m.GetFileSpec().basename or "")]
        units = [unit for module in modules for unit in module.compile_unit_iter()]
        files = [unit.GetSupportFileAtIndex(i) for unit in units for i in range(unit.GetNumSupportFiles())]
        return sorted({file.fullpath or "" for file in files if (file.basename or "").endswith(".cpp")})

    def run_on(self):
        """Until the program stops."""
        waits = self.debugger.GetAsync()
        self.debugger.SetAsync(False)
        try:
            self.debugger.HandleCommand("process continue")
        finally:
            self.debugger.SetAsync(waits)

    def hold(self):
        held = [b for b in self.target.breakpoint_iter() if b.IsEnabled() and b.GetID() not in Breakpoint.called]

        def enable(on):
            for breakpoint in held:
                if breakpoint.IsValid():
                    breakpoint.SetEnabled(on)

        enable(False)
        return lambda: enable(True)

    def name_breakpoints(self):
        name = lldb.SBBreakpointName(self.target, Breakpoint.NAME)
        name.SetScriptCallbackFunction("gradus_lldb.hit")
        return name

    def stop_at(self, where, callback):
        self.once("name", Breakpoint.NAME, self.name_breakpoints)
        place = self.place(where)
        return Breakpoint(self.target.BreakpointCreateByAddress(place[2]) if place else self.target.BreakpointCreateByName(where), callback)
