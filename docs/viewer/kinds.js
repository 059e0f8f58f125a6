// The kinds of expressions: what each computes and its derivative by each part. Both serve three ends: the number that
// the page shows, the bound on its rounding, and the chain rule where an op's own rule is not written here.

// e^(-x²) Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)) · 2/√π: all terms are positive, so nothing cancels.
function erf_of(x) {
  const a = Math.abs(x);
  if (Number.isNaN(x) || a > 6) return Math.sign(x);
  let term = a;
  let sum = a;
  for (let n = 1; term > sum * 1e-18; ++n) sum += term *= (2 * a * a) / (2 * n + 1);
  return Math.sign(x) * (2 / Math.sqrt(Math.PI)) * Math.exp(-a * a) * sum;
}

const slope_of_erf = (x) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x);
const logistic_of = (x) => 1 / (1 + Math.exp(-x));

// 1 for the extreme part, shared by those that are equal.
function share_of_extreme(values, extreme) {
  const count = values.filter((v) => v === extreme).length;
  return values.map((v) => (v === extreme ? 1 / count : 0));
}

// 0 times anything is 0 where the 0 is that of a condition, [x > 0]: what it shuts out does no harm.
function product_of_values(values, parts) {
  if (parts.some((p, i) => p.kind === "condition" && values[i] === 0)) return 0;
  return values.reduce((a, b) => a * b, 1);
}

const function_table = {
  exp: [Math.exp, (x, y) => y],
  expm1: [Math.expm1, (x) => Math.exp(x)],
  log: [Math.log, (x) => 1 / x],
  log1p: [Math.log1p, (x) => 1 / (1 + x)],
  sin: [Math.sin, (x) => Math.cos(x)],
  cos: [Math.cos, (x) => -Math.sin(x)],
  tanh: [Math.tanh, (x, y) => 1 - y * y],
  σ: [logistic_of, (x, y) => y * (1 - y)],
  erf: [erf_of, slope_of_erf],
  sign: [Math.sign, () => 0],
  root: [Math.sqrt, (x, y) => 1 / (2 * y)],
  abs: [Math.abs, (x) => Math.sign(x)],
};

const comparison_table = {
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  "≥": (a, b) => a >= b,
  "≤": (a, b) => a <= b,
  "=": (a, b) => a === b,
};

// value(values, e): of the parts' values. slopes(values, value, e): the derivative by each part.
export const kind_table = {
  sum: { value: (v) => v.reduce((a, b) => a + b, 0), slopes: (v) => v.map(() => 1) },
  difference: { value: ([a, b]) => a - b, slopes: () => [1, -1] },
  negative: { value: ([a]) => -a, slopes: () => [-1] },
  product: {
    value: (v, e) => product_of_values(v, e.parts),
    slopes: (v, y, e) =>
      v.map((_, i) =>
        product_of_values(
          v.filter((__, j) => j !== i),
          e.parts.filter((__, j) => j !== i),
        )
      ),
  },
  quotient: { value: ([a, b]) => a / b, slopes: ([, b], y) => [1 / b, -y / b] },
  power: {
    value: ([a, b]) => a ** b,
    slopes: ([a, b], y) => [b === 0 ? 0 : b * a ** (b - 1), a > 0 ? y * Math.log(a) : 0],
  },
  function: {
    value: ([x], e) => function_table[e.name][0](x),
    slopes: ([x], y, e) => [function_table[e.name][1](x, y)],
  },
  condition: { value: ([a, b], e) => Number(comparison_table[e.name](a, b)), slopes: () => [0, 0] },
  choice: { value: ([mask, a, b]) => (mask !== 0 ? a : b), slopes: ([mask]) => [0, Number(mask !== 0), Number(mask === 0)] },
  max: { value: (v) => Math.max(...v), slopes: share_of_extreme },
  min: { value: (v) => Math.min(...v), slopes: share_of_extreme },
  named: { value: ([x]) => x, slopes: () => [1] },
};

// The magnitude that one rounding of this step is relative to. A sum is rounded after each of its terms.
export function rounding_scale(e, values, value) {
  if (e.kind === "named" || e.kind === "choice" || e.kind === "max" || e.kind === "min" || e.kind === "negative") return 0;
  if (e.name === "erf") return 1; // its polynomials are good to a place of 1, also where it is small
  if (e.kind !== "sum" && e.kind !== "difference") return Math.abs(value);
  return values.reduce((a, b) => a + Math.abs(b), 0) * (1 + Math.sqrt(values.length) / 4);
}
