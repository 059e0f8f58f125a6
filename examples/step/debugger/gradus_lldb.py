# For lldb: shows tensors, shapes, nodes and modules, and has the commands of gdb.py: tape, why, pending, rule
# and step-rule.
#
#   command script import examples/step/debugger/gradus_lldb.py           in the tree
#   command script import <prefix>/share/gradus/gradus_lldb.py  in lldb, or in .lldbinit, where Gradus is installed
import os
import sys

sys.dont_write_bytecode = True  # nothing is left in a tree, or in a prefix
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gradus_debugger.lldb_printers import *  # noqa: F403: lldb calls them by the name of this module
