// One box of the graph, at one moment of the walk.
import { drawn, element, tool } from "./dom.js";
import { limit_of, small_map } from "./heat.js";
import { format_number, inputs_of, name_of, numel } from "./model.js";
import { census, numbers_in } from "./groups.js";

// Its size before it is drawn, so that the layout need not wait for the page.
export function box_size(model, node) {
  if (node.kind === "frame") return { w: 0, h: 0 };
  if (node.kind === "group") return { w: 216, h: node.members.length > 1 ? 118 : node.group.kind === "stretch" ? 92 : 78 };
  const tensor = model.tensor(node.number);
  const expected = model.expected(node.number), scalar = numel(tensor.shape) === 1;
  const head = 28 + 7.6 * (name_within(tensor, node.within).length + (tensor.op ?? "").length) + (expected > 0 ? 22 : 0) + (expected > 1 ? 40 : 0);
  const meta = 7.3 * (shape_of(model, tensor.shape).textContent.length + 5 + (expected > 0 ? 0 : 9)) + 18;
  const w = Math.round(Math.min(230, Math.max(expected > 0 ? (scalar ? 144 : 152) : 116, head, meta)));
  return { w, h: scalar ? (expected > 0 ? 88 : 68) : expected > 0 ? 116 : 110 };
}

// The name without the path of the frame around it.
export const name_within = (tensor, path) => without_path(name_of(tensor), path);

function without_path(name, path) {
  return path && name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;
}

// A name whose path may be cut where there is no room, but not its last part.
export function path_and_last(name) {
  const at = name.lastIndexOf(".") + 1;
  return [at > 0 && element("span", { class: "path" }, element("bdi", {}, name.slice(0, at))), element("span", { class: "last" }, name.slice(at))];
}

// The shape, each size with its letter where only one letter has that size.
export function shape_of(model, shape) {
  const letters = Object.entries(model.trace.dimensions ?? {});
  const axis = (size) => {
    const fits = letters.filter(([, of]) => of === size);
    const place = letters.findIndex(([, of]) => of === size) % 4;
    return fits.length === 1 ? element("span", { class: `d${place + 1}`, title: `${fits[0][0]} = ${size}` }, `${fits[0][0]} ${size}`) : String(size);
  };
  if (shape.length === 0) return element("span", { class: "shape" }, "scalar");
  return element("span", { class: "shape" }, "[", shape.flatMap((size, i) => (i > 0 ? [", ", axis(size)] : [axis(size)])), "]");
}

// Arcs, one for each gradient that will come, filled once it has.
export function ring(arrived, expected) {
  const arcs = Math.min(expected, 12), filled = Math.round((arcs * arrived) / expected), gap = arcs > 1 ? Math.min(0.5, 2 / arcs) : 0;
  const point = (angle) => `${(9 + 7 * Math.sin(angle)).toFixed(2)},${(9 - 7 * Math.cos(angle)).toFixed(2)}`;
  const arc = (i) => {
    if (arcs === 1) return drawn("circle", { cx: 9, cy: 9, r: 7, class: i < filled ? "come" : "due" });
    const from = ((i * 2 * Math.PI) / arcs) + gap / 2, to = ((i + 1) * 2 * Math.PI) / arcs - gap / 2;
    return drawn("path", { d: `M${point(from)}A7,7 0 ${to - from > Math.PI ? 1 : 0} 1 ${point(to)}`, class: i < filled ? "come" : "due" });
  };
  return drawn("svg", { class: "ring", width: 18, height: 18, viewBox: "0 0 18 18", "aria-hidden": "true" },
    Array.from({ length: arcs }, (_, i) => arc(i)));
}

export const of_text = (arrived, expected) => `${arrived.toLocaleString("en")} of ${expected.toLocaleString("en")}`;

// What would change in the picture from one moment to another; a box is drawn anew only if this does.
export function look_of(model, node, state) {
  if (node.kind === "tensor") return `${state.phase(node.number)} ${state.arrived(node.number)}`;
  const { visited, waiting, current } = progress_of(model, node, state);
  return `${visited} ${waiting} ${current}`;
}

export function tensor_face(model, { number, within }, state) {
  const tensor = model.tensor(number), expected = model.expected(number), arrived = state.arrived(number);
  const on_walk = model.arrivals.has(number), scalar = numel(tensor.shape) === 1;
  const face = element("div", { class: "face" },
    element("div", { class: "top" },
      element("span", { class: tensor.name ? `name ${tensor.kind}` : "number" }, path_and_last(name_within(tensor, within))),
      tensor.op && element("span", { class: "op" }, tensor.op),
      on_walk && element("span", { class: "come-of" }, ring(arrived, expected), expected > 1 && of_text(arrived, expected))),
    element("div", { class: "meta" }, shape_of(model, tensor.shape), ` ${tensor.dtype}`, ["constant", "freed"].includes(tensor.kind) ? ` ${tensor.kind}` : ""),
    scalar ? scalar_rows(tensor, state, on_walk) : map_pair(tensor, state, on_walk));
  if (tensor.severed_by?.length) face.append(element("div", { class: "severed" }, "× no gradient came"));
  return face;
}

const first_of = (values) => values?.all?.[0] ?? values?.corner?.[0] ?? values?.mean;

// A complete sum is the gradient; before that it says so.
function gradient_word(state, number) {
  const phase = state.phase(number);
  return phase === "current" || phase === "visited" ? "gradient" : "so far";
}

