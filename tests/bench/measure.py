"""Runs the programs that are measured, Gradus and PyTorch in turn, and reads what they say."""

import contextlib
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = os.environ.get("GRADUS_TORCH_PYTHON", "/usr/bin/python3")  # where Debian's python3-torch is
# What a step is compared with: its name, the program, and whether a framework has that.
PEERS = (
    ("PyTorch", "import torch", ["torch_step.py"]),
    ("PyTorch compiled", "import torch; torch.compile", ["torch_step.py", "--compile"]),
    ("JAX", "import jax", ["jax_step.py"]),
)
OPTIONS = ("batch", "context", "d-model", "layers", "heads", "d-ff", "vocabulary")
SHAPES = {  # … and how many steps to take of Gradus and of the products, and of PyTorch
    "d64": ((8, 64, 64, 4, 4, 192, 256), 300, 60),
    "d128": ((12, 64, 128, 4, 4, 384, 256), 150, 30),
    "d128-long": ((16, 128, 128, 4, 4, 384, 256), 60, 12),
    "d256": ((16, 128, 256, 6, 8, 704, 256), 20, 6),
    "d384": ((8, 256, 384, 6, 6, 1024, 256), 10, 4),
    "d768": ((4, 64, 768, 12, 12, 2048, 50257), 6, 3),
}
KNOWN = (  # a model, what others say of it, its options, steps, and which time is asked
    (
        "GPT-2 of 124 million parameters, 4×64: a step",
        "llm.c, all cores of an M3 Max: 1289 to 1452 ms",
        "--batch 4 --context 64 --d-model 768 --layers 12 --heads 12 --d-ff 3072 --vocabulary 50257 --norm layer --feed-forward gelu "
        "--activation gelu-tanh --position learned --bias true".split(),
        6,
        "ms",
    ),
    (
        "microgpt: its 1,000 steps",
        "in Python, number by number: 160 s (Li, 2026)",
        "--batch 1 --context 16 --d-model 16 --layers 1 --heads 4 --d-ff 64 --feed-forward relu --position learned --tie-weights false "
        "--optimizer adam --beta1 0.85 --beta2 0.99 --lr 0.01 --schedule linear --weight-decay 0 --clip 0".split(),
        1000,
        "total_ms",
    ),
)
SMALL = ("--batch", 4, "--context", 32, "--d-model", 32, "--layers", 2, "--heads", 2, "--d-ff", 96)
BUSY = (0, 1, 2, 4)  # processes that do nothing but compute, beside a run of d128
LAYERS, BATCHES, STEPS = (1, 2, 4, 8), (4, 8, 16, 32), (50, 100, 200, 400)  # by which a run of d128 grows
CHAINS = {"tape/chain_thousand": 10**3, "tape/chain": 10**4, "tape/chain_hundred_thousand": 10**5, "tape/chain_million": 10**6}


def say(text):
    print(text, file=sys.stderr, flush=True)


