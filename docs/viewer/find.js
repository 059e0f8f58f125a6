// The find panel: a field (press /), filters, and what they found; arrows choose, Enter goes there.
import { element } from "../kit/dom.mjs";
import { describe_found, find_by_words, find_filters, most_found } from "./find_in.js";
import { name_of } from "./model.js";

// The tensors on a shortest way from `number` up to an output, both among them; null if there is none. Between two ways as long,
// the one through older tensors.
export function path_to_output(model, number) {
  const outputs = new Set(model.trace.outputs);
  const before = new Map([[number, 0]]);
  const queue = [number];
  for (let at = 0; at < queue.length; ++at) {
    if (outputs.has(queue[at])) return way_back(before, queue[at]);
    for (const next of model.consumers.get(queue[at]) ?? []) {
      if (before.has(next) || model.by_number.get(next).of_walk) continue;
      before.set(next, queue[at]);
      queue.push(next);
    }
  }
  return null;
}

function way_back(before, end) {
  const path = [];
  for (let number = end; number !== 0; number = before.get(number)) path.push(number);
  return path.reverse();
}

let finds = 0; // panels on the page, for their ids

// `selected()` is the number of the tensor that is looked at, where a path may begin; `on_path(numbers)` is told of the path
// that was found, or of none.
export function create_find(container, model, on_select, { selected = () => undefined, on_path = () => {} } = {}) {
  const id = `find-${++finds}`;
  const field = element("input", {
    id,
    type: "search",
    autocomplete: "off",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": `${id}-list`,
    placeholder: "name, op, [shape] or module",
  });
  const list = element("ul.found", { id: `${id}-list`, role: "listbox", "aria-label": "Found" });
  const status = element("p.soft", { role: "status" });
  const state = { selected, on_path, model, field, list, status, on_select, numbers: [], gradient: false, at: -1 };
  const choice = element("div.filters", { role: "group", "aria-label": "Filters" }, ...filter_buttons(state));
  field.addEventListener("input", () => show_words(state));
  field.addEventListener("keydown", (event) => on_find_key(state, event));
  container.replaceChildren(
    element("div.find", element("label", { for: id }, "Find (press /)"), field, choice, status, list),
  );
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || !field.isConnected || is_typing(event.target)) return;
    event.preventDefault();
    field.focus();
  });
  return {
    focus: () => field.focus(),
    show_filter: (name) => show_filter(state, name),
    show_path: (number) => show_path(state, number),
  };
}

const is_typing = (target) => ["INPUT", "TEXTAREA", "SELECT"].includes(target?.tagName) || target?.isContentEditable;

function filter_buttons(state) {
  const buttons = Object.entries(find_filters).map(([name, filter]) =>
    element("button", { type: "button", onclick: () => show_filter(state, name) }, filter.title)
  );
  const path = element(
    "button",
    { type: "button", onclick: () => show_path(state, state.numbers[state.at] ?? state.selected() ?? state.numbers[0]) },
    "path to the output",
  );
  return [...buttons, path];
}

function show_words(state) {
  const words = state.field.value.trim();
  show_found(state, words === "" ? [] : find_by_words(state.model, words), words === "" ? "" : `for “${words}”`, false);
}

function show_filter(state, name) {
  const { title, gradient, numbers, note } = find_filters[name];
  show_found(state, numbers(state.model), `found: ${title}`, gradient);
  state.status.textContent += note?.(state.model) ?? "";
}

// The ops from a tensor to the output, in their order.
function show_path(state, number) {
  if (number === undefined) return void (state.status.textContent = "Find or choose a tensor first: the path begins there.");
  const path = path_to_output(state.model, number), name = name_of(state.model.by_number.get(number));
  if (path === null)
    return void (state.status.textContent = `No way leads from ${name} to the output.`);
  show_found(state, path, `on the path from ${name} to the output`, false);
  state.on_path(path);
}

function show_found(state, numbers, why, gradient) {
  Object.assign(state, { numbers, gradient, at: -1 });
  state.on_path([]);
  state.list.replaceChildren(...numbers.slice(0, most_found).map((number, i) => found_item(state, number, i)));
  const more = numbers.length > most_found ? `; the first ${most_found} are shown` : "";
  const count = numbers.length > 0 ? numbers.length.toLocaleString("en") : "Nothing";
  state.status.textContent = why === "" ? "" : `${count} ${why}${more}.`;
  state.field.setAttribute("aria-expanded", String(numbers.length > 0));
  choose(state, -1);
}

function found_item(state, number, i) {
  const item = element(
    "li",
    { role: "option", id: `${state.list.id}-${i}`, "aria-selected": "false", onclick: () => go_to(state, i) },
    element("b", name_of(state.model.by_number.get(number))),
    ` ${describe_found(state.model, number)}`,
  );
  return item;
}

function on_find_key(state, event) {
  const last = Math.min(state.numbers.length, most_found) - 1;
  const move = { ArrowDown: Math.min(state.at + 1, last), ArrowUp: Math.max(state.at - 1, 0) }[event.key];
  event.stopPropagation();
  if (move !== undefined) choose(state, move);
  else if (event.key === "Enter") go_to(state, Math.max(state.at, 0));
  else if (event.key === "Escape") state.field.blur();
  else return;
  event.preventDefault();
}

function choose(state, at) {
  state.at = at;
  [...state.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
  const chosen = state.list.children[at];
  if (chosen) state.field.setAttribute("aria-activedescendant", chosen.id);
  else state.field.removeAttribute("aria-activedescendant");
  chosen?.scrollIntoView({ block: "nearest" });
}

function go_to(state, at) {
  if (state.numbers[at] === undefined) return;
  choose(state, at);
  state.on_select({ tensor: state.numbers[at], cell: null, gradient: state.gradient });
}
