# For gdb: shows tensors by shape and values; has the commands tape, why, pending, rule and step-rule; and lets
# `step` go from line to line of the textbook: over the standard library, handles, shapes, memory and options; and through
# std::function, which is how a backward rule is called (`bt` leaves that out), to what it calls.
#
#   gdb -x core/inspect/gdb.py build/debug/bin/ch00_tape        in the tree
#   source <prefix>/share/gradus/gdb.py                         in gdb, or in .gdbinit, where Gradus is installed
import glob
import os
import sys

import gdb

sys.dont_write_bytecode = True  # nothing is left in a tree, or in a prefix
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path += glob.glob("/usr/share/gcc/python")  # where libstdc++'s own printers are, if they are installed
from gradus_debugger import gdb_printers

gdb_printers.load()


def skip(what):
    gdb.execute(f"skip {what}", to_string=True)


CALLS = ("/std_function.h", "/invoke.h")  # where std::function calls what it holds
for header in glob.glob("/usr/include/c++/*/**/*", recursive=True):
    if not header.endswith(CALLS):
        skip(f"file {header}")
for files in ("/usr/include/fmt/*", "check*.h", "check*.cpp", "grad_mode.h", "*/core/kernels/*", "*/core/machine/*", "*/core/options/*",
              "*/core/tensor/*"):
    skip(f"-gfi {files}")
# Checks; and what a rule reads and gives, which is looked at, not stepped through.
for name in ("(.*::)?check_", "(Step|Gradient)::", "Node::(input|saved)[(]"):
    skip(f"-rfu ^gradus::{name}")
skip("-rfu ^std::function<.*>::(operator.bool|~?function[(<])")
skip("-rfu ^std::(_Any_data|_Function_base)::")


def in_call():
    line = gdb.selected_frame().find_sal() if gdb.selected_thread() else None
    return line and line.symtab and line.symtab.filename.endswith(CALLS)


def through_calls():
    """After each `step`: on to the first line that is not std::function's."""
    if in_call():
        while in_call():
            gdb.execute("with suppress-cli-notifications on -- step", to_string=True)
        gdb.execute("frame" if gdb.selected_thread() else "info program")


gdb.execute("define hookpost-step\npython through_calls()\nend")
