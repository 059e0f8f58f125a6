#!/usr/bin/python3
"""A training step of the language model of nn/model/, written in PyTorch as one would straightforwardly: the median
time of a step and the peak of resident memory, in the words of `train`'s result line."""

import math
import time

import torch_peer  # noqa: F401  (first: it prepares the ground for torch)
import torch
from torch import nn
from torch.nn import functional as F

from step_options import PREPARING, print_result, step_options

FUSED = {"fused": True} if int(torch.__version__.split(".")[0]) >= 2 else {}  # AdamW as one kernel, where there is one


class RMSNorm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.gain


def rope_tables(length, head_dim, theta=10000.0):
    frequency = theta ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), frequency)
    return angle.cos().float(), angle.sin().float()


def rope(x, cosines, sines):
    """x [B, T, H, d]: each pair (2k, 2k+1) is turned by the angle of its position."""
    even, odd = x.view(*x.shape[:-1], -1, 2).unbind(-1)
    cosines, sines = cosines[:, None, :], sines[:, None, :]
    return torch.stack([even * cosines - odd * sines, even * sines + odd * cosines], -1).flatten(-2)


class Attention(nn.Module):
    def __init__(self, options, tables):
        super().__init__()
        self.heads = options.heads
        self.tables = tables
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(options.d_model, options.d_model, bias=False) for _ in range(4))
        later = torch.ones(options.context, options.context, dtype=torch.bool).triu(1)
        self.register_buffer("later", later, persistent=False)

    def forward(self, x):
        length = x.shape[1]
        tables = [table[:length] for table in self.tables]
        heads = lambda y: y.view(*x.shape[:2], self.heads, -1)
        q = rope(heads(self.q_proj(x)), *tables).transpose(1, 2)
        k = rope(heads(self.k_proj(x)), *tables).transpose(1, 2)
        v = heads(self.v_proj(x)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        y = F.softmax(scores.masked_fill(self.later[:length, :length], -math.inf), -1) @ v
        return self.out_proj(y.transpose(1, 2).reshape(x.shape))


class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w1 = nn.Linear(d_model, d_ff, bias=False)
        self.w2 = nn.Linear(d_ff, d_model, bias=False)
        self.w3 = nn.Linear(d_model, d_ff, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, options, tables):
        super().__init__()
        self.attention_norm, self.feed_forward_norm = RMSNorm(options.d_model), RMSNorm(options.d_model)
        self.attention = Attention(options, tables)
        self.feed_forward = SwiGLU(options.d_model, options.d_ff)

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.feed_forward(self.feed_forward_norm(x))


class LanguageModel(nn.Module):
    def __init__(self, options):
        super().__init__()
        tables = rope_tables(options.context, options.d_model // options.heads)
        self.embedding = nn.Embedding(options.vocabulary, options.d_model)
        self.blocks = nn.Sequential(*(Block(options, tables) for _ in range(options.layers)))
        self.norm = RMSNorm(options.d_model)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, ids):
        x = self.norm(self.blocks(self.embedding(ids)))
        return x @ self.embedding.weight.t()


def random_batch(data, options):
    starts = torch.randint(len(data) - options.context, (options.batch,))
    windows = torch.stack([data[start : start + options.context + 1] for start in starts.tolist()])
    return windows[:, :-1], windows[:, 1:]


def prepared_options(description, **defaults):
    """The options of a program that runs the model, with torch told of the threads and the seed."""
    options = step_options(description, **defaults)
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    return options


def main():
    options = prepared_options(__doc__)
    data = torch.randint(256, (36000,))
    model = LanguageModel(options)
    run = torch.compile(model) if options.compile else model
    matrices = [p for p in model.parameters() if p.dim() >= 2]
    others = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=1e-3, betas=(0.9, 0.95), **FUSED
    )
    times = []
    for _ in range(PREPARING + options.steps):
        begun = time.perf_counter()
        inputs, targets = random_batch(data, options)
        with torch.autocast("cpu", torch.bfloat16, options.bf16):
            logits = run(inputs)
        loss = F.cross_entropy(logits.float().view(-1, options.vocabulary), targets.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        last = loss.item()
        times.append(time.perf_counter() - begun)
    print_result(options, sum(p.numel() for p in model.parameters()), times, last)


if __name__ == "__main__":
    main()
