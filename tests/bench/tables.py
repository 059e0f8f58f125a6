"""The sections of the report, each a Markdown table."""

import math
import os
import sys

from measure import BUSY, SHAPES

NONE = "–"  # where PyTorch is not there, or has nothing of that name


def significant(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def ratio(numerator, denominator):
    return significant(numerator / denominator) + " ×"


def print_table(columns, rows, words=()):
    """Numbers stand on the right, the first column and those in `words` on the left."""
    print("| " + " | ".join(columns) + " |")
    print("|---|" + "".join("---|" if column in words else "---:|" for column in columns[1:]))
    for row in rows:
        assert len(row) == len(columns), row
        print("| " + " | ".join(row) + " |", flush=True)


def describe_shape(name):
    batch, context, d_model, layers, heads, d_ff, vocabulary = SHAPES[name][0]
    text = f"d{d_model} L{layers} H{heads} ff{d_ff}, {batch}×{context}"
    return text if vocabulary == 256 else f"{text}, vocabulary {vocabulary}"


def step_row(measure, name, dtype):
    own, turn, peer = measure.step(name, dtype)
    peer_ms, times, peer_mb = (
        (NONE, NONE, NONE)
        if peer is None
        else (f"{significant(peer['ms'])}, {peer['peer']}", ratio(peer["ms"], own["ms"]), f"{peer['peak_rss_mb']:.0f}")
    )
    products_ms = turn["least_products_ms" if measure.least else "products_ms"]
    share = products_ms / own["ms"] if measure.least else turn["share"]
    of_peak = [100 * turn["gflop"] / (ms / 1000 * turn["peak_gflops"]) for ms in (own["ms"], products_ms)]
    return [
        describe_shape(name),
        peer_ms,
        significant(own["ms"]),
        times,
        peer_mb,
        f"{own['peak_rss_mb']:.0f}",
        f"{significant(products_ms)} ms, {100 * share:.0f} %",
        "{:.0f} %, {:.0f} %".format(*of_peak),
    ]


def print_step_table(measure, names, dtype):
    print_table(
        ("step", "best peer ms", "Gradus ms", "ratio", "peer MB", "Gradus MB", "products alone", "of the peak of f32: step, products"),
        (step_row(measure, name, dtype) for name in names),
    )


def print_bf16_steps(measure, names):
    print_step_table(measure, names, "bf16")


def print_steps(measure, names):
    print_step_table(measure, names, "f32")
    fast, formula = (result["ms"] for result in measure.formula_step())
    print(
        f"\nA step of d128 by formulas only, without any fused kernel: {significant(formula)} ms against "
        f"{significant(fast)} ms, {ratio(formula, fast)}."
    )


def exponent(points):
    """p of the least-squares fit log cost = log c + p log n."""
    x, y = ([math.log(value) for value in column] for column in zip(*points))
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def print_growth(measure, _):
    print_table(
        ("what grows", "time of", "n: ms", "p in c·nᵖ"),
        (
            [grows, timed, " · ".join(f"{n}: {significant(ms)}" for n, ms in points), f"{exponent(points):.2f}"]
            for grows, timed, points in measure.growth()
        ),
        words=("time of", "n: ms"),
    )


def processor_share(threads, busy):
    """How much of a processor each of these threads gets beside busy processes, where all get the same."""
    return min(1, (os.cpu_count() or 1) / (threads + busy))


def print_load(measure, _):
    def cells(threads, times):
        yield f"{significant(times[0])} ms"
        for busy, ms in list(zip(BUSY, times))[1:]:
            yield f"{significant(ms)} ms, {ratio(ms * processor_share(threads, busy), times[0])}"

    print_table(
        ("step of d128", "threads", "quiet", *(f"beside {busy} busy" for busy in BUSY[1:])),
        ([name, str(threads), *cells(threads, times)] for name, threads, times in measure.load()),
    )


def print_memory(measure, _):
    print_table(
        ("after step", "resident MB", "tensors alive", "nodes alive", "MB alive"),
        (
            [
                f"{report['step']:.0f}",
                f"{report['resident_mb']:.2f}",
                f"{report['live_tensors']:.0f}",
                f"{report['live_nodes']:.0f}",
                f"{report['live_mb']:.2f}",
            ]
            for report in measure.memory()
        ),
    )


def generation_row(measure, name):
    own, peer = measure.generation(name)
    words = [significant(peer[way]) if peer else NONE for way in ("tokens_per_s_anew", "tokens_per_s")]
    return [
        name,
        f"{own['tokens']:.0f}",
        words[0],
        significant(own["tokens_per_s_anew"]),
        words[1],
        significant(own["tokens_per_s"]),
        ratio(own["tokens_per_s"], peer["tokens_per_s"]) if peer else NONE,
        significant(own["reads_per_s"]),
    ]


def print_generation(measure, _):
    anew, kept = (tuple(f"{who} {how} a cache" for who in ("PyTorch", "Gradus")) for how in ("without", "with"))
    print_table(
        ("model", "new tokens", *anew, *kept, "ratio", "weights read a second"),
        (generation_row(measure, name) for name in (["d64"] if measure.quick else ["d128", "d768"])),
    )


def print_known(measure, _):
    print_table(
        ("what", "others", "Gradus ms"),
        ([title, figure, significant(ms)] for title, figure, ms in measure.known()),
        words=("others",),
    )


def rate_in(run):
    """What one of many things took: the benchmark's counter, in words."""
    for thing in ("node", "element"):
        if thing in run:
            memory = f", {run['bytes_a_node']:.0f} bytes" if "bytes_a_node" in run else ""
            return f"{significant(1e9 * run[thing])} ns a{'n' if thing == 'element' else ''} {thing}{memory}"
    if "flop" in run:
        return f"{significant(run['flop'] / 1e9)} Gflop/s"
    return f"{significant(run['bytes'] / 1e9)} GB/s" if "bytes" in run else ""


def kernel_row(name, own, peer):
    microseconds = own[name]["real_time"]
    row = [
        name,
        significant(peer[name]) if name in peer else NONE,
        significant(microseconds),
        ratio(peer[name], microseconds) if name in peer else NONE,
        rate_in(own[name]),
    ]
    formula = own.get(name + "_formula")
    return row + ([significant(formula["real_time"]), ratio(formula["real_time"], microseconds)] if formula else ["", ""])


def print_kernels(measure, _):
    own, peer = measure.own_kernels(), measure.peer_kernels()
    unknown = [name for name in peer if name not in own]
    if unknown:
        sys.exit(f"torch_kernels.py measures what bench does not: {', '.join(unknown)}")
    print_table(
        ("benchmark", "PyTorch µs", "Gradus µs", "ratio", "that is", "by formula µs", "formula / fast"),
        (kernel_row(name, own, peer) for name in own if not name.endswith("_formula")),
        words=("that is",),
    )


SECTIONS = {  # as --only names them: title and printer
    "steps": ("Training steps", print_steps),
    "bf16": ("Training steps with products in bf16", print_bf16_steps),
    "growth": ("Linear growth", print_growth),
    "load": ("Steps beside other programs", print_load),
    "memory": ("Memory over a long run", print_memory),
    "generation": ("Generation, tokens a second", print_generation),
    "known": ("Published figures", print_known),
    "kernels": ("Kernels", print_kernels),
}


def print_section(name, measure, shapes):
    title, print_it = SECTIONS[name]
    print(f"### {title}\n", flush=True)
    print_it(measure, shapes)
    print(flush=True)
