// An op's contribution to one of its inputs, at some cells: by its own rule, or by the chain rule.
import { cells_of, same_shape } from "./cells.js";
import { derivative, missing_leaf, number_leaf, product_of } from "./expression.js";

const most_terms = 4096; // of a chain rule's sum that is computed here

// One expression a cell; null where the rule is not written here.
export function own_rule(op, written, choice, delivery, cells) {
  const shape = delivery.contribution.shape ?? op.inputs[delivery.input].shape;
  if (!delivery.by_rows && !same_shape(shape, written.shape(op, delivery.input))) return null;
  const parts = cells.map((cell) => written.rule?.(op, delivery.input, cell, choice) ?? null);
  return parts.includes(null) ? null : parts;
}

// The terms of Σ dL/dy ⊙ ∂y/∂x over the cells of y that the cells of x reach; null where y is not written here, or there
// are too many.
export function chain_rule(op, written, choice, delivery, cells) {
  const shape = delivery.contribution.shape ?? op.inputs[delivery.input].shape;
  if (!same_shape(shape, op.inputs[delivery.input].shape)) return null;
  const terms = cells.map((cell) => terms_through(op, written, choice, delivery.input, cell));
  if (terms.includes(null)) return null;
  const some = terms.flat();
  return some.length === 0 ? [number_leaf(0)] : some;
}

function terms_through(op, written, choice, input, cell) {
  const reach = written.reach?.(op, input, cell) ?? cells_of(op.shape);
  if (reach.length > most_terms) return null;
  const number = op.inputs[input].number;
  const wanted = (leaf) => leaf.source?.tensor === number && !leaf.source.gradient && same_shape(leaf.source.cell, cell);
  const terms = [];
  for (const c of reach) {
    const y = written.value(op, c, choice);
    if (y === null) return null;
    const lost = missing_leaf(y);
    if (lost) return [lost];
    const { slope, size } = derivative(y, wanted);
    if (size !== 0) terms.push(product_of(op.g(c), number_leaf(slope, { error: 4 * size, role: "value" })));
  }
  return terms;
}
