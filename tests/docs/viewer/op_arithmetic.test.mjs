// The arithmetic of cells, on traces of real ops (op_traces.cpp): what the viewer computes from the inputs'
// numbers is what C++ computed, for every cell of every value and of every contribution; and not when a number is changed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { cells_of } from "../../../docs/viewer/cells.js";
import { explain_gradient, explain_value } from "../../../docs/viewer/explain.js";
import { deliveries_of, index_trace } from "../../../docs/viewer/model.js";
import { written_op } from "../../../docs/viewer/op_table.js";

const traces = JSON.parse(readFileSync(process.env.GRADUS_OP_TRACES, "utf8"));
const copy_of = (name) => structuredClone(traces[name]);

// Every explanation that a trace has room for, the newest tensors first: [where, explanation].
function* explanations(trace) {
  const model = index_trace(trace);
  for (const tensor of [...trace.tensors].reverse()) {
    for (const cell of cells_of(tensor.shape)) {
      const where = `${tensor.op ?? tensor.kind} #${tensor.number}[${cell}]`;
      if (tensor.op) yield [where, explain_value(model, tensor.number, cell)];
      for (const arrival of explain_gradient(model, tensor.number, cell).arrivals) {
        yield [`${model.by_number.get(arrival.from)?.op ?? "seed"} to ${where}`, arrival];
      }
    }
  }
}

function differs_somewhere(trace) {
  for (const [, found] of explanations(trace)) if (found.verdict === "differs" || found.sum === "differs") return true;
  return false;
}

const ops_of = (trace) => trace.tensors.filter((t) => t.op).map((t) => t.op);
const unwritten = new Set(); // new ops, with a function that the viewer does not know
for (const trace of Object.values(traces)) {
  const model = index_trace(trace);
  for (const tensor of trace.tensors) if (tensor.op && !written_op(model, tensor)) unwritten.add(tensor.op);
}

for (const [name, trace] of Object.entries(traces)) {
  if (name === "layer_norm/eps") continue; // an ε that has to be said, see below
  if (ops_of(trace).some((op) => unwritten.has(op))) continue;
  test(`${name}: each cell comes out as C++ computed it`, () => {
    for (const [where, found] of explanations(trace)) {
      const computed = found.found ? `${found.found.value} ± ${found.found.error}` : "nothing";
      assert.equal(found.verdict, "equal", `${where}: computed ${computed}, traced ${found.traced}`);
      if (found.sum) assert.equal(found.sum, "equal", `${where}: before + contribution is not after`);
      assert.ok(found.fits === undefined || found.fits === "only" || found.fits === "numbers", `${where}: no choice fits`);
    }
  });
}

test("the ops of the table are all there, and none of those that had arithmetic has lost it", () => {
  const ops = new Set(Object.values(traces).flatMap(ops_of).filter((op) => !unwritten.has(op)));
  assert.ok(ops.size >= 63, `${ops.size}: ${[...ops].join(" ")}; without: ${[...unwritten].join(" ")}`);
  for (const op of ["matmul", "softmax", "rms_norm", "layer_norm", "attention", "cross_entropy", "gather", "index_select"])
    assert.ok(ops.has(op), op);
});

// A number is changed by a thousandth of its size, and by a hundredth in f16.
function nudged(values, at, by) {
  values.all[at] = values.all[at] === 0 ? by : values.all[at] * (1 + by);
}

for (const [name, trace] of Object.entries(traces)) {
  if (ops_of(trace).some((op) => unwritten.has(op))) continue;
  const f16 = trace.tensors.some((t) => t.dtype === "f16");
  test(`${name}: one changed value, and one changed contribution, is said to differ`, () => {
    const value = copy_of(name);
    const y = value.tensors.findLast(
      (t) => t.op && t.op !== "sum" && t.values.all.length > 0 && Number.isFinite(t.values.all.at(-1)),
    );
    if (y) {
      nudged(y.values, y.values.all.length - 1, f16 ? 0.02 : 1e-3);
      assert.ok(differs_somewhere(value), `${y.op} #${y.number}`);
    }
    const gradient = copy_of(name);
    const delivery = gradient.walk
      .flatMap(deliveries_of)
      .findLast((d) => d.contribution.all.length > 0 && Number.isFinite(d.contribution.all.at(-1)));
    nudged(delivery.contribution, delivery.contribution.all.length - 1, f16 ? 0.02 : 1e-3);
    if (!delivery.by_rows) assert.ok(differs_somewhere(gradient), `to #${delivery.to}`);
  });
}

test("an ε that is not a usual one comes from what the module says of itself, else the page says that nothing fits", () => {
  const trace = copy_of("layer_norm/eps"),
    norm = trace.tensors.find((t) => t.op === "layer_norm");
  const before = explain_value(index_trace(trace), norm.number, [0, 0]);
  assert.equal(before.fits, "none");
  trace.modules = [{ path: "norm", type: "LayerNorm([4], eps 0.02)", first: norm.number, last: norm.number + 1 }];
  norm.module = 0;
  const after = explain_value(index_trace(trace), norm.number, [0, 0]);
  assert.deepEqual([after.fits, after.note, after.verdict], ["numbers", "ε = 0.0200", "equal"]);
});

test("of a tensor that is only a summary, the page asks for more instead of guessing", () => {
  const trace = copy_of("softmax"),
    softmax = trace.tensors.find((t) => t.op === "softmax");
  const x = trace.tensors.find((t) => t.number === softmax.inputs[0]);
  x.values = { count: 12, min: -1, max: 1, mean: 0, rms: 1 };
  const found = explain_value(index_trace(trace), softmax.number, [1, 2]);
  assert.equal(found.verdict, "missing");
  assert.equal(found.missing.number, x.number);
});

test("what an op was told beside its tensors is read off the numbers", () => {
  const expected = {
    "attention/window": ["attention", "scale 1/√4, causal, window 2"],
    "attention": ["attention", "scale 1/√2"],
    "rms_norm/eps": ["rms_norm", "ε = 0.00100"],
    "rope/halves": ["rope", "pairs of two halves"],
    "gate/gelu": ["gate", "f = gelu"],
    "activation/leaky_relu": ["leaky_relu", "slope = 0.2"],
  };
  for (const [name, [op, note]] of Object.entries(expected)) {
    const made = traces[name].tensors.find((t) => t.op === op);
    const found = explain_value(index_trace(traces[name]), made.number, made.shape.map(() => 0));
    assert.deepEqual([found.note, found.fits], [note, "numbers"], name);
  }
});
