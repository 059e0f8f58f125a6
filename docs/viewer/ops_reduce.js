// The arithmetic of sums, extremes and products of matrices.
import { cells_of, same_shape, with_axis } from "./cells.js";
import { broadcast_index, reduced_index, reductions_between, stretched_cells } from "./cells.js";
import { condition_of, node_of, number_leaf, product_of, quotient_of, sum_of } from "./expression.js";

const reduction_choices = (op) =>
  reductions_between(op.shape_of(0), op.shape).map((axes) => ({
    axes,
    note: axes.length ? `over axis ${axes.join(", ")}` : "",
  }));

// The cells of x that are reduced into a cell of y.
function cells_reduced_to(op, cell, { axes }) {
  const shape = op.shape_of(0), kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const at = op.shape.length === shape.length ? cell : shape.map((_, axis) => cell[kept.indexOf(axis)]);
  const sizes = shape.map((size, axis) => (axes.includes(axis) ? size : 1));
  return cells_of(sizes).map((from) => from.map((i, axis) => (axes.includes(axis) ? i : at[axis])));
}

// Its numbers; one that is lost if x is only a summary.
const numbers_reduced_to = (op, cell, choice) =>
  op.whole(0) ? cells_reduced_to(op, cell, choice).map((from) => op.x(0, from)) : [op.lost(0)];

const of_x = (op, input) => op.shape_of(input);

function extreme_op(kind) {
  const value = (op, cell, choice) =>
    node_of(
      kind,
      cells_reduced_to(op, cell, choice).map((from) => op.x(0, from)),
    );
  const rule = (op, input, cell, choice) => {
    const to = reduced_index(cell, choice.axes, op.shape.length);
    if (!op.whole(0)) return op.lost(0);
    const equal = cells_reduced_to(op, to, choice).filter((from) => op.x(0, from).value === op.y(to).value).length;
    const chosen = condition_of("=", op.x(0, cell), op.y(to));
    return product_of(equal > 1 ? quotient_of(op.g(to), number_leaf(equal)) : op.g(to), chosen);
  };
  const formulas = [`y = ${kind} x`, "dL/dx = dL/dy ⊙ [x = y], shared equally among those"];
  return { formulas, value, rule, choices: reduction_choices, shape: of_x };
}

const sum_op = {
  formulas: ["y = Σ x", "dL/dx = dL/dy, repeated along the summed axes"],
  choices: reduction_choices,
  value: (op, cell, choice) => sum_of(...numbers_reduced_to(op, cell, choice)),
  rule: (op, input, cell, { axes }) => op.g(reduced_index(cell, axes, op.shape.length)),
  shape: of_x,
};

const sum_to_op = {
  formulas: ["y = Σ x over the stretched axes", "dL/dx = dL/dy, repeated along them"],
  value: (op, cell) => op.whole(0) ? sum_of(...stretched_cells(cell, op.shape, op.shape_of(0)).map((from) => op.x(0, from))) : op.lost(0),
  rule: (op, input, cell) => op.g(broadcast_index(cell, op.shape)),
  shape: of_x,
};

const along = (cell, axis, from, to) => Array.from({ length: to - from }, (_, i) => with_axis(cell, axis, from + i));

const cumsum_op = {
  formulas: ["y_i = Σ_{j ≤ i} x_j", "dL/dx_j = Σ_{i ≥ j} dL/dy_i"],
  choices: (op) => op.shape.map((_, axis) => ({ axis, note: `along axis ${axis}` })),
  value: (op, cell, { axis }) => sum_of(...along(cell, axis, 0, cell[axis] + 1).map((from) => op.x(0, from))),
  rule: (op, input, cell, { axis }) => sum_of(...along(cell, axis, cell[axis], op.shape[axis]).map((to) => op.g(to))),
  shape: of_x,
};

// The rows and columns of op(A) or op(B).
const turned_sizes = (shape, transposed) => (transposed ? [shape.at(-1), shape.at(-2)] : [shape.at(-2), shape.at(-1)]);

function matmul_choices(op) {
  const found = [];
  for (const bits of [0, 2, 1, 3]) {
    const ta = (bits & 1) !== 0, tb = (bits & 2) !== 0;
    const [rows, inner] = turned_sizes(op.shape_of(0), ta);
    const [inner_b, columns] = turned_sizes(op.shape_of(1), tb);
    if (inner !== inner_b || rows !== op.shape.at(-2) || columns !== op.shape.at(-1)) continue;
    found.push({ ta, tb, inner, note: ta || tb ? `of ${ta ? "aᵀ" : "a"} and ${tb ? "bᵀ" : "b"}` : "" });
  }
  return found;
}

// op(A)[i, k] or op(B)[k, j] of the batch that `lead` is broadcast from.
function element_of(op, input, lead, i, j, transposed) {
  const at = transposed ? [j, i] : [i, j];
  return op.x(input, [...broadcast_index(lead, op.shape_of(input).slice(0, -2)), ...at]);
}

function matmul_value(op, cell, { ta, tb, inner }) {
  const lead = cell.slice(0, -2),
    [i, j] = cell.slice(-2);
  const term = (_, k) => product_of(element_of(op, 0, lead, i, k, ta), element_of(op, 1, lead, k, j, tb));
  return sum_of(...Array.from({ length: inner }, term));
}

// dL/dA[i, k] = Σ_j G[i, j] B[k, j] and dL/dB[k, j] = Σ_i A[i, k] G[i, j], for op(A) and op(B).
function matmul_rule(op, input, cell, { ta, tb }) {
  const lead = cell.slice(0, -2),
    transposed = input === 0 ? ta : tb;
  const [row, column] = transposed ? [cell.at(-1), cell.at(-2)] : cell.slice(-2);
  if (input === 0) {
    const term = (_, j) => product_of(op.g([...lead, row, j]), element_of(op, 1, lead, column, j, tb));
    return sum_of(...Array.from({ length: op.shape.at(-1) }, term));
  }
  const term = (_, i) => product_of(element_of(op, 0, lead, i, row, ta), op.g([...lead, i, column]));
  return sum_of(...Array.from({ length: op.shape.at(-2) }, term));
}

// A contribution has the batch of the product, and the matrix of its input.
const matmul_op = {
  formulas: ["y = a b", "dL/da = dL/dy bᵀ", "dL/db = aᵀ dL/dy"],
  choices: matmul_choices,
  value: matmul_value,
  rule: matmul_rule,
  shape: (op, input) => [...op.shape.slice(0, -2), ...op.shape_of(input).slice(-2)],
};

export const reduce_ops = {
  sum: sum_op,
  sum_to: sum_to_op,
  max: extreme_op("max"),
  min: extreme_op("min"),
  cumsum: cumsum_op,
  matmul: matmul_op,
};
