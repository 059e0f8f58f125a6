#!/usr/bin/python3
"""The training step of torch_step.py in JAX, jitted as a whole, with its parameters given up to it; in the same words."""

import time

from step_options import PREPARING, keep_to_threads, print_result, step_options

options = step_options(__doc__)
keep_to_threads(options.threads)

import jax  # noqa: E402  (it counts the processors)
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402

WIDTH, HEADS = options.d_model, options.heads
wide = jnp.bfloat16 if options.bf16 else jnp.float32


def initial_parameters(key):
    def matrix(rows, columns):
        nonlocal key
        key, used = jax.random.split(key)
        return 0.02 * jax.random.normal(used, (rows, columns))

    def block():
        shapes = {name: (WIDTH, WIDTH) for name in ("q", "k", "v", "out")}
        shapes |= {"w1": (WIDTH, options.d_ff), "w3": (WIDTH, options.d_ff), "w2": (options.d_ff, WIDTH)}
        return {**{name: matrix(*shape) for name, shape in shapes.items()}, "before": jnp.ones(WIDTH), "between": jnp.ones(WIDTH)}

    return {"table": matrix(options.vocabulary, WIDTH), "last": jnp.ones(WIDTH), "blocks": [block() for _ in range(options.layers)]}


def rms_norm(x, gain):
    x = x.astype(jnp.float32)
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * gain


def linear(x, weight):
    return x.astype(wide) @ weight.astype(wide)


def rope(x):
    """x [B, T, H, d]: each pair (2k, 2k+1) is turned by the angle of its position."""
    length, width = x.shape[1], x.shape[-1]
    angle = jnp.outer(jnp.arange(length), 10000.0 ** (-jnp.arange(0, width, 2) / width))[:, None, :]
    even, odd = x[..., ::2], x[..., 1::2]
    return jnp.stack([even * jnp.cos(angle) - odd * jnp.sin(angle), even * jnp.sin(angle) + odd * jnp.cos(angle)], -1).reshape(x.shape)


def attention(x, block):
    heads = lambda name: linear(x, block[name]).astype(jnp.float32).reshape(*x.shape[:2], HEADS, -1)
    q, k, v = rope(heads("q")), rope(heads("k")), heads("v")
    scores = jnp.einsum("bqhd,bkhd->bhqk", q.astype(wide), k.astype(wide)).astype(jnp.float32) / q.shape[-1] ** 0.5
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    share = jax.nn.softmax(jnp.where(causal, scores, -jnp.inf), -1)
    return linear(jnp.einsum("bhqk,bkhd->bqhd", share.astype(wide), v.astype(wide)).reshape(x.shape), block["out"])


def loss_of(parameters, ids, targets):
    x = parameters["table"][ids]
    for block in parameters["blocks"]:
        x = x + attention(rms_norm(x, block["before"]), block)
        y = rms_norm(x, block["between"])
        x = x + linear(jax.nn.silu(linear(y, block["w1"]).astype(jnp.float32)) * linear(y, block["w3"]), block["w2"])
    logits = linear(rms_norm(x, parameters["last"]), parameters["table"].T).astype(jnp.float32)
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1))


def step(parameters, moments, at, ids, targets):
    """AdamW after clipping, with decay for matrices alone."""
    loss, gradients = jax.value_and_grad(loss_of)(parameters, ids, targets)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
    clip = jnp.minimum(1.0, 1.0 / (norm + 1e-6))
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * clip * g, moments[0], gradients)
    v = jax.tree.map(lambda v, g: 0.95 * v + 0.05 * (clip * g) ** 2, moments[1], gradients)

    def moved(p, m, v):
        decay = 0.1 if p.ndim == 2 else 0.0
        return p - 1e-3 * (m / (1 - 0.9**at) / (jnp.sqrt(v / (1 - 0.95**at)) + 1e-8) + decay * p)

    return jax.tree.map(moved, parameters, m, v), (m, v), loss


def main():
    random = numpy.random.default_rng(0)
    data = random.integers(0, 256, 36000)
    parameters = initial_parameters(jax.random.PRNGKey(0))
    moments = (jax.tree.map(jnp.zeros_like, parameters), jax.tree.map(jnp.zeros_like, parameters))
    run = jax.jit(step, donate_argnums=(0, 1))
    times = []
    for at in range(1, PREPARING + options.steps + 1):
        begun = time.perf_counter()
        starts = random.integers(0, len(data) - options.context, options.batch)
        windows = numpy.stack([data[start : start + options.context + 1] for start in starts])
        parameters, moments, loss = run(parameters, moments, float(at), windows[:, :-1], windows[:, 1:])
        last = float(loss)
        times.append(time.perf_counter() - begun)
    print_result(options, sum(p.size for p in jax.tree.leaves(parameters)), times, last)


if __name__ == "__main__":
    main()
