// What happens now: the tensor that is visited, each gradient that it hands on, and the engine's map.
import { element, fill } from "../kit/dom.mjs";
import { numel } from "./cells.js";
import { limit_of, small_map } from "./heat.js";
import { of_text, path_and_last, ring, shape_of } from "./labels.js";
import { deliveries_of, format_number, name_of } from "./model.js";
import { values_text } from "./page_parts.js";

const MOST_PENDING = 40;

export const label_of = (model, number) => {
  const tensor = model.tensor(number);
  return tensor.op ? `${tensor.op} ${name_of(tensor)}` : name_of(tensor);
};

const one_number = (values) => (values?.all?.length === 1 ? values.all[0] : undefined);

// The step in one sentence.
export function sentence_of(model, state) {
  if (state.visit < 0) return seed_sentence(model);
  const visit = model.trace.walk[state.visit];
  const name = label_of(model, state.current);
  const g = one_number(visit.gradient);
  const gradient = g === undefined ? "" : `, ${format_number(g)},`;
  if (state.deliveries === 0) return `${name} hands nothing on: its gradient${gradient} is a result of the walk.`;
  if (state.done === 0)
    return `${name} is taken out of the map, the newest in it: its gradient${gradient} is complete.`;
  return delivery_sentence(model, state);
}

// A loss begins with 1. What is not a number, or a walk that was given another gradient, begins with a seed: L is then the sum
// of y ⊙ seed.
function seed_sentence(model) {
  const { seeds } = model.trace;
  const names = seeds.map((seed) => name_of(model.tensor(seed.to))).join(", ");
  if (seeds.every(({ contribution }) => one_number(contribution) === 1))
    return `The walk begins: the gradient of ${names} with respect to itself is 1. It waits in the map.`;
  const each = seeds.every(({ contribution }) => is_all_ones(contribution)) ? ", 1 for each element, so L is their sum" : "";
  return `The walk begins with a seed: the program gave dL/d${names}${each}. It waits in the map.`;
}

const is_all_ones = ({ all, min, max }) => (all ? all.every((x) => x === 1) : min === 1 && max === 1);

function delivery_sentence(model, state) {
  const { to, contribution, summed_over } = state.delivery;
  const c = one_number(contribution);
  const from = model.tensor(state.current);
  const arrived = state.arrived(to);
  const expected = model.expected(to);
  const what = c === undefined ? "a gradient" : format_number(c);
  const summed = summed_over?.length ? `, summed over ${axes(summed_over)}` : "";
  const come = expected > 1 ? `: ${of_text(arrived, expected)} have come` : "";
  const target = model.tensor(to).name || label_of(model, to);
  return `${from.op} ${name_of(from)} hands ${what} to ${target}${summed}${come}.`;
}

const axes = (list) => `${list.length > 1 ? "axes" : "axis"} ${list.join(", ")}`;

export function render_step(container, model, state, on_select) {
  const { walk } = model.trace;
  const title = state.visit < 0
    ? "The seed"
    : `Visit ${(state.visit + 1).toLocaleString("en")} of ${walk.length.toLocaleString("en")}`;
  const parts = [element("h2", {}, title), element("p", { class: "sentence" }, sentence_of(model, state))];
  if (state.visit >= 0) parts.push(...delivery_cards(model, state, on_select));
  else
    parts.push(
      ...model.trace.seeds.map((seed) => card(model, { delivery: seed, from: 0, done: true, now: true, on_select })),
    );
  fill(container, ...parts);
}

function delivery_cards(model, state, on_select) {
  return deliveries_of(model.trace.walk[state.visit]).map((delivery, i) =>
    card(model, { delivery, from: state.current, done: i < state.done, now: i === state.done - 1, on_select })
  );
}

function card(model, { delivery, from, done, now, on_select }) {
  const target = model.tensor(delivery.to);
  const op = from ? model.tensor(from).op : null, source = model.trace.ops?.[op];
  const letter = source?.parameters?.[delivery.input];
  const rule = rule_text(source, delivery.input);
  const box = element(
    "section",
    { class: `delivery${done ? "" : " due"}${now ? " now" : ""}`, "aria-label": `To ${name_of(target)}` },
    element(
      "h3",
      {},
      from ? "to " : "to begin with: ",
      element(
        "button",
        {
          type: "button",
          class: "link",
          onclick: () => on_select({ tensor: target.number, cell: null, gradient: true }),
        },
        name_of(target),
      ),
      letter && letter !== name_of(target) && element("span", { class: "letter" }, `${op}’s ${letter}`),
      rule && element("span", { class: "rule" }, rule),
    ),
  );
  if (!done) return box;
  box.append(sum_of_parts(model, delivery, target));
  return box;
}

