// Elementwise ops: their arithmetic is read from formulas, those above the op in its source or, for an activation, those
// here, whose rule is then shown by the chain rule.
import { stretched_cells } from "./cells.js";
import { number_leaf, product_of } from "./expression.js";
import { expression_of, split_formula } from "./formula.js";

const of_y = (op) => op.shape;

// Names bound to the numbers of a cell: inputs by their names, y, dL/dy, and the constants of a choice.
function binding_at(op, names, cell, constants = {}) {
  return (name) => {
    const input = names.indexOf(name);
    if (input >= 0 && op.has(input)) return op.at(input, cell);
    if (name === "y") return op.y(cell);
    if (name === "dL/dy") return op.g(cell);
    return name in constants ? number_leaf(constants[name]) : undefined;
  };
}

// From formulas "y = …" and "dL/d<name> = …"; null if the first does not read as one. `exact` replaces right sides whose
// text leaves out a case: {"dL/da": "…"}.
function formula_op(formulas, names, { choices = () => [{}], exact = {} } = {}) {
  const right_of = (left) => exact[left] ?? formulas.map(split_formula).find((f) => f?.left === left)?.right;
  const read = (left, op, cell, choice) => {
    const right = right_of(left);
    return right === undefined ? null : expression_of(right, binding_at(op, names, cell, choice.constants));
  };
  return {
    formulas,
    names,
    choices,
    by_parts: true,
    value: (op, cell, choice) => read("y", op, cell, choice),
    rule: (op, input, cell, choice) => read(`dL/d${names[input]}`, op, cell, choice),
    reach: (op, input, cell) => stretched_cells(cell, op.shape_of(input), op.shape),
    shape: of_y,
  };
}

// What the formulas of these leave to words: equal operands, and 0 · ∞.
const exact_rules = {
  maximum: { "dL/da": "[a > b] ? dL/dy : [a = b] ? dL/dy / 2 : 0", "dL/db": "[b > a] ? dL/dy : [a = b] ? dL/dy / 2 : 0" },
  minimum: { "dL/da": "[b > a] ? dL/dy : [a = b] ? dL/dy / 2 : 0", "dL/db": "[a > b] ? dL/dy : [a = b] ? dL/dy / 2 : 0" },
  pow: { "dL/da": "[b = 0] ? 0 : dL/dy ⊙ b ⊙ a^(b-1)", "dL/db": "[a = 0] ? 0 : dL/dy ⊙ y ⊙ log a" },
};

// The op as its source has it, if its source is in the trace and reads as formulas.
export function op_from_source(name, source) {
  if (!source?.formulas?.length || !source.parameters?.length) return null;
  const y = split_formula(source.formulas[0]);
  if (y?.left !== "y") return null;
  const any = number_leaf(1);
  if (expression_of(y.right, (word) => (source.parameters.includes(word) ? any : undefined)) === null) return null;
  return formula_op(source.formulas, source.parameters, { exact: exact_rules[name] });
}

const constant_choices = (name, values) => () => values.map((value) => ({ constants: { [name]: value }, note: `${name} = ${value}` }));

// The number that a module says of itself, LeakyReLU(0.2), goes first.
const said_or = (name, values) => (op) => {
  const said = op.model.trace.modules?.[op.tensor.module]?.type?.match(/\((-?[\d.]+(?:e-?\d+)?)\)/)?.[1];
  return constant_choices(name, said === undefined ? values : [Number(said), ...values])();
};

const root_two = "1.4142135623730951";
const activation_formulas = {
  silu: "x ⊙ σ(x)",
  quick_gelu: "x ⊙ σ(1.702 ⊙ x)",
  mish: "x ⊙ tanh(max(0, x) + log1p(exp(-|x|)))",
  gelu: `x ⊙ (1 + erf(x / ${root_two})) / 2`,
  gelu_tanh: "x ⊙ (1 + tanh(0.7978845608028654 ⊙ (x + 0.044715 ⊙ x^3))) / 2",
  softplus: "max(0, x) + log1p(exp(-|x|))",
  selu: "1.0507009873554805 ⊙ ([x > 0] ? x : 1.6732632423543772 ⊙ expm1(x))",
  relu2: "max(0, x)²",
  relu6: "[x ≤ 0] ? 0 : [x ≥ 6] ? 6 : x",
  hardsigmoid: "[x ≤ -3] ? 0 : [x ≥ 3] ? 1 : (x + 3) / 6",
  hardswish: "x ⊙ ([x ≤ -3] ? 0 : [x ≥ 3] ? 1 : (x + 3) / 6)",
  sigmoid: "σ(x)",
  tanh: "tanh(x)",
  relu: "[x > 0] ? x : 0",
  log_sigmoid: "-(max(0, -x) + log1p(exp(-|x|)))",
  softsign: "x / (1 + |x|)",
};
const parametric_formulas = {
  leaky_relu: ["[x > 0] ? x : slope ⊙ x", "slope", [0.01, 0.1, 0.2, 0.25, 0.3]],
  elu: ["[x > 0] ? x : alpha ⊙ expm1(x)", "alpha", [1, 0.5, 2]],
  celu: ["[x > 0] ? x : alpha ⊙ expm1(x / alpha)", "alpha", [1, 0.5, 2]],
  swish: ["x ⊙ σ(beta ⊙ x)", "beta", [1, 1.702, 0.5, 2]],
  hardtanh: ["[x ≤ -limit] ? -limit : [x ≥ limit] ? limit : x", "limit", [1, 2]],
  softshrink: ["[|x| ≤ threshold] ? 0 : [x > 0] ? x - threshold : x + threshold", "threshold", [0.5, 1]],
  hardshrink: ["[|x| ≤ threshold] ? 0 : x", "threshold", [0.5, 1]],
};

function gate_choices(op) {
  const plain_ones = Object.entries(activation_formulas).map(([f, text]) => ({ text, note: `f = ${f}` }));
  const with_constants = Object.entries(parametric_formulas).flatMap(([f, [text, constant, usual]]) =>
    said_or(constant, usual)(op).map((choice) => ({ ...choice, text, note: `f = ${f}, ${choice.note}` }))
  );
  return [...plain_ones, ...with_constants];
}

const gate_of = (op, cell, { text, constants = {} }) =>
  expression_of(text, (name) => name === "x" ? op.x(0, cell) : name in constants ? number_leaf(constants[name]) : undefined);

// f(a) ⊙ b, f being the activation that fits: the trace does not name it.
const gate_op = {
  formulas: ["y = f(a) ⊙ b", "dL/da = dL/dy ⊙ f′(a) ⊙ b", "dL/db = dL/dy ⊙ f(a)"],
  names: ["a", "b"],
  choices: gate_choices,
  by_parts: true,
  value: (op, cell, choice) => product_of(gate_of(op, cell, choice), op.x(1, cell)),
  rule: (op, input, cell, choice) => (input === 0 ? null : product_of(op.g(cell), gate_of(op, cell, choice))),
  reach: (op, input, cell) => [cell],
  shape: of_y,
};

export function elementwise_ops() {
  const found = { gate: gate_op, learned_swish: formula_op(["y = x ⊙ σ(beta ⊙ x)"], ["x", "beta"]) };
  for (const [name, text] of Object.entries(activation_formulas)) found[name] = formula_op([`y = ${text}`], ["x"]);
  for (const [name, [text, constant, usual]] of Object.entries(parametric_formulas)) {
    found[name] = formula_op([`y = ${text}`], ["x"], { choices: said_or(constant, usual) });
  }
  return found;
}
