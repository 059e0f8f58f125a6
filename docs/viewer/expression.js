// An expression of numbers, built once, then evaluated, shown and differentiated: so what the page shows is what it
// computed. A node is {kind, parts}; kinds.js says what the kinds compute.
import { kind_table, rounding_scale } from "./kinds.js";

// A number, and perhaps where it comes from: source = {tensor, cell, gradient}; `missing` if the trace does not hold it.
export const number_leaf = (value, more = {}) => ({ kind: "number", value, ...more });
export const node_of = (kind, parts, more = {}) => ({ kind, parts, ...more });
export const sum_of = (...terms) => (terms.length === 1 ? terms[0] : node_of("sum", terms));
export const difference_of = (a, b) => node_of("difference", [a, b]);
export const negative_of = (a) => node_of("negative", [a]);
export const product_of = (...factors) => (factors.length === 1 ? factors[0] : node_of("product", factors));
export const quotient_of = (a, b) => node_of("quotient", [a, b]);
export const square_of = (a) => node_of("power", [a, number_leaf(2)]);
export const function_of = (name, a) => node_of("function", [a], { name });
export const condition_of = (name, a, b) => node_of("condition", [a, b], { name });
export const mean_of = (terms) => quotient_of(sum_of(...terms), number_leaf(terms.length));
// A part with a name: shown as its number, its own arithmetic in a line above.
export const named = (name, a) => node_of("named", [a], { name });

// {value, error}: the value, and how far in roundings another order of the same arithmetic may lie from it. A shared
// part is evaluated once.
export function evaluate(e, known = new Map()) {
  if (e.kind === "number") return { value: e.value, error: e.error ?? 0 };
  if (known.has(e)) return known.get(e);
  const parts = e.parts.map((part) => evaluate(part, known));
  const values = parts.map((p) => p.value);
  const value = kind_table[e.kind].value(values, e);
  const slopes = kind_table[e.kind].slopes(values, value, e);
  let error = rounding_scale(e, values, value);
  parts.forEach((p, i) => (error += p.error === 0 || slopes[i] === 0 ? 0 : Math.abs(slopes[i]) * p.error));
  const found = { value, error };
  known.set(e, found);
  return found;
}

// {slope, size}: ∂e/∂leaf, summed over the leaves that `wanted` says, and the same with every term positive: what its
// rounding is relative to. tanh, σ and erf reach 1, and their slopes are rounded as differences from it.
export function derivative(e, wanted, known = new Map(), done = new Map()) {
  if (e.kind === "number") return wanted(e) ? { slope: 1, size: 1 } : { slope: 0, size: 0 };
  if (done.has(e)) return done.get(e);
  const values = e.parts.map((part) => evaluate(part, known).value);
  const slopes = kind_table[e.kind].slopes(values, evaluate(e, known).value, e);
  const least = ["tanh", "σ", "erf"].includes(e.name) ? 1 : 0;
  const found = { slope: 0, size: 0 };
  e.parts.forEach((part, i) => {
    const inner = derivative(part, wanted, known, done);
    if (inner.size === 0) return;
    if (inner.slope !== 0 && slopes[i] !== 0) found.slope += slopes[i] * inner.slope;
    found.size += Math.max(Math.abs(slopes[i]), least) * inner.size;
  });
  done.set(e, found);
  return found;
}

// Every node once, parts before what is made of them.
export function each_node(e, see, seen = new Set()) {
  if (seen.has(e)) return;
  seen.add(e);
  (e.parts ?? []).forEach((part) => each_node(part, see, seen));
  see(e);
}

// The first leaf whose number the trace does not hold, or undefined.
export function missing_leaf(e) {
  let found;
  each_node(e, (n) => (found ??= n.missing ? n : undefined));
  return found;
}

// For each dtype: half a place, how many of those a kernel's functions may be off, and what is too small to be told from 0.
const half_place = { f16: 2 ** -11, f32: 2 ** -24, f64: 2 ** -53, i64: 0 };
const kernel_places = { f16: 2, f32: 8, f64: 8, i64: 0 };
const too_small = { f16: 2 ** -23, f32: 2 ** -123, f64: 2 ** -1019, i64: 0 };
const greatest = { f16: 65504, f32: 3.4028234663852886e38, f64: Infinity, i64: Infinity };

// Is `traced` what the expression gives, within the rounding of its dtype?
export function agrees(found, traced, dtype) {
  if (Number.isNaN(found.value) || Number.isNaN(traced)) return Number.isNaN(found.value) && Number.isNaN(traced);
  if (!Number.isFinite(traced)) return found.value === traced || Math.abs(found.value) >= greatest[dtype] * (1 - 1e-3);
  const allowed = kernel_places[dtype] * half_place[dtype] * (found.error + Math.abs(found.value)) + too_small[dtype];
  return Math.abs(found.value - traced) <= allowed;
}
