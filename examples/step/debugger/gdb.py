# For gdb: shows tensors by shape and values; has the commands tape, why, pending, rule and step-rule; and lets
# `step` go from line to line of the textbook: over the standard library, handles, shapes, memory and options; through
# std::function, which is how a backward rule is called (`bt` leaves that out), to what it calls; and past closing braces.
#
#   gdb -x examples/step/debugger/gdb.py build/debug/bin/ch00_tape        in the tree
#   source <prefix>/share/gradus/gdb.py                         in gdb, or in .gdbinit, where Gradus is installed
import glob
import linecache
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
for folder in ("/usr/include/fmt", "*/core/kernels", "*/core/machine", "*/core/options", "*/core/tensor"):
    skip(f"-gfi {folder}/*")
for file in ("check*.h", "check*.cpp", "grad_mode.h", "w_*.c"):  # the last: libm's sqrt and its like
    skip(f"-gfi {file}")
# Checks; and what a rule reads and gives, which is looked at, not stepped through.
for name in ("(.*::)?check_", "(Step|Gradient)::", "Node::(input|saved)[(]"):
    skip(f"-rfu ^gradus::{name}")
skip("-rfu ^std::function<.*>::(operator.bool|~?function[(<])")
skip("-rfu ^std::(_Any_data|_Function_base)::")


def says_nothing():
    """Is the line one of std::function's, or a closing brace, from which `step` goes back to the caller?"""
    thread = gdb.selected_thread()
    if not thread or thread.is_running():  # at an end, or under an editor, which steps in the background
        return False
    frame = gdb.selected_frame()
    line = frame.find_sal()
    if not line.symtab or not frame.older():  # the end of main is worth a stop
        return False
    text = linecache.getline(line.symtab.fullname(), line.line).strip()
    return line.symtab.filename.endswith(CALLS) or text in ("}", "};", "});")


def on_to_a_line():
    """After each `step`: on to the first line that says something."""
    if says_nothing():
        while says_nothing():
            gdb.execute("with suppress-cli-notifications on -- step", to_string=True)
        gdb.execute("frame" if gdb.selected_thread() else "info program")


gdb.execute("define hookpost-step\npython on_to_a_line()\nend")
