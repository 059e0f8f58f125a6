// The arithmetic of a cell, on traces made by hand.
import assert from "node:assert/strict";
import test from "node:test";
import { explain_gradient, explain_value, letters_of } from "../../../docs/viewer/explain.js";
import { index_trace } from "../../../docs/viewer/model.js";
import { shown_pieces, text_of_pieces } from "../../../docs/viewer/show_expression.js";
import { all, tensor, trace_of, twice_used } from "./hand_made.mjs";

const shown = (found) => text_of_pieces(shown_pieces(found.expression));

test("(a + b) + ab + (a + b)ab: the formulas with the numbers put in, before + contribution = after", () => {
  const model = index_trace(twice_used());
  const y = explain_value(model, 5, []);
  assert.deepEqual([y.formula, shown(y), y.found.value, y.verdict], ["y = a ⊙ b", "5 × 6", 30, "equal"]);
  const { arrivals } = explain_gradient(model, 1, []);
  assert.deepEqual(
    arrivals.map((a) => [a.from, a.formula, shown(a), a.before, a.after, a.verdict, a.sum]),
    [
      [4, "dL/da = dL/dy ⊙ b", "6 × 3", undefined, 18, "equal", "equal"],
      [3, "dL/da = dL/dy", "7", 18, 25, "equal", "equal"],
    ],
  );
});

test("a changed number is said to differ, where it stands and where it was read", () => {
  const trace = twice_used();
  trace.tensors[3].values.all[0] = 6.001; // p = ab
  const model = index_trace(trace);
  assert.equal(explain_value(model, 4, []).verdict, "differs"); // 2 · 3
  assert.equal(explain_value(model, 5, []).verdict, "differs"); // 5 · 6.001 is not 30
  assert.equal(explain_value(model, 3, []).verdict, "equal"); // s does not read p
  trace.walk[4].deliveries[0].after.all[0] = 24;
  assert.equal(explain_gradient(index_trace(trace), 1, []).arrivals[1].sum, "differs");
});

// y = A Bᵀ with A = [[1, 2], [3, 4]], B = [[5, 6], [7, 8]]: [[17, 23], [39, 53]]; from dL/dY = [[1, 0], [0, 2]],
// dL/dA = G B = [[5, 6], [14, 16]] and dL/dB = Gᵀ A = [[1, 2], [6, 8]].
function product() {
  const g = all(1, 0, 0, 2);
  const tensors = [
    tensor(1, "leaf", [2, 2], all(1, 2, 3, 4)),
    tensor(2, "leaf", [2, 2], all(5, 6, 7, 8)),
    tensor(3, "op", [2, 2], all(17, 23, 39, 53), { op: "matmul", inputs: [1, 2] }),
  ];
  const a = all(5, 6, 14, 16),
    b = all(1, 2, 6, 8);
  const walk = [
    {
      tensor: 3,
      gradient: g,
      deliveries: [
        { input: 0, to: 1, contribution: a, after: a },
        { input: 1, to: 2, contribution: b, after: b },
      ],
    },
    { tensor: 2, gradient: b },
    { tensor: 1, gradient: a },
  ];
  return trace_of(tensors, walk, { ops: {}, seeds: [{ input: -1, to: 3, contribution: g, after: g }] });
}

test("matmul: which of the two is transposed is read off the numbers", () => {
  const model = index_trace(product());
  const y = explain_value(model, 3, [1, 0]);
  assert.deepEqual([shown(y), y.note, y.fits, y.verdict], ["3 × 5 + 4 × 6", "of a and bᵀ", "numbers", "equal"]);
  assert.equal(shown(explain_gradient(model, 1, [1, 0]).arrivals[0]), "0 × 5 + 2 × 7");
  assert.equal(shown(explain_gradient(model, 2, [1, 1]).arrivals[0]), "2 × 0 + 4 × 2");
});

test("what is missing: as many elements as the largest that the cell needs and the trace has not", () => {
  const trace = product();
  trace.tensors[0].values = { count: 4 };
  assert.equal(explain_value(index_trace(trace), 3, [0, 0]).whole, 4);
  trace.tensors[0].shape = [1, 2]; // one row of A; B and y are the larger
  trace.tensors[0].values = { count: 2 };
  trace.tensors[2].shape = [1, 2];
  trace.tensors[2].values = all(17, 23);
  trace.tensors[1].values = { count: 4 };
  const found = explain_value(index_trace(trace), 3, [0, 0]);
  assert.deepEqual([found.verdict, found.missing.number, found.whole], ["missing", 1, 4]);
});

