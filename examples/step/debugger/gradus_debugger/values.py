"""The numbers of a tensor, as text and as trace.schema.json has them."""

import math
import struct

from .memory import FORMATS

WHOLE = 64  # tensors of at most this many elements are recorded whole
STATISTICS = 1 << 18  # at most this many elements are looked at; a debugger is to answer at once
SHOWN = 6  # values in a line


def short(value):
    """At most six digits."""
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def exact(value, dtype):
    """The fewest digits that come back the same in this dtype."""
    if isinstance(value, int) or value - value != 0 or dtype == "f64":
        return value
    for digits in range(1, 10):
        rounded = float(f"{value:.{digits}g}")
        try:
            if struct.unpack("<" + FORMATS[dtype], struct.pack("<" + FORMATS[dtype], rounded))[0] == value:
                return rounded
        except OverflowError:
            pass  # beyond the largest
    return value


def as_f32(value):
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def summary(elements):
    """As in the schema; min, max, mean and rms are of the finite ones."""
    finite = [v for v in elements if v - v == 0]
    nan = sum(1 for v in elements if v != v)
    low, high, count = min(finite, default=0), max(finite, default=0), max(len(finite), 1)
    scale = 16 / (high - low) if high > low else 0
    bins = [0] * 16
    for v in finite:
        bins[min(15, int((v - low) * scale))] += 1
    size = max(abs(low), abs(high)) or 1  # squares of it would overflow
    described = {
        "min": low,
        "max": high,
        "mean": math.fsum(v / count for v in finite),
        "rms": size * math.sqrt(math.fsum((v / size) ** 2 for v in finite) / count),
    }
    return {name: exact(as_f32(v), "f32") for name, v in described.items()} | {
        "count": len(elements),
        "nan": nan,
        "inf": len(elements) - len(finite) - nan,
        "zero": sum(1 for v in finite if v == 0),
        "histogram": bins if finite else [],
    }


def recorded(tensor):
    """`values` of the schema."""
    elements = tensor.elements(STATISTICS)
    if tensor.numel <= WHOLE:
        return {"all": [plain(exact(v, tensor.dtype)) for v in elements]}
    corner = [min(6, size) if i >= len(tensor.shape) - 2 else 1 for i, size in enumerate(tensor.shape)]
    height, width = ([1] + corner)[-2:]
    at = [i * tensor.shape[-1] + j for i in range(height) for j in range(width)]
    values = summary(elements)
    if at[-1] < len(elements):
        values |= {"corner_shape": corner, "corner": [plain(exact(elements[i], tensor.dtype)) for i in at]}
    return values


def plain(value):
    """JSON has no NaN and no infinity."""
    return value if isinstance(value, int) or value - value == 0 else str(value)


def number(value):
    """And back."""
    return float(value) if isinstance(value, str) else value


def norm(values):
    """Euclidean, of recorded values."""
    if "all" in values:
        return math.sqrt(math.fsum(number(v) ** 2 for v in values["all"]))
    return math.nan if values["nan"] else math.inf if values["inf"] else values["rms"] * math.sqrt(values["count"])


def shown(tensor):
    """Few: all. Many: the first, and what can be said of the rest."""
    if tensor.numel <= SHOWN:
        return ", ".join(short(v) for v in tensor.elements(SHOWN)) or "no elements"
    elements = tensor.elements(STATISTICS)
    about = summary(elements)
    text = ", ".join(short(v) for v in elements[:SHOWN]) + ", … "
    text += ", ".join(f"{name} {short(about[name])}" for name in ("min", "max", "mean"))
    text += "".join(f", {about[name]} {name}" for name in ("nan", "inf") if about[name])
    return text + (f" of the first {STATISTICS}" if tensor.numel > STATISTICS else "")
