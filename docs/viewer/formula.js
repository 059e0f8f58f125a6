// The formulas above an op, read: "dL/da = -dL/dy ⊙ y / b" becomes an expression, its names bound to numbers.
import { condition_of, function_of, negative_of, node_of, number_leaf, product_of } from "./expression.js";

const formula_tokens = /\s*(dL\/d[\p{L}\d_ᵢ]+|[0-9]*\.?[0-9]+(?:e-?\d+)?|log1p|expm1|[\p{L}_][\p{L}\d_₀-₉]*|[-−+⊙·×*/^()[\]|,?:√²><≥≤=])/uy;
const formula_functions = {
  log: "log",
  sin: "sin",
  cos: "cos",
  tanh: "tanh",
  σ: "σ",
  erf: "erf",
  sign: "sign",
  exp: "exp",
  log1p: "log1p",
  expm1: "expm1",
  max: "max",
  min: "min",
};

function tokens_of(text) {
  const found = [];
  formula_tokens.lastIndex = 0;
  while (formula_tokens.lastIndex < text.trimEnd().length) {
    const match = formula_tokens.exec(text);
    if (!match) return null;
    found.push(match[1]);
  }
  return found;
}

// What does not read as a formula, such as "dL/dx = dL/dy under x's", throws NotAFormula.
class NotAFormula extends Error {}

class FormulaReader {
  constructor(tokens, binding) {
    this.tokens = tokens;
    this.binding = binding; // name → expression, or undefined
    this.at = 0;
  }

  peek() {
    return this.tokens[this.at];
  }
  take() {
    return this.tokens[this.at++];
  }
  accept(...texts) {
    return texts.includes(this.peek()) ? this.take() : undefined;
  }
  expect(text) {
    if (!this.accept(text)) throw new NotAFormula(text);
  }

  whole() {
    const e = this.choice();
    if (this.at < this.tokens.length) throw new NotAFormula(this.peek());
    return e;
  }

  choice() {
    const mask = this.sum();
    if (!this.accept("?")) return mask;
    const chosen = this.sum();
    this.expect(":");
    return node_of("choice", [mask, chosen, this.choice()]);
  }

  sum() {
    let e = this.product();
    for (let sign; (sign = this.accept("+", "-", "−"));)
      e = node_of(sign === "+" ? "sum" : "difference", [e, this.product()]);
    return e;
  }

  product() {
    if (this.accept("-", "−")) return negative_of(this.product());
    let e = this.beside();
    for (let sign; (sign = this.accept("⊙", "·", "×", "*", "/"));) {
      const right = this.beside();
      e = sign === "/"
        ? node_of("quotient", [e, right])
        : node_of("product", [...(e.kind === "product" ? e.parts : [e]), right]);
    }
    return e;
  }

  // 2y, x log a: side by side they bind more than a division does.
  beside() {
    const parts = [this.power()];
    while (this.peek() !== undefined && /^[\p{L}√(]/u.test(this.peek())) parts.push(this.power());
    return product_of(...parts);
  }

  power() {
    const base = this.atom();
    if (this.accept("²")) return node_of("power", [base, number_leaf(2)]);
    if (!this.accept("^")) return base;
    const exponent = this.accept("-", "−") ? negative_of(this.power()) : this.power();
    return base.kind === "number" && base.label === "e" ? function_of("exp", exponent) : node_of("power", [base, exponent]);
  }

  atom() {
    const token = this.take();
    if (token === undefined) throw new NotAFormula("the end");
    if (/^[0-9.]/.test(token)) return number_leaf(Number(token), { label: token });
    if (token === "(") return this.closed(")");
    if (token === "|") return function_of("abs", this.closed("|"));
    if (token === "√") return function_of("root", this.power());
    if (token === "[") return this.condition();
    const bound = this.binding(token);
    if (bound) return bound;
    if (formula_functions[token]) return this.applied(token);
    if (token === "e") return number_leaf(Math.E, { label: "e" });
    if (token === "π") return number_leaf(Math.PI, { label: "π" });
    throw new NotAFormula(token);
  }

  closed(end) {
    const e = this.choice();
    this.expect(end);
    return e;
  }

  condition() {
    const left = this.sum();
    const name = this.accept(">", "<", "≥", "≤", "=");
    if (!name) throw new NotAFormula("[");
    const e = condition_of(name, left, this.sum());
    this.expect("]");
    return e;
  }

  applied(token) {
    if (token !== "max" && token !== "min") return function_of(formula_functions[token], this.power());
    this.expect("(");
    const parts = [this.sum()];
    while (this.accept(",")) parts.push(this.sum());
    this.expect(")");
    return node_of(token, parts);
  }
}

// {left: "dL/da", right: "dL/dy ⊙ b"}, or null if there is no equals sign.
export function split_formula(formula) {
  const at = formula.indexOf(" = ");
  return at < 0 ? null : { left: formula.slice(0, at).trim(), right: formula.slice(at + 3).trim() };
}

// The right side with `binding(name)` put in for each name; null where it does not read as a formula.
export function expression_of(right, binding) {
  const tokens = tokens_of(right);
  if (!tokens) return null;
  try {
    return new FormulaReader(tokens, binding).whole();
  } catch (error) {
    if (error instanceof NotAFormula) return null;
    throw error;
  }
}
