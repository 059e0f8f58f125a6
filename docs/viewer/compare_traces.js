// Two traces held against each other: of the same program with another seed, of another commit, of a student and a
// reference. Tensors are matched by what they are, for their numbers may be shifted. Pure.
import { longest_common } from "../kit/common.mjs";
import { same_shape } from "./cells.js";
import { index_trace, number_of } from "./model.js";

const tolerances = { f16: 1e-2, f32: 1e-5, f64: 1e-12, i64: 0 };
const most_steps_aligned = 4e6;

// {pairs, counts, first_value, first_gradient}. A pair is {a, b, value, gradient}: the numbers of the two tensors (0: there
// is none) and, for each, {status: "OK" | "DIFF" | "SHAPE" | "MISSING", difference} or null where neither has one. The
// difference is relative to the largest element. first_value is the first pair that is not OK in the forward order,
// first_gradient in the walk's.
export function compare_traces(a, b) {
  const models = [index_trace(a), index_trace(b)];
  const pairs = matched_tensors(models).map(([x, y]) => compared_pair(models, x, y));
  const visit = (p) => (p.a ? models[0].visit_of.get(p.a) : models[1].visit_of.get(p.b)) ?? Infinity;
  const wrong = (part) => pairs.filter((p) => p[part] && p[part].status !== "OK");
  const by_walk = wrong("gradient").sort((p, q) => visit(p) - visit(q));
  const counts = { OK: 0, DIFF: 0, SHAPE: 0, MISSING: 0 };
  pairs.forEach((p) => ++counts[worst_status(p)]);
  return { pairs, counts, first_value: wrong("value")[0] ?? null, first_gradient: by_walk[0] ?? null };
}

export function worst_status({ value, gradient }) {
  const found = [value?.status, gradient?.status];
  return ["MISSING", "SHAPE", "DIFF"].find((status) => found.includes(status)) ?? "OK";
}

// What a tensor is, but for its number.
const signature_of = (trace, t) => `${trace.modules?.[t.module]?.path ?? ""} ${t.kind === "op" ? t.op : t.kind}`;

// Pairs of tensors, in a's order with b's own between them. Named ones by name; the others, which must come in the same
// order, by signature.
function matched_tensors([a, b]) {
  const forward = (model) => model.trace.tensors.filter((t) => !t.of_walk);
  const names = new Map(
    forward(b)
      .filter((t) => t.name)
      .map((t) => [t.name, t]),
  );
  const by_name = new Map(
    forward(a)
      .filter((t) => names.has(t.name))
      .map((t) => [t, names.get(t.name)]),
  );
  const taken = new Set(by_name.values());
  const rest = [forward(a).filter((t) => !by_name.has(t)), forward(b).filter((t) => !taken.has(t))];
  const aligned = aligned_pairs(
    rest[0],
    rest[1],
    (t) => signature_of(a.trace, t),
    (t) => signature_of(b.trace, t),
  );
  return [...by_name, ...aligned].sort((p, q) => (p[0] ?? p[1]).number - (q[0] ?? q[1]).number);
}

// The longest common subsequence of two lists by their keys; what is in one alone is paired with null.
function aligned_pairs(a, b, key_a, key_b) {
  const keys_a = a.map(key_a),
    keys_b = b.map(key_b);
  let start = 0,
    end_a = a.length,
    end_b = b.length;
  while (start < end_a && start < end_b && keys_a[start] === keys_b[start]) ++start;
  while (end_a > start && end_b > start && keys_a[end_a - 1] === keys_b[end_b - 1]) (--end_a, --end_b);
  const pairs = a.slice(0, start).map((x, i) => [x, b[i]]);
  const middle = [keys_a.slice(start, end_a), keys_b.slice(start, end_b)];
  const common = middle[0].length * middle[1].length <= most_steps_aligned ? longest_common(...middle) : [];
  let i = start,
    j = start;
  for (const [at_a, at_b] of [...common.map(([p, q]) => [p + start, q + start]), [end_a, end_b]]) {
    while (i < at_a) pairs.push([a[i++], null]);
    while (j < at_b) pairs.push([null, b[j++]]);
    if (i < end_a && j < end_b) pairs.push([a[i++], b[j++]]);
  }
  for (; i < a.length; ++i, ++j) pairs.push([a[i], b[j]]);
  return pairs;
}

function compared_pair([a, b], x, y) {
  const numbers = { a: x?.number ?? 0, b: y?.number ?? 0 };
  const gradients = [x && a.gradient_of(x.number), y && b.gradient_of(y.number)];
  const value = compared(x, y, x?.values, y?.values);
  const gradient = gradients[0] || gradients[1] ? compared(x, y, ...gradients) : null;
  return { ...numbers, value, gradient };
}

function compared(x, y, of_x, of_y) {
  if (!of_x || !of_y) return { status: "MISSING" };
  if (!same_shape(x.shape, y.shape)) return { status: "SHAPE" };
  const difference = relative_difference(of_x, of_y);
  const tolerance = Math.max(tolerances[x.dtype], tolerances[y.dtype]);
  return { status: difference <= tolerance ? "OK" : "DIFF", difference };
}

// The largest |x - y| in the largest element. It compares what both hold: all elements, or a corner and a summary.
export function relative_difference(x, y) {
  if (x.all && y.all) return of_elements(x.all, y.all);
  const said = ["min", "max", "mean", "rms"].map((name) => [x, y].map((values) => said_of(values, name)));
  const counts = ["nan", "inf"].some((name) => said_of(x, name) !== said_of(y, name));
  if (counts) return Infinity;
  const corners = x.corner && y.corner ? of_elements(x.corner, y.corner) : 0;
  return Math.max(
    corners,
    of_elements(
      said.map(([p]) => p),
      said.map(([, q]) => q),
    ),
  );
}

function said_of(values, name) {
  if (!values.all) return values[name] ?? 0;
  const finite = values.all.filter((e) => typeof e === "number");
  const mean = (of) => finite.reduce((sum, e) => sum + of(e), 0) / Math.max(finite.length, 1);
  return {
    min: () => Math.min(...finite),
    max: () => Math.max(...finite),
    mean: () => mean((e) => e),
    rms: () => Math.sqrt(mean((e) => e * e)),
    nan: () => values.all.filter((e) => e === "nan").length,
    inf: () => values.all.filter((e) => e === "inf" || e === "-inf").length,
  }[name]();
}

function of_elements(xs, ys) {
  let largest = 0,
    apart = 0;
  for (let i = 0; i < Math.max(xs.length, ys.length); ++i) {
    const x = number_of(xs[i]), y = number_of(ys[i]);
    if (Object.is(x, y) || x === y) continue;
    if (!Number.isFinite(x) || !Number.isFinite(y)) return Infinity;
    apart = Math.max(apart, Math.abs(x - y));
  }
  if (apart === 0) return 0;
  for (const e of [...xs, ...ys]) if (Number.isFinite(number_of(e))) largest = Math.max(largest, Math.abs(number_of(e)));
  return apart / largest;
}
