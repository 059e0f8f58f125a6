#!/usr/bin/python3
"""PyTorch's times for what `bench` measures, under the same names: one line "name microseconds" each, the least of
several runs. The tape's are for 10000 nodes."""

import argparse
import math
import time

import torch_peer  # noqa: F401  (first: it prepares the ground for torch)
import torch
from torch.nn import functional as F

from torch_step import rope, rope_tables

NODES = 10000
cases = {}


def case(name):
    """Registers make() -> run() under the name of the benchmark that measures the same."""

    def register(make):
        cases[name] = make
        return make

    return register


def leaf(*shape):
    return torch.randn(shape, requires_grad=True)


def forward_backward(layer, *inputs):
    seed = torch.randn_like(layer(*inputs))
    return lambda: torch.autograd.grad(layer(*inputs), inputs, seed)


def chain(x):
    a = torch.tensor(0.999)
    y = x
    for _ in range(NODES):
        y = y * a
    return y


def diamonds(x):
    a = torch.tensor(-0.001)
    y = x
    for _ in range(NODES // 2):
        y = y * a + y
    return y


@case("tape/chain_forward")
def _():
    x = leaf()
    return lambda: chain(x)


@case("tape/chain")
def _():
    return forward_backward(chain, leaf())


@case("tape/diamonds")
def _():
    return forward_backward(diamonds, leaf())


@case("layer/rms_norm_2048x256")
def _():
    rms = lambda x, gain: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * gain
    return forward_backward(rms, leaf(2048, 256), leaf(256))


@case("layer/layer_norm_2048x256")
def _():
    return forward_backward(lambda x, gain, bias: F.layer_norm(x, (256,), gain, bias), leaf(2048, 256), leaf(256), leaf(256))


@case("layer/gelu_2048x256")
def _():
    return forward_backward(F.gelu, leaf(2048, 256))


@case("layer/silu_2048x256")
def _():
    return forward_backward(F.silu, leaf(2048, 256))


@case("layer/softmax_2048x256")
def _():
    return forward_backward(lambda x: F.softmax(x, -1), leaf(2048, 256))


@case("layer/silu_gate_2048x256")
def _():
    return forward_backward(lambda a, b: F.silu(a) * b, leaf(2048, 256), leaf(2048, 256))


@case("layer/rope_16x128x8x64")
def _():
    tables = rope_tables(128, 64)
    return forward_backward(lambda x: rope(x, *tables), leaf(16, 128, 8, 64))


@case("layer/cross_entropy_2048x8192")
def _():
    targets = torch.randint(8192, (2048,))
    return forward_backward(lambda logits: F.cross_entropy(logits, targets), leaf(2048, 8192))


@case("layer/attention_2x8x1024x64")
def _():
    later = torch.ones(1024, 1024, dtype=torch.bool).triu(1)

    def attention(q, k, v):
        scores = q @ k.transpose(-2, -1) / math.sqrt(64)
        return F.softmax(scores.masked_fill(later, -math.inf), -1) @ v

    return forward_backward(attention, *(leaf(2, 8, 1024, 64) for _ in range(3)))


@case("optim/adamw_10M")
def _():
    parameter = leaf(10_000_000)
    parameter.grad = torch.randn(10_000_000)
    return torch.optim.AdamW([parameter], weight_decay=0.1, betas=(0.9, 0.95)).step


def plain(name, op, *shapes):
    cases[name] = lambda: lambda inputs=[torch.randn(shape) for shape in shapes]: op(*inputs)


SQUARE = (1024, 1024)
plain("elementwise/add", torch.add, SQUARE, SQUARE)
plain("elementwise/add_row", torch.add, SQUARE, (1024,))
plain("elementwise/add_column", torch.add, SQUARE, (1024, 1))
plain("elementwise/exp", torch.exp, SQUARE)
plain("elementwise/tanh", torch.tanh, SQUARE)
plain("elementwise/relu", torch.relu, SQUARE)
plain("reduce/sum_rows", lambda x: x.sum(1), SQUARE)
plain("reduce/sum_columns", lambda x: x.sum(0), SQUARE)
plain("reduce/sum_all", lambda x: x.sum(), SQUARE)
plain("reduce/max_rows", lambda x: x.amax(1), SQUARE)
plain("layout/transpose", lambda x: x.t().contiguous(), SQUARE)
plain("layout/heads_first", lambda x: x.transpose(1, 2).contiguous(), (16, 128, 8, 64))
plain("layout/slice_columns", lambda x: x[:, 256:768].contiguous(), SQUARE)
for n in (64, 256, 1024):
    plain(f"matmul/f32_{n}", torch.matmul, (n, n), (n, n))
plain("matmul/f32_batch_96x_128x128x32", torch.matmul, (96, 128, 128), (96, 128, 32))


def least_time(run, seconds):
    """The shortest of the calls that fit into `seconds`, in microseconds; the first does not count."""
    run()
    least, begun = math.inf, time.perf_counter()
    while least == math.inf or time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    return 1e6 * least


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each of them")
    parser.add_argument("--list", action="store_true", help="only the names")
    options = parser.parse_args()
    if options.list:
        print(*cases, sep="\n")
        return
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    for name, make in cases.items():
        print(name, f"{least_time(make(), options.seconds):.3f}", flush=True)


if __name__ == "__main__":
    main()
