// What makes up one cell of a value or of a gradient, computed from the numbers in the trace and held against what was
// traced there. Pure: no page here.
import { numel, stretched_cells } from "./cells.js";
import { agrees, evaluate, missing_leaf, number_leaf, sum_of } from "./expression.js";
import { inputs_of, name_of } from "./model.js";
import { chosen_for } from "./op_choice.js";
import { op_reader, stored_at } from "./op_reader.js";
import { chain_rule, own_rule } from "./op_rule.js";
import { written_op } from "./op_table.js";

// {formula, note, expression, found, traced, verdict, missing, whole}; verdict: "equal", "differs", "missing" or "unknown";
// whole: how many elements a trace must keep to tell what is missing.
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
  const traced = stored_at(tensor.values, tensor.shape, cell, tensor.dtype);
  if (!tensor.op) return { traced, verdict: "given", tensor };
  const op = op_reader(model, number),
    written = written_op(model, tensor);
  if (!written) return { traced, verdict: "unknown", formula: formula_of(model, tensor, 0) };
  const formula = formula_of(model, tensor, 0), lost = lost_input(op, written), whole = whole_for(op);
  if (lost) return { traced, verdict: "missing", missing: lost, formula, whole };
  const choice = chosen_for(op, written);
  if (!choice) return { traced, verdict: "unknown", formula };
  const more = { formula, note: choice.note, fits: choice.fits, whole };
  return judged(written.value(op, cell, choice), traced, tensor.dtype, more);
}

// What an op that takes whole rows would need, and the trace has only as a summary.
function lost_input(op, written, gradient) {
  if (!written?.at_once) return undefined;
  return op.inputs.find((x, i) => x && !op.whole(i)) ?? (gradient && !gradient.all ? op.tensor : undefined);
}

// As many elements has the largest tensor or gradient that the op reads and the trace has only as a summary.
function whole_for({ inputs, tensor, model }, wide = tensor.shape) {
  const gradient = model.gradient_of(tensor.number), own = !tensor.values.all || (gradient && !gradient.all);
  const shapes = [...inputs.filter((x) => x && !x.values.all).map((x) => x.shape), ...(own ? [tensor.shape] : []), wide];
  return Math.max(...shapes.map(numel));
}

// The n-th formula of the op that made a tensor, n = 1 + i that of its i-th input: its source's, where they have a rule.
export function formula_of(model, tensor, n) {
  const source = model.trace.ops?.[tensor.op], written = written_op(model, tensor);
  const own = (source?.formulas?.length ?? 0) > 1;
  const formulas = (own ? source.formulas : written?.formulas) ?? source?.formulas ?? [];
  if (n === 0) return formulas[0];
  const name = (own ? source.parameters : written?.names)?.[n - 1];
  return formulas.find((f) => f.startsWith(`dL/d${name} `)) ?? formulas.slice(1)[Math.min(n, formulas.length - 1) - 1];
}

// The names of the inputs in its formulas.
export function parameters_of(model, tensor) {
  return model.trace.ops?.[tensor.op]?.parameters ?? written_op(model, tensor)?.names ?? [];
}

// "mul’s a is w, b is x": which tensors the letters of an op's formula stand for, unless each is called as its letter; or "".
export function letters_of(model, tensor, formula) {
  const names = parameters_of(model, tensor), words = new Set(formula.match(/[\p{L}_][\p{L}\d_]*/gu));
  const pairs = [["y", tensor], ...inputs_of(tensor).map((number, i) => [names[i], model.by_number.get(number)])];
  const told = pairs.filter(([name, of]) => name && of && (words.has(name) || words.has(`d${name}`)));
  if (told.every(([name, of]) => name === name_of(of))) return "";
  return `${tensor.op}’s ${told.map(([name, of]) => `${name} is ${name_of(of)}`).join(", ")}`;
}

