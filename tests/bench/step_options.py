"""The options of the programs that run the model of nn/model/ in other frameworks, and the line of results that they print."""

import argparse
import os
import resource
import statistics

PREPARING = 3  # steps, in which memory is asked for, or the model compiled
SIZES = {"batch": 12, "context": 64, "d_model": 128, "layers": 4, "heads": 4, "d_ff": 384, "vocabulary": 256, "steps": 20, "threads": 1}


def step_options(description, **defaults):
    parser = argparse.ArgumentParser(description=description)
    for name, default in {**SIZES, **defaults}.items():
        parser.add_argument("--" + name.replace("_", "-"), type=int, default=default)
    parser.add_argument("--compile", action="store_true", help="as one program, where the framework can do without")
    parser.add_argument("--bf16", action="store_true", help="products in bf16, parameters in f32")
    return parser.parse_args()


def keep_to_threads(count):
    """For a framework that takes a thread for each processor that it may use."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])


def print_result(options, parameters, times, loss):
    """Of the times of PREPARING + options.steps steps, in seconds; the first do not count."""
    ms = [1000 * time for time in times[PREPARING:]]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(
        f"result steps={options.steps} parameters={parameters} "
        f"median_ms_per_step={statistics.median(ms):.3f} mean_ms_per_step={statistics.mean(ms):.3f} "
        f"least_ms_per_step={min(ms):.3f} peak_rss_mb={peak:.1f} loss={loss:.4f}"
    )
