// Small traces made by hand, whose numbers are known from paper.

export const all = (...elements) => ({ all: elements });

export function tensor(number, kind, shape, values, more = {}) {
  return { number, kind, dtype: "f32", shape, values, requires_grad: kind !== "constant", ...more };
}

export const source = (parameters, ...formulas) => ({ file: "core/ops/arithmetic.cpp", line: 1, formulas, parameters });

const ops = {
  add: source(["a", "b"], "y = a + b", "dL/da = dL/dy", "dL/db = dL/dy"),
  mul: source(["a", "b"], "y = a ⊙ b", "dL/da = dL/dy ⊙ b", "dL/db = dL/dy ⊙ a"),
};

export function trace_of(tensors, walk, more = {}) {
  const output = tensors.at(-1).number;
  const one = all(1);
  return {
    gradus_trace: 1,
    outputs: [output],
    tensors,
    walk,
    modules: [],
    ops,
    seeds: [{ input: -1, to: output, contribution: one, after: one }],
    ...more,
  };
}

const given = (input, to, contribution, after, before) => ({
  input,
  to,
  contribution: all(contribution),
  after: all(after),
  ...(before === undefined ? {} : { before: all(before) }),
});

// y = (a + b) + ab + (a + b)·ab with a = 2, b = 3: dy/da = 1 + b + b(2a + b) = 25 and dy/db = 1 + a + a(a + 2b) = 19. By
// recursion a gets 4 arrivals and 29.
export function twice_used() {
  const tensors = [
    tensor(1, "leaf", [], all(2), { name: "a" }),
    tensor(2, "leaf", [], all(3), { name: "b" }),
    tensor(3, "op", [], all(5), { name: "s", op: "add", inputs: [1, 2] }),
    tensor(4, "op", [], all(6), { name: "p", op: "mul", inputs: [1, 2] }),
    tensor(5, "op", [], all(30), { op: "mul", inputs: [3, 4] }),
    tensor(6, "op", [], all(11), { op: "add", inputs: [3, 4] }),
    tensor(7, "op", [], all(41), { name: "y", op: "add", inputs: [6, 5] }),
  ];
  const walk = [
    { tensor: 7, gradient: all(1), deliveries: [given(0, 6, 1, 1), given(1, 5, 1, 1)] },
    { tensor: 6, gradient: all(1), deliveries: [given(0, 3, 1, 1), given(1, 4, 1, 1)] },
    { tensor: 5, gradient: all(1), deliveries: [given(0, 3, 6, 7, 1), given(1, 4, 5, 6, 1)] },
    { tensor: 4, gradient: all(6), deliveries: [given(0, 1, 18, 18), given(1, 2, 12, 12)] },
    { tensor: 3, gradient: all(7), deliveries: [given(0, 1, 7, 25, 18), given(1, 2, 7, 19, 12)] },
    { tensor: 2, gradient: all(19) },
    { tensor: 1, gradient: all(25) },
  ];
  const arrivals = [
    [0, 7, 1],
    [7, 6, 1],
    [6, 3, 1],
    [3, 1, 1],
    [3, 2, 1],
    [6, 4, 1],
    [4, 1, 4],
    [4, 2, 3],
    [7, 5, 1],
    [5, 3, 7],
    [3, 1, 11],
    [3, 2, 10],
    [5, 4, 6],
    [4, 1, 29],
    [4, 2, 22],
  ].map(([from, to, after]) => ({ from, to, after: all(after) }));
  return trace_of(tensors, walk, { naive: { visits: 15, arrivals } });
}
