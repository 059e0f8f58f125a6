// The arithmetic of ops that take a row together: softmax, the norms, cross-entropy.
import { cells_of } from "./cells.js";
import { difference_of, number_leaf, product_of, quotient_of, square_of, sum_of } from "./expression.js";
import { function_of, mean_of, named, node_of } from "./expression.js";
import { format_number } from "./model.js";

const of_input = (op, input) => op.shape_of(input);
const exp_of = (a, shift) => function_of("exp", difference_of(a, shift));

// The cells of the row through `cell`: those that differ in the last `axes` axes alone.
export function row_of(shape, cell, axes = 1) {
  const lead = cell.slice(0, shape.length - axes);
  return cells_of(shape.slice(shape.length - axes)).map((rest) => [...lead, ...rest]);
}

const rows_of = (shape, axes = 1) => cells_of(shape.slice(0, shape.length - axes));

// log Σ e^x = max + log Σ e^(x - max)
function log_sum_exp(terms) {
  const largest = named("max", node_of("max", terms));
  const total = named("Σ e^(x − max)", sum_of(...terms.map((t) => exp_of(t, largest))));
  return named("log Σ e^x", sum_of(largest, function_of("log", total)));
}

const softmax_op = {
  formulas: ["y = e^(x − max) / Σ e^(x − max)", "dL/dx = y ⊙ (dL/dy − Σ dL/dy ⊙ y)"],
  value(op, cell) {
    const terms = row_of(op.shape, cell).map((c) => op.x(0, c));
    const largest = named("max", node_of("max", terms));
    const total = named("Σ e^(x − max)", sum_of(...terms.map((t) => exp_of(t, largest))));
    return quotient_of(exp_of(op.x(0, cell), largest), total);
  },
  rule(op, input, cell) {
    const weighted = named("Σ dL/dy ⊙ y", sum_of(...row_of(op.shape, cell).map((c) => product_of(op.g(c), op.y(c)))));
    return product_of(op.y(cell), difference_of(op.g(cell), weighted));
  },
  shape: of_input,
};

const log_softmax_op = {
  formulas: ["y = x − log Σ e^x", "dL/dx = dL/dy − e^y ⊙ Σ dL/dy"],
  value: (op, cell) => difference_of(op.x(0, cell), log_sum_exp(row_of(op.shape, cell).map((c) => op.x(0, c)))),
  rule(op, input, cell) {
    const total = named("Σ dL/dy", sum_of(...row_of(op.shape, cell).map((c) => op.g(c))));
    return difference_of(op.g(cell), product_of(function_of("exp", op.y(cell)), total));
  },
  shape: of_input,
};

// ε is not in the trace, but perhaps in what the module says of itself; else one of these has to fit.
function eps_choices(op, more = []) {
  const said = op.model.trace.modules?.[op.tensor.module]?.type?.match(/eps ([\d.e-]+)/)?.[1];
  const usual = [1e-5, 1e-6, 1e-8, 1e-12, 0, 1e-3, 1e-4, 1e-7];
  return [...(said ? [Number(said)] : []), ...usual, ...more].map((eps) => ({ eps, note: `ε = ${format_number(eps)}` }));
}

// How many axes a norm goes over: those of its gain or bias, else the last.
const normed_axes = (op) => op.inputs.slice(1).find((x) => x !== undefined)?.shape.length ?? 1;
const gained = (op, e, cell, axes) => (op.has(1) ? product_of(e, op.x(1, cell.slice(-axes))) : e);
const root_with_eps = (e, eps) => function_of("root", eps === 0 ? e : sum_of(e, number_leaf(eps)));

// A row's terms x (centred: x − mean), and their root mean square.
function normed_row(op, cell, { eps }, centred) {
  const axes = normed_axes(op),
    row = row_of(op.shape, cell, axes);
  const x = row.map((c) => op.x(0, c));
  const mean = centred ? named("mean", mean_of(x)) : null;
  const terms = mean ? x.map((t) => difference_of(t, mean)) : x;
  const square = named(mean ? "variance" : "mean x²", mean_of(terms.map(square_of)));
  const root = named(mean ? "√(variance + ε)" : "rms", root_with_eps(square, eps));
  const own = row.findIndex((c) => c.every((at, axis) => at === cell[axis]));
  return { axes, row, terms, root, own };
}

