"""Starts PyTorch for a fair comparison. Import this before anything imports torch."""

import ctypes
import os
import re

OPENBLAS = ("libopenblas.so.0", "libopenblas.so")


def processor_has(flag):
    try:
        with open("/proc/cpuinfo") as cpuinfo:
            return re.search(rf"^flags.*\b{flag}\b", cpuinfo.read(), re.MULTILINE) is not None
    except OSError:
        return False


def openblas_core():
    """The processor that OpenBLAS takes this one for, asked in a child: the library decides once, when it loads."""
    answer, report = os.pipe()
    child = os.fork()
    if child == 0:
        for name in OPENBLAS:
            try:
                core = ctypes.CDLL(name).openblas_get_corename
            except (OSError, AttributeError):
                continue
            core.restype = ctypes.c_char_p
            os.write(report, core())
            break
        os._exit(0)
    os.close(report)
    os.waitpid(child, 0)
    with os.fdopen(answer) as text:
        return text.read()


# Whatever the shell says: PyTorch is to be measured at its best. An OpenBLAS older than the processor falls back to its
# most basic kernels, five times slower, which would measure the age of a library; where there is AVX-512, it is told to
# use the kernels it has for that.
os.environ.pop("OPENBLAS_CORETYPE", None)
if processor_has("avx512f") and openblas_core() in ("Prescott", "Core2"):
    os.environ["OPENBLAS_CORETYPE"] = "SKYLAKEX"
