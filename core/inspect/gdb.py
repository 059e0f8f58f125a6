# For gdb: shows tensors by shape and values; has the commands tape, why, pending, rule and step-rule; and lets
# `step` go from line to line of the textbook: over the standard library, but not over std::function, which is how a backward
# rule is called (`bt` leaves that out); over handles, shapes and memory.
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


for header in glob.glob("/usr/include/c++/*/**/*", recursive=True):
    if not header.endswith(("/std_function.h", "/invoke.h")):
        skip(f"file {header}")
for files in ("/usr/include/fmt/*", "check*.h", "check*.cpp", "*/core/kernels/*", "*/core/machine/*", "*/core/tensor/*"):
    skip(f"-gfi {files}")
for name in ("Step::", "Gradient::", "Node::(input|saved)[(]"):  # what they hold is read, not stepped through
    skip(f"-rfu ^gradus::{name}")
skip("-rfu ^std::function<.*>::(operator.bool|~?function[(<])")
skip("-rfu ^std::(_Any_data|_Function_base)::")