// dL/dx = (h − mean h − x̂ ⊙ mean(h ⊙ x̂)) / root with h = dL/dy ⊙ gain; without "mean h" where nothing was centred.
function norm_rule_x(op, cell, choice, centred) {
  const { axes, row, terms, root, own } = normed_row(op, cell, choice, centred);
  const h = row.map((c) => gained(op, op.g(c), c, axes));
  const scaled = (i) => quotient_of(terms[i], root);
  const weighted = named("mean(h ⊙ x̂)", mean_of(row.map((_, i) => product_of(h[i], scaled(i)))));
  const level = centred ? difference_of(h[own], named("mean h", mean_of(h))) : h[own];
  return quotient_of(difference_of(level, product_of(scaled(own), weighted)), root);
}

// dL/dgain = Σ dL/dy ⊙ x̂ over the rows; dL/dbias = Σ dL/dy.
function norm_rule_affine(op, input, cell, choice, centred) {
  const cells = rows_of(op.shape, cell.length).map((lead) => [...lead, ...cell]);
  if (input === 2) return sum_of(...cells.map((c) => op.g(c)));
  return sum_of(
    ...cells.map((c) => {
      const { terms, root, own } = normed_row(op, c, choice, centred);
      return product_of(op.g(c), quotient_of(terms[own], root));
    }),
  );
}

function norm_op(formulas, centred, choices) {
  return {
    formulas,
    choices,
    value(op, cell, choice) {
      const { axes, terms, root, own } = normed_row(op, cell, choice, centred);
      const y = gained(op, quotient_of(terms[own], root), cell, axes);
      return op.has(2) ? sum_of(y, op.x(2, cell.slice(-axes))) : y;
    },
    rule: (op, input, cell, choice) =>
      input === 0 ? norm_rule_x(op, cell, choice, centred) : norm_rule_affine(op, input, cell, choice, centred),
    shape: of_input,
  };
}

const rms_norm_op = norm_op(
  [
    "y = x / √(mean x² + ε) ⊙ gain",
    "dL/dx = (h − x̂ ⊙ mean(h ⊙ x̂)) / rms, with h = dL/dy ⊙ gain, x̂ = x / rms",
    "dL/dgain = Σ dL/dy ⊙ x̂",
  ],
  false,
  (op) =>
    eps_choices(
      op,
      [1e-5, 1e-6, 1e-8, 1e-12].map((eps) => eps / op.shape.at(-1)),
    ),
);

const layer_norm_op = norm_op(
  [
    "y = (x − mean) / √(variance + ε) ⊙ gain + bias",
    "dL/dx = (h − mean h − x̂ ⊙ mean(h ⊙ x̂)) / √(variance + ε), with h = dL/dy ⊙ gain, x̂ = (x − mean) / √(variance + ε)",
    "dL/dgain = Σ dL/dy ⊙ x̂",
    "dL/dbias = Σ dL/dy",
  ],
  true,
  (op) => eps_choices(op),
);

// A row's logits, its log Z and its target.
function loss_row(op, row) {
  const logits = row_of(op.shape_of(0), [...row, 0]).map((c) => op.x(0, c));
  return { target: op.position(1, row), logits, log_z: log_sum_exp(logits) };
}

// A target of -1 is not counted.
const cross_entropy_op = {
  formulas: ["y = log Σ e^x − x[target]", "dL/dx = dL/dy ⊙ (softmax(x) − [class = target])"],
  value(op, row) {
    const { target, logits, log_z } = loss_row(op, row);
    if (target === undefined) return op.lost(1);
    return target < 0 ? number_leaf(0) : difference_of(log_z, logits[target]);
  },
  rule(op, input, cell) {
    const row = cell.slice(0, -1), k = cell.at(-1), { target, logits, log_z } = loss_row(op, row);
    if (target === undefined) return op.lost(1);
    if (target < 0) return number_leaf(0);
    const p = function_of("exp", difference_of(logits[k], log_z));
    return product_of(op.g(row), k === target ? difference_of(p, number_leaf(1)) : p);
  },
  reach: (op, input, cell) => [cell.slice(0, -1)],
  shape: of_input,
};

export const row_ops = {
  softmax: softmax_op,
  log_softmax: log_softmax_op,
  rms_norm: rms_norm_op,
  rms_norm_upcast: rms_norm_op,
  layer_norm: layer_norm_op,
  cross_entropy: cross_entropy_op,
};
