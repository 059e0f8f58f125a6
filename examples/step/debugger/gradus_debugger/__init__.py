"""Gradus in a debugger: tensors, nodes and the tape, read from the memory of a running program or of a core.

Nothing here calls a function of the program. `gdb_side` and `lldb_side` give what differs between the two debuggers, a
`Debugger` (memory.py); all else is the same for both.
"""
