// The arithmetic of cells, on traces of real ops (tests/fixtures/op_traces.cpp): what the viewer computes from the inputs'
// numbers is what C++ computed, for every cell of every value and of every contribution; and not when a number is changed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { index_trace, values_at } from "../../../../core/inspect/viewer/model.js";
import { cells_of } from "../../../../core/inspect/viewer/cells.js";
import { explain_value, explain_gradient } from "../../../../core/inspect/viewer/explain.js";

const traces = JSON.parse(readFileSync(process.env.GRADUS_OP_TRACES, "utf8"));

// Every explanation that a trace has room for: [what, explanation].
function explanations(model) {
  const found = [];
  for (const tensor of model.trace.tensors) {
    for (const cell of cells_of(tensor.shape)) {
      const where = `${tensor.op ?? tensor.kind} #${tensor.number}[${cell}]`;
      if (tensor.op) found.push([where, explain_value(model, tensor.number, cell)]);
      explain_gradient(model, tensor.number, cell).arrivals.forEach((arrival) => {
        const op = model.by_number.get(arrival.from)?.op ?? "seed";
        found.push([`${op} #${arrival.from} to ${where}`, arrival]);
      });
    }
  }
  return found;
}

for (const [name, trace] of Object.entries(traces)) {
  test(`${name}: each cell comes out as C++ computed it`, () => {
    for (const [where, found] of explanations(index_trace(trace))) {
      const value = found.found ? `${found.found.value} ± ${found.found.error}` : "";
      assert.ok(found.verdict === "equal" || (found.by_rows && found.verdict === "unknown"), `${where}: ${found.verdict} ${value}, traced ${found.traced}`);
      if (found.sum) assert.ok(found.sum === "equal" || found.by_rows, `${where}: before + contribution is not after`);
    }
  });
}