// dL/dtensor at `cell`: {arrivals: [{from, input, expression, before, after, …}], traced}.
export function explain_gradient(model, number, cell) {
  const tensor = model.by_number.get(number), gradient = model.gradient_of(number);
  const arrivals = (model.arrivals.get(number) ?? []).map((arrival) => explain_arrival(model, tensor, arrival, cell));
  const traced = stored_at(gradient, tensor.shape, cell, tensor.dtype);
  const last = arrivals.at(-1)?.after;
  const hooked = last !== undefined && traced !== undefined && !Object.is(last, traced);
  return { tensor, arrivals, traced, hooked };
}

// One arrival at a cell: what it brought, {before, given, after}, the sum of them judged, and the rule that gave it.
function explain_arrival(model, tensor, arrival, cell) {
  const got = brought_to(tensor, arrival, cell);
  const sum = judged_sum(tensor, got);
  if (arrival.from === 0) return { ...got, sum, ...judged(seed_leaf(got.given), got.given, tensor.dtype, {}) };
  const found = explain_rule(model, tensor, got);
  const rows = got.by_rows && found.found ? judged_rows(tensor, got, found) : {};
  return { ...got, sum, ...found, ...rows };
}

// `cells` of the contribution, of shape `wide`, are summed into this one; `terms` are their numbers, `given` their sum.
function brought_to(tensor, { delivery, from }, cell) {
  const at = (values) => stored_at(values, tensor.shape, cell, tensor.dtype);
  const { input, contribution, by_rows = false, summed_over = [] } = delivery;
  const wide = contribution.shape ?? tensor.shape;
  const lost = summed_over.length > 0 && !contribution.all;
  const cells = by_rows ? [cell] : lost ? [] : stretched_cells(cell, tensor.shape, wide);
  const terms = by_rows || lost ? [undefined] : cells.map((c) => stored_at(contribution, wide, c, tensor.dtype));
  const sums = { before: at(delivery.before), given: total_of(terms), after: at(delivery.after) };
  return { delivery, from, input, by_rows, summed_over, wide, lost, cells, terms, ...sums };
}

const total_of = (terms) => (terms.includes(undefined) ? undefined : terms.reduce((a, b) => a + b, 0));
const seed_leaf = (given) => (given === undefined ? null : number_leaf(given, { role: "gradient" }));

// For a contribution that is a few rows, what it adds to a cell is not in the trace, but what the cell is then.
function judged_rows(tensor, { delivery, before, after }, found) {
  if (after === undefined || (delivery.before && before === undefined)) return {};
  const whole = sum_of(...(delivery.before ? [number_leaf(before)] : []), found.expression);
  const verdict = agrees(evaluate(whole), after, tensor.dtype) ? "equal" : "differs";
  return { traced: after - (before ?? 0), verdict, sum: verdict };
}

// before + contribution = after, of the traced numbers themselves.
function judged_sum(tensor, { delivery, before, terms, after }) {
  const all = [...(delivery.before ? [before] : []), ...terms];
  if (after === undefined || all.includes(undefined)) return "missing";
  const total = sum_of(...all.map((x) => number_leaf(x)), number_leaf(0));
  return agrees(evaluate(total), after, tensor.dtype) ? "equal" : "differs";
}

// The op's rule at these cells of its contribution, or the chain rule where it is not written here.
function explain_rule(model, tensor, { delivery, from, wide, cells, terms, given, lost }) {
  const made = model.by_number.get(from);
  const formula = formula_of(model, made, delivery.input + 1);
  const written = written_op(model, made), op = op_reader(model, from);
  const missing = lost ? made : lost_input(op, written, model.gradient_of(from));
  const whole = whole_for(op, lost ? wide : undefined);
  if (missing) return { formula, traced: given, verdict: "missing", missing, whole };
  const choice = written && chosen_for(op, written);
  if (!choice) return { formula, traced: given, verdict: "unknown" };
  const own = own_rule(op, written, choice, delivery, cells);
  const parts = own ?? chain_rule(op, written, choice, delivery, cells);
  const more = { formula, note: choice.note, fits: choice.fits, by_chain_rule: own === null, whole };
  const found = judged(parts && sum_of(...parts), given, tensor.dtype, more);
  const each = (part, i) => agrees(evaluate(part), terms[i], tensor.dtype);
  if (found.verdict === "equal" && own && !own.every(each)) found.verdict = "differs";
  return found;
}
