#!/usr/bin/python3
"""Generation by the model of torch_step.py: as one would straightforwardly write it, where for every token the whole sequence
runs through the model again, and with its keys and values kept. The words of the result line are those of `generate`."""

import math
import statistics
import time

import torch_peer  # noqa: F401  (first: it prepares the ground for torch)
import torch
from torch.nn import functional as F

from torch_step import LanguageModel, prepared_options, rope

TEMPERATURE = 0.8  # nn::SampleOptions'


def draw(logits):
    return torch.multinomial(F.softmax(logits / TEMPERATURE, -1), 1)


@torch.no_grad()
def generate_anew(model, ids, count):
    for _ in range(count):
        ids = torch.cat([ids, draw(model(ids)[:, -1])], 1)


@torch.no_grad()
def generate(model, ids, count):
    x, width = model.embedding(ids)[:, 0], model.embedding.weight.shape[1]
    heads = model.blocks[0].attention.heads
    kept = torch.empty(len(model.blocks), 2, count, heads, width // heads)
    for t in range(count):
        for block, (keys, values) in zip(model.blocks, kept):
            attention, y = block.attention, block.attention_norm(x)
            tables = [table[t : t + 1] for table in attention.tables]
            q, keys[t] = (rope(p(y).view(1, 1, heads, -1), *tables)[0, 0] for p in (attention.q_proj, attention.k_proj))
            values[t] = attention.v_proj(y).view(heads, -1)
            scores = torch.einsum("hd,thd->ht", q, keys[: t + 1]) / math.sqrt(q.shape[-1])
            x = x + attention.out_proj(torch.einsum("ht,thd->hd", F.softmax(scores, -1), values[: t + 1]).reshape(1, -1))
            x = x + block.feed_forward(block.feed_forward_norm(x))
        x = model.embedding(draw(model.norm(x) @ model.embedding.weight.t()))[:, 0]


def main():
    options = prepared_options(__doc__, context=256, sample_chars=255)
    model = LanguageModel(options).eval()

    def tokens_per_second(way):
        times = []
        for _ in range(options.steps):
            begun = time.perf_counter()
            way(model, torch.zeros(1, 1, dtype=torch.long), options.sample_chars)
            times.append(time.perf_counter() - begun)
        return options.sample_chars / statistics.median(times)

    kept, anew = tokens_per_second(generate), tokens_per_second(generate_anew)
    print(f"result tokens={options.sample_chars} times={options.steps} tokens_per_s={kept:.1f} tokens_per_s_anew={anew:.1f}")


if __name__ == "__main__":
    main()
