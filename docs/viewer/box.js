// One box of the graph, at one moment of the walk.
import { element } from "../kit/dom.mjs";
import { numel } from "./cells.js";
import { group_title, progress_of } from "./group_box.js";
import { limit_of, small_map } from "./heat.js";
import { name_within, of_text, path_and_last, ring, shape_of } from "./labels.js";
import { format_number, inputs_of, name_of } from "./model.js";

// Its size before it is drawn, so that the layout need not wait for the page.
export function box_size(model, node) {
  if (node.kind === "frame") return { w: 0, h: 0 };
  if (node.kind === "group")
    return { w: 216, h: node.members.length > 1 ? 118 : node.group.kind === "stretch" ? 92 : 78 };
  const tensor = model.tensor(node.number);
  const expected = model.expected(node.number);
  const scalar = numel(tensor.shape) === 1;
  const head = 28 +
    7.6 * (name_within(tensor, node.within).length + (tensor.op ?? "").length) +
    (expected > 0 ? 22 : 0) +
    (expected > 1 ? 40 : 0);
  const meta = 7.3 * (shape_of(model, tensor.shape).textContent.length + 5 + (expected > 0 ? 0 : 9)) + 18;
  const w = Math.round(Math.min(230, Math.max(expected > 0 ? (scalar ? 144 : 152) : 116, head, meta)));
  return { w, h: scalar ? (expected > 0 ? 88 : 68) : expected > 0 ? 116 : 110 };
}

// What would change in the picture from one moment to another; a box is drawn anew only if this does.
export function look_of(model, node, state) {
  if (node.kind === "tensor") return `${state.phase(node.number)} ${state.arrived(node.number)}`;
  const { visited, waiting, current } = progress_of(model, node, state);
  return `${visited} ${waiting} ${current}`;
}

export function tensor_face(model, { number, within }, state) {
  const tensor = model.tensor(number);
  const expected = model.expected(number);
  const arrived = state.arrived(number);
  const on_walk = model.arrivals.has(number);
  const scalar = numel(tensor.shape) === 1;
  const face = element("div.face",
    element("div.top",
      element("span", { class: tensor.name ? `name ${tensor.kind}` : "number" }, path_and_last(name_within(tensor, within))),
      tensor.op && element("span.op", tensor.op),
      on_walk && element("span.come-of", ring(arrived, expected), expected > 1 && of_text(arrived, expected))),
    element("div.meta", shape_of(model, tensor.shape), ` ${tensor.dtype}`,
      ["constant", "freed"].includes(tensor.kind) ? ` ${tensor.kind}` : ""),
    scalar ? scalar_rows(tensor, state, on_walk) : map_pair(tensor, state, on_walk));
  if (tensor.severed_by?.length) face.append(element("div.severed", "× no gradient came"));
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
  return element("dl.rows", element("div.value", element("dt", "value"), element("dd", format_number(first_of(tensor.values)))), on_walk &&
    element("div", { class: gradient ? "gradient" : "gradient none" },
      element("dt", gradient ? gradient_word(state, tensor.number) : "gradient"),
      element("dd", gradient ? format_number(first_of(gradient)) : "–")));
}

function map_pair(tensor, state, on_walk) {
  const gradient = state.gradient(tensor.number);
  const half = (word, name, values) =>
    element(
      "div",
      { class: `half ${name}` },
      values ? small_map(values, tensor.shape, limit_of(values)) : element("div.blank"),
      element("span", word),
    );
  return element("div.pair", half("value", "value", tensor.values),
    on_walk && half(gradient ? gradient_word(state, tensor.number) : "gradient", gradient ? "gradient" : "gradient none", gradient));
}

// What a screen reader says of a box.
export function words_of(model, node, state) {
  if (node.kind === "group") {
    const { total, visited } = progress_of(model, node, state);
    const alike = node.members.length > 1 ? `${node.members.length} alike, ` : "";
    const what = `${group_title(node.group)}, ${node.group.type || "ops"}, ${alike}folded`;
    return `${what}: ${node.group.size} ops, ${visited} of ${total} visited`;
  }
  const tensor = model.tensor(node.number);
  const gradient = state.gradient(node.number);
  const expected = model.expected(node.number);
  const inputs = inputs_of(tensor)
    .filter(Boolean)
    .map((n) => name_of(model.tensor(n)));
  const made = tensor.op ? `${tensor.op} of ${inputs.join(" and ")}` : tensor.kind;
  const one = numel(tensor.shape) === 1;
  const value = one ? `value ${format_number(first_of(tensor.values))}` : `shape ${tensor.shape.join(" by ")}`;
  const words = [name_of(tensor), made, value];
  if (expected > 0 && !gradient) words.push("no gradient yet");
  if (expected > 0 && gradient) {
    const number = one ? ` ${format_number(first_of(gradient))}` : "";
    words.push(gradient_word(state, node.number) + number, `${of_text(state.arrived(node.number), expected)} come`);
  }
  return words.join(", ");
}
