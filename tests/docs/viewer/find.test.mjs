// Find, compare and the wrong walk, on traces made by hand.
import assert from "node:assert/strict";
import test from "node:test";
import { compare_traces } from "../../../docs/viewer/compare_traces.js";
import { path_to_output } from "../../../docs/viewer/find.js";
import { find_by_words, find_filters } from "../../../docs/viewer/find_in.js";
import { index_trace } from "../../../docs/viewer/model.js";
import { naive_differences } from "../../../docs/viewer/naive.js";
import { all, tensor, trace_of, twice_used } from "./hand_made.mjs";

test("words find by name, number, op, shape and module; all of them must occur", () => {
  const trace = twice_used();
  trace.modules = [{ path: "blocks.0.norm", type: "RMSNorm(2)", first: 5, last: 7 }];
  trace.tensors[4].module = trace.tensors[5].module = 0;
  trace.tensors[5].shape = [2, 3];
  const model = index_trace(trace);
  assert.deepEqual(find_by_words(model, "mul"), [4, 5]);
  assert.deepEqual(find_by_words(model, "norm"), [5, 6]);
  assert.deepEqual(find_by_words(model, "ADD blocks.0"), [6]);
  assert.deepEqual(find_by_words(model, "[2, 3]"), [6]);
  assert.deepEqual(find_by_words(model, "2x3"), [6]);
  assert.deepEqual(find_by_words(model, "#7"), [7]);
  assert.deepEqual(find_by_words(model, "nothing"), []);
});

test("filters: the first NaN or ∞ forward and in the walk, zeros, the severed, gradients beyond the 99th percentile", () => {
  const numbers = (trace, name) => find_filters[name].numbers(index_trace(trace));
  const trace = twice_used();
  const wrong = Object.keys(find_filters).filter((name) => name !== "large");
  for (const name of wrong) assert.deepEqual(numbers(trace, name), [], name);
  assert.deepEqual(numbers(trace, "large"), [1], "the largest of few: dy/da = 25");
  assert.match(find_filters.large.note(index_trace(trace)), /The largest of only 7 gradients/);
  trace.tensors[4].values = all("inf");
  trace.tensors[5].values = all("nan");
  trace.walk[4].gradient = all("nan");
  trace.walk[3].deliveries[1].contribution = all("-inf");
  trace.walk[6].gradient = all(0);
  trace.tensors[0].severed_by = [3];
  assert.deepEqual(numbers(trace, "bad_value"), [5]);
  assert.deepEqual(numbers(trace, "bad_gradient"), [2]);
  assert.deepEqual(numbers(trace, "zero"), [1]);
  assert.deepEqual(numbers(trace, "severed"), [1]);
  const many = Array.from({ length: 200 }, (_, i) => tensor(i + 1, "op", [2], all(0, 0), { op: "neg", inputs: i ? [i] : [] }));
  const walk = many.map((t, i) => ({ tensor: t.number, gradient: i < 2 ? all(3 + i, 4) : all(1, 0) }));
  assert.deepEqual(numbers(trace_of(many, walk), "large"), [2, 1]);
  assert.deepEqual(numbers(trace_of([tensor(1, "leaf", [9], { count: 9, nan: 1, zero: 8 })], []), "bad_value"), [1]);
});

test("the path from a parameter to the loss is a shortest one; a tensor that nothing reads has none", () => {
  const trace = twice_used();
  assert.deepEqual(path_to_output(index_trace(trace), 1), [1, 3, 5, 7]);
  trace.tensors.unshift(tensor(0.5, "leaf", [], all(1)));
  assert.equal(path_to_output(index_trace(trace), 0.5), null);
});

test("a trace equals itself, also when its numbers are shifted", () => {
  const a = twice_used(),
    b = shifted(twice_used(), 100);
  const found = compare_traces(a, b);
  assert.deepEqual(found.counts, { OK: 7, DIFF: 0, SHAPE: 0, MISSING: 0 });
  assert.deepEqual([found.first_value, found.first_gradient], [null, null]);
  assert.deepEqual(
    found.pairs.map((p) => p.b - p.a),
    [100, 100, 100, 100, 100, 100, 100],
  );
});

test("the first difference is the first in the forward order for values, in the walk's for gradients", () => {
  const a = twice_used(),
    b = shifted(twice_used(), 100);
  b.tensors[4].values = all(33); // #5 of a
  b.tensors[6].values = all(44);
  b.walk[4].gradient = all(7.7); // of s, #3 of a
  b.walk[3].gradient = all(6.0001); // of p, #4, visited before s
  const found = compare_traces(a, b);
  assert.equal(found.first_value.a, 5);
  assert.ok(Math.abs(found.first_value.value.difference - 1 / 11) < 1e-12);
  assert.equal(found.first_gradient.a, 4);
  assert.deepEqual(found.counts, { OK: 3, DIFF: 4, SHAPE: 0, MISSING: 0 });
});

test("an op more, another shape, a gradient that did not come", () => {
  const a = twice_used(),
    b = twice_used();
  b.tensors.splice(4, 0, tensor(4.5, "op", [], all(-6), { op: "neg", inputs: [4] }));
  b.tensors[5].shape = [1];
  b.walk = b.walk.filter((visit) => visit.tensor !== 2);
  b.walk.forEach((visit) => (visit.deliveries = visit.deliveries?.filter((d) => d.to !== 2)));
  const found = compare_traces(a, b);
  const of = (number) => found.pairs.find((p) => p.a === number);
  assert.deepEqual(
    found.pairs.find((p) => p.b === 4.5),
    { a: 0, b: 4.5, value: { status: "MISSING" }, gradient: null },
  );
  assert.equal(of(5).value.status, "SHAPE");
  assert.equal(of(2).gradient.status, "MISSING");
  assert.equal(of(2).value.status, "OK");
  assert.deepEqual(found.counts, { OK: 5, DIFF: 0, SHAPE: 1, MISSING: 2 });
});

test("summaries are compared by what they say", () => {
  const one = (values) => trace_of([tensor(1, "leaf", [100], values)], []);
  const said = { count: 100, min: -1, max: 2, mean: 0.5, rms: 1, corner_shape: [1], corner: [0.25] };
  assert.equal(compare_traces(one(said), one({ ...said })).counts.OK, 1);
  assert.equal(compare_traces(one(said), one({ ...said, mean: 0.6 })).counts.DIFF, 1);
  assert.equal(compare_traces(one(said), one({ ...said, corner: [0.26] })).counts.DIFF, 1);
  assert.equal(compare_traces(one(said), one({ ...said, nan: 1 })).counts.DIFF, 1);
});

test("walked by recursion, dy/da is 29 and not 25, dy/db 22 and not 19; p and s come out right in the end", () => {
  const found = naive_differences(index_trace(twice_used()));
  assert.deepEqual(
    found.map(({ number, wrong, right }) => [number, wrong.all[0], right.all[0]]),
    [
      [1, 29, 25],
      [2, 22, 19],
    ],
  );
});

function shifted(trace, by) {
  const text = JSON.stringify(trace, (key, value) => {
    if (["number", "tensor", "to", "from"].includes(key)) return value + by;
    if (key === "outputs") return value.map((n) => n + by);
    return key === "inputs" ? value.map((n) => (n === 0 ? 0 : n + by)) : value;
  });
  return JSON.parse(text);
}