def output_of(command, **more_environment):
    done = subprocess.run(
        [str(word) for word in command], env={**os.environ, **more_environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed with status {done.returncode}:\n{done.stderr}")
    return done.stdout


def results_of(command, **more_environment):
    """The numbers of each "result name=value …" line of a program."""
    results = [
        {name: float(value) for name, value in (word.split("=") for word in line.split()[1:])}
        for line in output_of(command, **more_environment).splitlines()
        if line.startswith("result ")
    ]
    return results or sys.exit(f"{command[0]} printed no result line")


def busy_share(seconds=0.25):
    """How much of the processors' time other programs took while this one slept."""

    def sample():
        with open("/proc/stat") as stat:
            ticks = [int(word) for word in stat.readline().split()[1:9]]
        return sum(ticks), ticks[3] + ticks[4]

    try:
        total, idle = sample()
        time.sleep(seconds)
        total_later, idle_later = sample()
    except OSError:
        return 0
    return 1 - (idle_later - idle) / max(total_later - total, 1)


def best(results):
    return min(results, key=lambda result: result["ms"])


def options_of(name, **changes):
    """The words of a command line for this shape of model."""
    sizes = {**dict(zip(OPTIONS, SHAPES[name][0])), **changes}
    return [word for option, size in sizes.items() for word in ("--" + option, size)]


class Measurement:
    def __init__(self, arguments, bin_directory, directory):
        self.least, self.repeat, self.quick = arguments.least, arguments.repeat, arguments.quick
        self.bin, self.directory = bin_directory, pathlib.Path(directory)
        self.torch = self.runs("import torch")
        self.step_peers = [(name, words) for name, probe, words in PEERS if self.runs(probe)]
        threads = [1] if self.quick else sorted({1, os.cpu_count() or 1})
        self.peer_threads = [arguments.threads] if arguments.threads else threads
        self.torch_threads = self.peer_threads if self.torch else []
        self.grown = "d64" if self.quick else "d128"  # the shape of `growth` and `load`
        self.patience = arguments.patience
        self.runs = self.disturbed = self.busy = 0
        self.data = self.directory / "text"
        self.data.write_text("".join(random.Random(0).choices("etaoin shrdlu\n", k=40000)))

    @staticmethod
    def runs(probe):
        try:
            return subprocess.run([PYTHON, "-c", probe], capture_output=True).returncode == 0
        except OSError:
            return False

    def wait_for_quiet(self):
        """A thread loses whole time slices to anything else that runs."""
        self.runs += 1
        if self.quick or self.busy:
            return
        deadline = time.monotonic() + self.patience
        while (share := busy_share()) > 0.1 and time.monotonic() < deadline:
            pass
        self.disturbed += share > 0.1

    def results(self, command, **more_environment):
        self.wait_for_quiet()
        return results_of(command, **more_environment)

    def timed(self, command):
        """A program's only result, with its time of a step as "ms"."""
        result = self.results(command)[0]
        return {"ms": result["least_ms_per_step" if self.least else "median_ms_per_step"], **result}

    def own(self, program, *options, **more_environment):
        return self.results([self.bin / program, "--data", self.data, "--warmup", 1, *options], **more_environment)

    def train(self, shape, steps, *options, **more_environment):
        """A run of `train`, with its time of a step as "ms", of all its steps as "total_ms"."""
        out = self.directory / f"run{self.runs}"
        result = self.own(
            "train",
            *shape,
            *options,
            "--steps",
            steps,
            "--quiet",
            "--sample-chars",
            0,
            "--eval-every",
            1000000,
            "--out",
            out,
            **more_environment,
        )[0]
        lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
        times = [line["ms"] for line in lines if "ms" in line]
        shutil.rmtree(out)  # the checkpoint of a large model is large
        return {"ms": min(times) if self.least else statistics.median(times), "total_ms": sum(times), **result}

    def step(self, name, dtype="f32"):
        """Each side in turn, so that what else the machine does meets all; of each the best run."""
        shape, (_, steps, peer_steps) = options_of(name), SHAPES[name]
        own_words, peer_words = ("--dtype", dtype), ["--bf16"] if dtype == "bf16" else []
        if self.quick:
            steps = peer_steps = 3
        own, turns, peers = [], [], []
        for _ in range(self.repeat):
            own.append(self.train(shape, steps, *own_words))
            turns += self.own("step_share", *shape, "--steps", steps, *own_words)
            for peer, (program, *words) in self.step_peers:
                for threads in self.peer_threads:
                    command = [PYTHON, HERE / program, *words, *peer_words, *shape, "--steps", peer_steps, "--threads", threads]
                    peers.append({"peer": f"{peer}, {threads} thread{'s' if threads > 1 else ''}", **self.timed(command)})
            say(f"{name}, {dtype}: Gradus {own[-1]['ms']:.3g} ms" + "".join(f"; {peer['peer']} {peer['ms']:.3g}" for peer in peers))
        turn = min(turns, key=lambda result: result["median_ms_per_step"])
        turn["peak_gflops"] = max(result["peak_gflops"] for result in turns)
        return best(own), turn, best(peers) if peers else None

    def formula_step(self):
        steps = 3 if self.quick else SHAPES["d128"][1] // 3
        pairs = [
            (self.train(options_of("d128"), steps), self.train(options_of("d128"), steps, GRADUS_FORMULA_ONLY="1"))
            for _ in range(self.repeat)
        ]
        return best(fast for fast, _ in pairs), best(formula for _, formula in pairs)

    def growth(self):
        """Yields what grows, what is timed, and the points (n, milliseconds), each the best of several runs in turn."""

        def least(values, run):
            rounds = [[run(value) for value in values] for _ in range(self.repeat)]
            return list(zip(values, map(min, zip(*rounds))))

        steps, counts = (3, [n // 10 for n in STEPS]) if self.quick else (60, STEPS)
        yield "layers", "a step", least(LAYERS, lambda n: self.train(options_of(self.grown, layers=n), steps)["ms"])
        yield "batch", "a step", least(BATCHES, lambda n: self.train(options_of(self.grown, batch=n), steps)["ms"])
        yield "steps", "all steps", least(counts, lambda n: self.train(options_of(self.grown), n)["total_ms"])
        chains = self.own_kernels("^tape/chain")
        yield "nodes of a chain", "forward and backward", [(n, chains[name]["real_time"] / 1000) for name, n in CHAINS.items()]

    @contextlib.contextmanager
    def beside(self, busy):
        """While other programs take all the processor time that they can get; with --quick they sleep."""
        self.wait_for_quiet()
        self.busy = busy
        work = "import time; time.sleep(1000)" if self.quick else "while True: pass"
        others = [subprocess.Popen([sys.executable, "-c", work]) for _ in range(busy)]
        try:
            yield
        finally:
            for other in others:
                other.kill()
                other.wait()
            self.busy = 0

    def load(self):
        """Yields a program, its threads, and its mean time of a step beside each number of busy processes."""
        shape, steps, peer_steps = options_of(self.grown), 3 if self.quick else 100, 3 if self.quick else 40
        counts = [1] if self.quick else sorted({1, os.cpu_count() or 1}, reverse=True)

        def least(run):
            times = []
            for busy in BUSY:
                with self.beside(busy):
                    times.append(min(run() for _ in range(self.repeat)))
            return times

        for threads in counts:
            yield "Gradus", threads, least(lambda: self.train(shape, steps, "--threads", threads)["total_ms"] / steps)
        for threads in counts if self.torch else ():
            command = [PYTHON, HERE / "torch_step.py", *shape, "--steps", peer_steps, "--threads", threads]
            yield "PyTorch", threads, least(lambda: self.results(command)[0]["mean_ms_per_step"])

    def memory(self):
        """What a long run of a small model holds at three of its steps."""
        reports = self.own("memory_growth", *SMALL, "--steps", 300 if self.quick else 10000)
        for what in ("live_tensors", "live_nodes", "live_mb"):
            if reports[-1][what] > reports[0][what]:
                sys.exit(f"memory_growth: {what} grew from {reports[0][what]:g} to {reports[-1][what]:g}")
        return reports

    def generation(self, name):
        """Of a model of this shape, tokens a second: Gradus' result, and PyTorch's best of both ways or None."""
        context, times = (32, 1) if self.quick else (64, 1) if name == "d768" else (256, 3)
        model = [*options_of(name, context=context), "--sample-chars", context - 1, "--steps", times]
        own, peer = [], []
        for _ in range(self.repeat):
            own += self.own("generate", *model)
            for threads in self.torch_threads:
                peer += self.results([PYTHON, HERE / "torch_generate.py", *model, "--threads", threads])

        def fastest(results):
            return {way: max(result[way] for result in results) for way in results[0]}

        return fastest(own), fastest(peer) if peer else None

    def known(self):
        """Yields what others published, their figure, and milliseconds: of a step, or of all steps."""
        for title, figure, words, steps, key in KNOWN[1:] if self.quick else KNOWN:  # GPT-2 is not quick
            times = [self.train(words, 3 if self.quick else steps)[key] for _ in range(self.repeat)]
            yield title, figure, min(times)

    def own_kernels(self, matching="."):
        """The least time of each benchmark in microseconds, of many short runs, and its counters then."""
        repetitions, seconds = (1, 0.001) if self.quick else (12 * self.repeat, 0.002)
        self.wait_for_quiet()
        report = json.loads(
            output_of(
                [
                    self.bin / "bench",
                    "--benchmark_format=json",
                    f"--benchmark_filter={matching}",
                    f"--benchmark_min_time={seconds}",
                    f"--benchmark_repetitions={repetitions}",
                ]
            )
        )
        least = {}
        for run in report["benchmarks"]:
            name = run["run_name"].removesuffix("/real_time")
            if run["run_type"] == "iteration" and (name not in least or run["real_time"] < least[name]["real_time"]):
                least[name] = run
        return least

    def peer_kernels(self):
        least = {}
        for threads in self.torch_threads:
            self.wait_for_quiet()
            seconds = 0.01 if self.quick else 0.3 * self.repeat
            for line in output_of([PYTHON, HERE / "torch_kernels.py", "--threads", threads, "--seconds", seconds]).splitlines():
                name, microseconds = line.split()
                least[name] = min(least.get(name, float("inf")), float(microseconds))
        return least