// The line of the op's formulas that is this input's rule, "dL/da = …".
function rule_text(source, input) {
  if (!source || input < 0) return "";
  const name = source.parameters?.[input];
  return (source.formulas ?? []).find((formula) => formula.startsWith(`dL/d${name} `)) ?? "";
}

// before + contribution = after, in numbers or as maps on one scale.
function sum_of_parts(model, delivery, target) {
  const { before, contribution, after, summed_over } = delivery;
  const wide = contribution.shape ?? target.shape;
  const same = wide.join() === target.shape.join();
  const limit = Math.max(limit_of(before), limit_of(after));
  const term = (word, values, shape, scale) =>
    element(
      "div",
      { class: "term" },
      values.all && values.all.length <= 4
        ? element("b", {}, values_text(values))
        : small_map(values, shape, scale),
      element("span", {}, word),
      !same && shape_of(model, shape),
    );
  const sign = (text) => element("span", { class: "sign", "aria-hidden": "true" }, text);
  const given = summed_over?.length || delivery.by_rows ? limit_of(contribution) : Math.max(limit, limit_of(contribution));
  return element(
    "div",
    {},
    element(
      "div",
      { class: "sum" },
      before ? [term("before", before, target.shape, limit), sign("+")] : [],
      term(before ? "contribution" : "the first", contribution, wide, given),
      before || summed_over?.length || delivery.by_rows
        ? [sign(before ? "=" : "→"), term("after", after, target.shape, limit)]
        : [],
      same && numel(wide) > 1 ? shape_of(model, wide) : [],
    ),
    summed_over?.length ? collapse(model, wide, target.shape, summed_over) : null,
    delivery.by_rows &&
      element("p", { class: "note" }, "A few rows of a gradient that is zero elsewhere: only these are added."),
  );
}

// [8, 64] → [64]: the axes that a broadcast had stretched close up again.
function collapse(model, wide, shape, summed_over) {
  const axis = (size, i) => element(summed_over.includes(i) ? "del" : "span", {}, String(size));
  return element(
    "p",
    { class: "collapse" },
    element(
      "span",
      { class: "shape" },
      "[",
      wide.flatMap((size, i) => (i ? [", ", axis(size, i)] : [axis(size, i)])),
      "]",
    ),
    " → ",
    shape_of(model, shape),
    ` summed over ${axes(summed_over)}: the forward pass had stretched it there`,
  );
}

// The engine's map as it stands, newest first.
export function render_pending(container, model, state, on_select) {
  const pending = state.pending();
  const rows = pending.slice(0, MOST_PENDING).map((number, i) => pending_row(model, state, number, i, on_select));
  fill(
    container,
    element("h2", {}, "Waiting", element("span", { class: "count" }, pending.length.toLocaleString("en"))),
    element(
      "p",
      { class: "note" },
      pending.length
        ? "The engine’s map, newest first: the top is next, for nothing newer can send it any more."
        : "The map is empty: the walk is over.",
    ),
    element("ol", { class: "pending" }, rows),
    pending.length > MOST_PENDING &&
      element("p", { class: "note" }, `… and ${(pending.length - MOST_PENDING).toLocaleString("en")} older ones`),
  );
}

function pending_row(model, state, number, i, on_select) {
  const tensor = model.tensor(number);
  const expected = model.expected(number);
  const arrived = state.arrived(number);
  const sum = state.gradient(number);
  const one = one_number(sum);
  return element(
    "li",
    {},
    element(
      "button",
      { type: "button", onclick: () => on_select({ tensor: number, cell: null, gradient: true }) },
      element("span", { class: "key" }, `#${number}`),
      element(
        "span",
        { class: "who" },
        path_and_last(tensor.name || tensor.op || tensor.kind),
        i === 0 && state.done === state.deliveries && element("span", { class: "next" }, " next"),
      ),
      element("span", { class: "arrivals" }, ring(arrived, expected), of_text(arrived, expected)),
      element(
        "span",
        { class: "sum-so-far" },
        one === undefined ? [element("small", {}, "RMS "), format_number(sum?.rms ?? rms_of(sum))] : format_number(one),
      ),
    ),
  );
}

function rms_of(values) {
  const all = (values?.all ?? []).map(Number).filter(Number.isFinite);
  return all.length ? Math.sqrt(all.reduce((sum, x) => sum + x * x, 0) / all.length) : NaN;
}