test("whose letters a formula has: those of the op, told apart from the reader's names", () => {
  const model = index_trace(twice_used()), letters = (number, formula) => letters_of(model, model.tensor(number), formula);
  assert.equal(letters(5, "y = a ⊙ b"), "mul’s y is #5, a is s, b is p");
  assert.equal(letters(5, "dL/da = dL/dy ⊙ b"), "mul’s y is #5, a is s, b is p");
  assert.equal(letters(5, "dL/dy = tanh"), "mul’s y is #5", "no a in tanh");
  assert.equal(letters(4, "a + b"), "", "mul's a and b are the reader's own");
});

test("matmul: one wrong element of the product does not make the viewer doubt the transposes, but that element", () => {
  const trace = product();
  trace.tensors[2].values.all[3] = 50;
  const model = index_trace(trace);
  assert.deepEqual(
    [0, 1].map((j) => explain_value(model, 3, [1, j]).verdict),
    ["equal", "differs"],
  );
});

// y = x + b with x [2, 2], b [2]: b's gradient is summed over the rows.
test("a broadcast input is read where it was stretched from, and its gradient is summed back", () => {
  const g = all(1, 2, 3, 4),
    sum = all(4, 6);
  const tensors = [
    tensor(1, "leaf", [2, 2], all(1, 2, 3, 4)),
    tensor(2, "leaf", [2], all(10, 20)),
    tensor(3, "op", [2, 2], all(11, 22, 13, 24), { op: "add", inputs: [1, 2] }),
  ];
  const walk = [
    {
      tensor: 3,
      gradient: g,
      deliveries: [{ input: 1, to: 2, contribution: { shape: [2, 2], ...g }, after: sum, summed_over: [0] }],
    },
  ];
  const model = index_trace(trace_of(tensors, walk));
  assert.equal(shown(explain_value(model, 3, [1, 1])), "4 + 20");
  const [arrival] = explain_gradient(model, 2, [1]).arrivals;
  assert.deepEqual(
    [shown(arrival), arrival.cells, arrival.traced, arrival.verdict],
    [
      "2 + 4",
      [
        [0, 1],
        [1, 1],
      ],
      6,
      "equal",
    ],
  );
});

test("rows that were chosen twice send both their gradients back", () => {
  const g = all(1, 2, 3, 4, 5, 6),
    whole = all(0, 0, 4, 6, 5, 6);
  const tensors = [
    tensor(1, "leaf", [3, 2], all(1, 2, 3, 4, 5, 6)),
    tensor(2, "constant", [3], all(1, 1, 2), { dtype: "i64" }),
    tensor(3, "op", [3, 2], all(3, 4, 3, 4, 5, 6), { op: "index_select", inputs: [1, 2] }),
  ];
  const walk = [
    {
      tensor: 3,
      gradient: g,
      deliveries: [{ input: 0, to: 1, contribution: { shape: [3, 2], ...g }, after: whole, by_rows: true }],
    },
    { tensor: 1, gradient: whole },
  ];
  const model = index_trace(trace_of(tensors, walk, { ops: {} }));
  assert.equal(shown(explain_value(model, 3, [1, 0])), "3");
  const [arrival] = explain_gradient(model, 1, [1, 1]).arrivals;
  assert.deepEqual([shown(arrival), arrival.verdict], ["2 + 4", "equal"]);
  assert.equal(shown(explain_gradient(model, 1, [0, 0]).arrivals[0]), "0");
});

test("an op of the reader's own is shown with its formula, and not judged", () => {
  const tensors = [tensor(1, "leaf", [], all(2)), tensor(2, "op", [], all(8), { op: "cube", inputs: [1] })];
  const found = explain_value(index_trace(trace_of(tensors, [])), 2, []);
  assert.equal(found.verdict, "unknown");
  const cube = { file: "mine.cpp", line: 3, formulas: ["y = x^3", "dL/dx = dL/dy ⊙ 3x²"], parameters: ["x"] };
  const known = explain_value(index_trace(trace_of(tensors, [], { ops: { cube } })), 2, []);
  assert.deepEqual([shown(known), known.verdict], ["2^3", "equal"]);
});
