// What an op is told beside its tensors (axes, transposes, ε) is not in a trace. It is read off the numbers: of the
// possible choices, the one under which most of the traced cells come out.
import { index_at, numel } from "./cells.js";
import { agrees, evaluate, missing_leaf } from "./expression.js";
import { deliveries_of } from "./model.js";
import { stored_at } from "./op_reader.js";
import { own_rule } from "./op_rule.js";

const most_cells = 16; // of one tensor that a choice is tried on
const few_cells = 3; // where one contribution takes much arithmetic
const chosen_choices = new WeakMap(); // model → number → choice

// The choice, with fits: "only" (no other is possible), "numbers" (every cell tried comes out), "none" or "unknown"; null if
// there are too many to try.
export function chosen_for(op, written) {
  if (!chosen_choices.has(op.model)) chosen_choices.set(op.model, new Map());
  const known = chosen_choices.get(op.model);
  if (!known.has(op.number)) known.set(op.number, best_choice(op, written));
  return known.get(op.number);
}

function best_choice(op, written) {
  const choices = written.choices?.(op) ?? [{}];
  if (choices.length === 0) return null;
  if (choices.length === 1) return { ...choices[0], fits: "only" };
  if (!written.by_parts && op.inputs.some((x, i) => x && !op.whole(i))) return { ...choices[0], fits: "unknown" };
  let best = choices[0],
    most = -1;
  for (const choice of choices) {
    const { right, tried } = score_of(op, written, choice);
    const share = tried === 0 ? -1 : right / tried;
    if (share > most) [best, most] = [choice, share];
    if (most === 1) break;
  }
  return { ...best, fits: most < 0 ? "unknown" : most === 1 ? "numbers" : "none" };
}

// How many of some traced cells of y and of the contributions come out.
function score_of(op, written, choice) {
  const score = { right: 0, tried: 0 };
  for (const cell of some_cells(op.shape, most_cells)) {
    count_in(score, () => written.value(op, cell, choice), stored_at(op.tensor.values, op.shape, cell, op.dtype), op.dtype);
  }
  const visit = op.model.trace.walk[op.model.visit_of.get(op.number)];
  for (const delivery of visit ? deliveries_of(visit) : []) {
    if (delivery.by_rows) continue;
    const x = op.inputs[delivery.input], shape = delivery.contribution.shape ?? x.shape;
    for (const cell of some_cells(shape, written.at_once ? few_cells : most_cells)) {
      const rule = () => own_rule(op, written, choice, delivery, [cell])?.[0];
      count_in(score, rule, stored_at(delivery.contribution, shape, cell, x.dtype), x.dtype);
    }
  }
  return score;
}

function count_in(score, expression_at, traced, dtype) {
  const e = traced === undefined ? null : expression_at();
  if (e === null || e === undefined || missing_leaf(e)) return;
  ++score.tried;
  if (agrees(evaluate(e), traced, dtype)) ++score.right;
}

// Some cells spread over a shape, the first among them.
function some_cells(shape, most) {
  const count = numel(shape),
    step = Math.max(1, Math.floor(count / most) | 1);
  const found = [];
  for (let offset = 0; offset < count && found.length < most; offset += step) found.push(index_at(shape, offset));
  return found;
}
