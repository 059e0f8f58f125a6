// What makes up one cell of a value or of a gradient, computed from the numbers in the trace and held against what was
// traced there. Pure: no page here.
import { values_at } from "./model.js";
import { evaluate, missing_leaf, agrees, number_leaf, sum_of } from "./expression.js";
import { stretched_cells } from "./cells.js";
import { op_reader } from "./op_reader.js";
import { chosen_for } from "./op_choice.js";
import { own_rule, chain_rule } from "./op_rule.js";
import { written_op } from "./op_table.js";

// {formula, note, expression, found, traced, verdict, missing}; verdict: "equal", "differs", "missing" or "unknown".
function judged(expression, traced, dtype, more) {
  if (expression === null || expression === undefined) return { ...more, traced, verdict: "unknown" };
  const leaf = missing_leaf(expression);
  if (leaf) return { ...more, expression, traced, missing: leaf.missing, verdict: "missing" };
  const found = evaluate(expression);
  if (traced === undefined) return { ...more, expression, found, verdict: "unknown" };
  return { ...more, expression, found, traced, verdict: agrees(found, traced, dtype) ? "equal" : "differs" };
}

// y at `cell`, from the op's inputs.
export function explain_value(model, number, cell) {
  const tensor = model.by_number.get(number);
  const traced = values_at(tensor.values, tensor.shape, cell);
  if (!tensor.op) return { traced, verdict: "given", tensor };
  const op = op_reader(model, number), written = written_op(model, tensor);
  if (!written) return { traced, verdict: "unknown", formula: formula_of(model, tensor, 0) };
  const choice = chosen_for(op, written);
  const more = { formula: formula_of(model, tensor, 0), note: choice.note, fits: choice.fits };
  return judged(written.value(op, cell, choice), traced, tensor.dtype, more);
}

// The n-th formula of the op of a tensor, its source's before the viewer's own. n = 1 + i: of its i-th input.
export function formula_of(model, tensor, n) {
  const source = model.trace.ops?.[tensor.op];
  const formulas = source?.formulas?.length ? source.formulas : written_op(model, tensor)?.formulas ?? [];
  if (n === 0) return formulas[0];
  const name = source?.parameters?.[n - 1] ?? written_op(model, tensor)?.names?.[n - 1];
  return formulas.find((f) => f.startsWith(`dL/d${name} `)) ?? formulas.slice(1)[Math.min(n, formulas.length - 1) - 1];
}

// dL/dtensor at `cell`: {arrivals: [{from, input, expression, before, after, …}], traced}.
export function explain_gradient(model, number, cell) {
  const tensor = model.by_number.get(number), gradient = model.gradient_of(number);
  const arrivals = (model.arrivals.get(number) ?? []).map((arrival) => explain_arrival(model, tensor, arrival, cell));
  const traced = gradient ? values_at(gradient, tensor.shape, cell) : undefined;
  const last = arrivals.at(-1)?.after;
  const hooked = last !== undefined && traced !== undefined && !Object.is(last, traced);
  return { tensor, arrivals, traced, hooked };
}

function explain_arrival(model, tensor, { delivery, from }, cell) {
  const at = (values) => (values ? values_at(values, tensor.shape, cell) : undefined);
  const before = at(delivery.before), after = at(delivery.after);
  const wide = delivery.contribution.shape ?? tensor.shape;
  const cells = delivery.by_rows ? [cell] : stretched_cells(cell, tensor.shape, wide);
  const given = delivery.by_rows ? undefined : total_at(delivery.contribution, wide, cells);
  const more = { from, input: delivery.input, before, after, cells, wide, by_rows: delivery.by_rows, summed_over: delivery.summed_over ?? [] };
  const sum = judged_sum(tensor, delivery, before, given, after);
  if (from === 0) return { ...more, sum, ...judged(given === undefined ? null : number_leaf(given, { role: "gradient" }), given, tensor.dtype, {}) };
  return { ...more, sum, ...explain_rule(model, from, delivery, cells, given, tensor.dtype) };
}

// The traced contribution to this cell: a sum where the contribution is still broadcast.
function total_at(values, shape, cells) {
  const terms = cells.map((c) => values_at(values, shape, c));
  return terms.includes(undefined) ? undefined : terms.reduce((a, b) => a + b, 0);
}

// before + contribution = after, of the traced numbers themselves.
function judged_sum(tensor, delivery, before, given, after) {
  if (given === undefined || after === undefined || (delivery.before && before === undefined)) return "missing";
  const terms = [...(delivery.before ? [before] : []), given].map((x) => number_leaf(x));
  return agrees(evaluate(sum_of(...terms, number_leaf(0))), after, tensor.dtype) ? "equal" : "differs";
}

// The op's rule at these cells of its contribution, or the chain rule where it is not written here.
function explain_rule(model, from, delivery, cells, given, dtype) {
  const made = model.by_number.get(from), written = written_op(model, made);
  const formula = formula_of(model, made, delivery.input + 1);
  if (!written) return { formula, traced: given, verdict: "unknown" };
  const op = op_reader(model, from), choice = chosen_for(op, written);
  const own = own_rule(op, written, choice, delivery, cells);
  const parts = own ?? chain_rule(op, written, choice, delivery, cells);
  const more = { formula, note: choice.note, fits: choice.fits, by_chain_rule: own === null };
  return judged(parts && sum_of(...parts), given, dtype, more);
}
