#!/usr/bin/python3
"""Generation by the model of torch_step.py as one would straightforwardly write it: for every token the whole sequence
runs through the model again. The words of the result line are those of `generate`."""

import statistics
import time

import torch_peer  # noqa: F401  (first: it prepares the ground for torch)
import torch
from torch.nn import functional as F

from torch_step import LanguageModel, prepared_options

TEMPERATURE = 0.8  # nn::SampleOptions'


@torch.no_grad()
def generate(model, ids, count):
    for _ in range(count):
        probabilities = F.softmax(model(ids)[:, -1] / TEMPERATURE, -1)
        ids = torch.cat([ids, torch.multinomial(probabilities, 1)], 1)
    return ids


def main():
    options = prepared_options(__doc__, context=256, sample_chars=255)
    model = LanguageModel(options).eval()
    times = []
    for _ in range(options.steps):
        begun = time.perf_counter()
        generate(model, torch.zeros(1, 1, dtype=torch.long), options.sample_chars)
        times.append(time.perf_counter() - begun)
    print(
        f"result tokens={options.sample_chars} times={options.steps} "
        f"tokens_per_s_anew={options.sample_chars / statistics.median(times):.1f}"
    )


if __name__ == "__main__":
    main()
