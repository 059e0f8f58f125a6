// The box of a closed module, of several that are alike, or of a stretch of ops.
import { element, tool } from "../kit/dom.mjs";
import { census, numbers_in } from "./groups.js";
import { without_path } from "./labels.js";
import { how_many_fit } from "./model.js";

// How far the walk has come in a closed group: { total, visited, waiting, current }.
export function progress_of(model, node, state) {
  node.visits ??= node.members
    .flatMap(numbers_in)
    .map((number) => model.visit_of.get(number))
    .filter((visit) => visit !== undefined)
    .sort((a, b) => a - b);
  const passed = how_many_fit(node.visits.length, (i) => node.visits[i] < state.visit);
  const current = node.visits[passed] === state.visit && state.visit >= 0;
  return {
    total: node.visits.length,
    visited: passed + (current ? 1 : 0),
    current,
    waiting: state.waiting_in?.get(node) ?? 0,
  };
}

// A module that is closed, or several that are alike.
export function group_face(model, node, state) {
  const { total, visited, waiting } = progress_of(model, node, state);
  const first = node.members[0];
  const alike = node.members.length > 1;
  return element("div.face",
    element("div.top", element("span.name", without_path(alike ? run_title(node.members) : group_title(first), node.within)),
      alike && element("span.times", `×${node.members.length}`)),
    element("div.meta", first.type ? `${first.type} · ` : "", `${first.size.toLocaleString("en")} ${first.size === 1 ? "op" : "ops"}`,
      alike ? " each" : ""), first.kind === "stretch" && element("div.meta", node.census ??= census(model, first, 3)),
    element("div.walked",
      element("span.bar", { "aria-hidden": "true" }, element("span", { style: `width:${total ? (100 * visited) / total : 0}%` })),
      element("span", total ? `${visited.toLocaleString("en")} of ${total.toLocaleString("en")} visited` : "not on the walk",
        waiting ? ` · ${waiting} waiting` : "")));
}

// Which of several that are alike to open: `choose(±1)`, `open()`.
export function fold_stepper(node, chosen, { choose, open }) {
  const title = group_title(node.members[chosen]);
  return element("div.stepper", tool(`The one before ${title}`, "‹", () => choose(-1), { disabled: chosen === 0 }), element("span", title),
    tool(`The one after ${title}`, "›", () => choose(1), { disabled: chosen === node.members.length - 1 }),
    tool(`Open ${title}`, "open", open, { class: "open" }));
}

export function group_title(group) {
  if (group.kind === "stretch")
    return `#${group.first.toLocaleString("en")} … #${(group.last - 1).toLocaleString("en")}`;
  return group.path || group.type.replace(/\(.*/, "") || "model";
}

// "blocks.0 … 5"
function run_title(members) {
  const first = group_title(members[0]);
  const last = group_title(members.at(-1));
  if (first === last) return first;
  let same = 0;
  while (same < first.length && first[same] === last[same]) ++same;
  return `${first} … ${last.slice(first.lastIndexOf(".", same - 1) + 1)}`;
}

// Which of a run is meant: as chosen, or the one that the walk is in.
export function picked(node, picks, state) {
  if (!(node.run?.length > 1)) return 0;
  const chosen = picks.get(node.run[0].id) ??
    node.members.findIndex((each) => each.first <= state.current && state.current < each.last);
  return Math.min(Math.max(chosen, 0), node.members.length - 1);
}