function scalar_rows(tensor, state, on_walk) {
  const gradient = state.gradient(tensor.number);
  return element("dl", { class: "rows" },
    element("div", { class: "value" }, element("dt", {}, "value"), element("dd", {}, format_number(first_of(tensor.values)))),
    on_walk && element("div", { class: gradient ? "gradient" : "gradient none" },
      element("dt", {}, gradient ? gradient_word(state, tensor.number) : "gradient"), element("dd", {}, gradient ? format_number(first_of(gradient)) : "–")));
}

function map_pair(tensor, state, on_walk) {
  const gradient = state.gradient(tensor.number);
  const half = (word, name, values) => element("div", { class: `half ${name}` },
    values ? small_map(values, tensor.shape, limit_of(values)) : element("div", { class: "blank" }),
    element("span", {}, word));
  return element("div", { class: "pair" }, half("value", "value", tensor.values),
    on_walk && half(gradient ? gradient_word(state, tensor.number) : "gradient", gradient ? "gradient" : "gradient none", gradient));
}

// How far the walk has come in a closed group: { total, visited, waiting, current }.
export function progress_of(model, node, state) {
  node.visits ??= node.members.flatMap(numbers_in).map((number) => model.visit_of.get(number)).filter((visit) => visit !== undefined).sort((a, b) => a - b);
  let low = 0, high = node.visits.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (node.visits[middle] < state.visit) low = middle + 1;
    else high = middle;
  }
  const current = node.visits[low] === state.visit && state.visit >= 0;
  return { total: node.visits.length, visited: low + (current ? 1 : 0), current, waiting: state.waiting_in?.get(node) ?? 0 };
}

// A module that is closed, or several that are alike.
export function group_face(model, node, state) {
  const { total, visited, waiting } = progress_of(model, node, state);
  const first = node.members[0], alike = node.members.length > 1;
  return element("div", { class: "face" },
    element("div", { class: "top" }, element("span", { class: "name" }, without_path(alike ? run_title(node.members) : group_title(first), node.within)), alike && element("span", { class: "times" }, `×${node.members.length}`)),
    element("div", { class: "meta" }, first.type ? `${first.type} · ` : "", `${first.size.toLocaleString("en")} ${first.size === 1 ? "op" : "ops"}`, alike ? " each" : ""),
    first.kind === "stretch" && element("div", { class: "meta" }, (node.census ??= census(model, first, 3))),
    element("div", { class: "walked" },
      element("span", { class: "bar", "aria-hidden": "true" }, element("span", { style: `width:${total ? (100 * visited) / total : 0}%` })),
      element("span", {}, total ? `${visited.toLocaleString("en")} of ${total.toLocaleString("en")} visited` : "not on the walk", waiting ? ` · ${waiting} waiting` : "")));
}

// Which of several that are alike to open: `choose(±1)`, `open()`.
export function fold_stepper(node, chosen, { choose, open }) {
  const title = group_title(node.members[chosen]);
  return element("div", { class: "stepper" },
    tool(`The one before ${title}`, "‹", () => choose(-1), { disabled: chosen === 0 }),
    element("span", {}, title),
    tool(`The one after ${title}`, "›", () => choose(1), { disabled: chosen === node.members.length - 1 }),
    tool(`Open ${title}`, "open", open, { class: "open" }));
}

export function group_title(group) {
  if (group.kind === "stretch") return `#${group.first.toLocaleString("en")} … #${(group.last - 1).toLocaleString("en")}`;
  return group.path || group.type.replace(/\(.*/, "") || "model";
}

// "blocks.0 … 5"
function run_title(members) {
  const first = group_title(members[0]), last = group_title(members.at(-1));
  let same = 0;
  while (same < first.length && first[same] === last[same]) ++same;
  return `${first} … ${last.slice(first.lastIndexOf(".", same - 1) + 1)}`;
}

// Which of a run is meant: as chosen, or the one that the walk is in.
export function picked(node, picks, state) {
  if (!(node.run?.length > 1)) return 0;
  const chosen = picks.get(node.run[0].id) ?? node.members.findIndex((each) => each.first <= state.current && state.current < each.last);
  return Math.min(Math.max(chosen, 0), node.members.length - 1);
}

// What a screen reader says of a box.
export function words_of(model, node, state) {
  if (node.kind === "group") {
    const { total, visited } = progress_of(model, node, state);
    const alike = node.members.length > 1 ? `${node.members.length} alike, ` : "";
    return `${group_title(node.group)}, ${node.group.type || "ops"}, ${alike}folded: ${node.group.size} ops, ${visited} of ${total} visited`;
  }
  const tensor = model.tensor(node.number), gradient = state.gradient(node.number), expected = model.expected(node.number);
  const made = tensor.op ? `${tensor.op} of ${inputs_of(tensor).filter(Boolean).map((n) => name_of(model.tensor(n))).join(" and ")}` : tensor.kind;
  const one = numel(tensor.shape) === 1;
  return [`${name_of(tensor)}, ${made}`, one ? `value ${format_number(first_of(tensor.values))}` : `shape ${tensor.shape.join(" by ")}`,
    expected && (gradient ? `${gradient_word(state, node.number)}${one ? ` ${format_number(first_of(gradient))}` : ""}, ${state.arrived(node.number)} of ${expected} come` : "no gradient yet"),
  ].filter(Boolean).join(", ");
}
