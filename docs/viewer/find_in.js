// What to look for in a trace: by words, and by what went wrong. Pure.
import { numel } from "./cells.js";
import { deliveries_of, name_of } from "./model.js";

export const most_found = 200;

const modules_text = (model, tensor) => model.trace.modules?.[tensor.module]?.path ?? "";
const shape_text = (tensor) => `[${tensor.shape.join(", ")}]`;

// Each word must occur in the name, #number, op, shape ("[2, 3]", "2x3") or module path.
export function find_by_words(model, words) {
  const wanted = words
    .toLowerCase()
    .split(/\s+(?![^[]*\])/)
    .filter(Boolean);
  const text_of = (t) =>
    [name_of(t), `#${t.number}`, t.op ?? t.kind, shape_text(t), t.shape.join("x"), t.shape.join("×"), modules_text(model, t)]
      .join(" ")
      .toLowerCase();
  return model.trace.tensors.filter((t) => wanted.every((word) => text_of(t).includes(word))).map((t) => t.number);
}

const not_finite = (x) => typeof x === "string";

export function is_bad(values) {
  if (!values) return false;
  return values.all ? values.all.some(not_finite) : (values.nan ?? 0) + (values.inf ?? 0) > 0;
}

function is_zero(values, count) {
  if (!values || count === 0) return false;
  return values.all ? values.all.every((x) => x === 0) : values.zero === values.count;
}

// √Σx²; NaN where an element is not finite.
export function norm_of(values, count) {
  if (is_bad(values)) return NaN;
  return values.all ? Math.sqrt(values.all.reduce((a, x) => a + x * x, 0)) : values.rms * Math.sqrt(count);
}

const of_forward = (model) => model.trace.tensors.filter((t) => !t.of_walk);
const count_of = (model, number) => numel(model.by_number.get(number).shape);

function large_gradients(model) {
  const norms = model.trace.walk
    .map((visit) => [visit.tensor, norm_of(visit.gradient, count_of(model, visit.tensor))])
    .filter(([, norm]) => Number.isFinite(norm));
  if (norms.length < 100) return largest_of(norms);
  const sorted = norms.map(([, norm]) => norm).sort((a, b) => a - b);
  const limit = sorted[Math.ceil(0.99 * sorted.length) - 1];
  return norms
    .filter(([, norm]) => norm > limit)
    .sort((a, b) => b[1] - a[1])
    .map(([number]) => number);
}

// The largest of few gradients.
const largest_of = (norms) =>
  norms
    .filter(([, norm]) => norm > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 1)
    .map(([number]) => number);

// The first visit whose gradient, or one of whose contributions, is NaN or ∞: what it is bad in.
function first_bad_in_walk(model) {
  for (const visit of model.trace.walk) {
    if (is_bad(visit.gradient)) return [visit.tensor];
    const delivery = deliveries_of(visit).find((d) => is_bad(d.contribution) || is_bad(d.after));
    if (delivery) return [delivery.to];
  }
  return [];
}

// {title, gradient, numbers(model), note(model)}: `gradient` if what it finds is to be looked for in gradients; `note` is
// said beside what was found.
export const find_filters = {
  bad_value: {
    title: "first NaN or ∞, forward",
    gradient: false,
    numbers: (model) =>
      of_forward(model)
        .filter((t) => is_bad(t.values))
        .slice(0, 1)
        .map((t) => t.number),
  },
  bad_gradient: { title: "first NaN or ∞ in the walk", gradient: true, numbers: first_bad_in_walk },
  zero: {
    title: "gradient exactly 0",
    gradient: true,
    numbers: (model) => model.trace.walk.filter((v) => is_zero(v.gradient, count_of(model, v.tensor))).map((v) => v.tensor),
  },
  severed: {
    title: "severed: wants a gradient, got none",
    gradient: false,
    note: ({ trace }) => (trace.unreached?.length ? ` No way leads to: ${trace.unreached.join(", ")}.` : ""),
    numbers: (model) =>
      of_forward(model)
        .filter((t) => (t.severed_by ?? []).length > 0)
        .map((t) => t.number),
  },
  large: {
    title: "gradient norm above the 99th percentile",
    gradient: true,
    note: ({ trace }) => (trace.walk.length < 100 ? ` The largest of only ${trace.walk.length} gradients.` : ""),
    numbers: large_gradients,
  },
};

// Why something was found, or what it is: "mul [2, 3] in blocks.0".
export function describe_found(model, number) {
  const tensor = model.by_number.get(number);
  const where = modules_text(model, tensor);
  const cut = (tensor.severed_by ?? []).map((n) => `${model.by_number.get(n)?.op ?? "an op"} #${n}`);
  const by = cut.length > 0 ? `, cut by ${cut.join(", ")}` : "";
  return `${tensor.op ?? tensor.kind} ${shape_text(tensor)}${where ? ` in ${where}` : ""}${by}`;
}
