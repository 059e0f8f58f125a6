// The wrong order: the same tape walked by recursion, beside the true walk, arrival by arrival.
import { name_of, format_number } from "./model.js";
import { element } from "./dom.js";
import { table_of, values_text } from "./page_parts.js";

let naive_panels = 0;                    // on the page, for their ids
const nearby = 12;                       // arrivals that are listed before the one chosen

export function render_naive(container, model) {
  const { naive } = model.trace;
  if (!naive) {
    const text = "This trace has no wrong walk beside it: trace with .naive = true in TraceOptions.";
    return container.replaceChildren(element("p", { class: "soft" }, text));
  }
  const id = `naive-${++naive_panels}`;
  const last = naive.arrivals.length - 1;
  const slider = element("input", { id, type: "range", min: "0", max: String(last), value: String(last) });
  const output = element("div", { class: "naive-step", role: "status" });
  const move = (by) => {
    slider.value = String(Math.min(Math.max(Number(slider.value) + by, 0), last));
    show_arrival(output, model, Number(slider.value));
  };
  slider.addEventListener("input", () => move(0));
  const controls = element("p", { class: "controls" }, element("button", { type: "button", onclick: () => move(-1) }, "← back"),
    element("button", { type: "button", onclick: () => move(1) }, "next →"), element("label", { for: id }, "Arrival "), slider);
  container.replaceChildren(element("div", { class: "naive" }, verdict(model), controls, output, ending(model)));
  move(0);
}

// Where the two walks end in different gradients: [{number, wrong, right}], the oldest first.
export function naive_differences(model) {
  const { naive } = model.trace;
  const wrong = new Map(naive.arrivals.map((arrival) => [arrival.to, arrival.after]));
  return [...wrong].map(([number, after]) => ({ number, wrong: after, right: model.gradient_of(number) }))
    .filter(({ wrong: a, right: b }) => values_text(a) !== values_text(b)).sort((x, y) => x.number - y.number);
}

function verdict(model) {
  const { naive } = model.trace, visits = model.trace.walk.length;
  const counts = `${format_number(naive.visits)}${naive.incomplete ? " or more" : ""} visits against ${format_number(visits)}`;
  const differing = naive.incomplete ? [] : naive_differences(model);
  if (differing.length === 0) {
    const same = "Here every tensor is used once, so the order does not matter.";
    return element("p", { class: "see" }, naive.incomplete ? `${counts}: it was given up.` : `${counts}. ${same}`);
  }
  const { number, wrong, right } = differing[0];
  const name = name_of(model.by_number.get(number));
  return element("p", { class: "see" }, `dL/d${name}: ${values_text(wrong)} by recursion against ${values_text(right)}; ${counts}. `,
    "A tensor that is used twice hands on what it has when the first gradient comes, and all of it again with the second: the first counts twice.");
}

function show_arrival(output, model, at) {
  const { arrivals } = model.trace.naive;
  const first = Math.max(0, at - nearby);
  const rows = arrivals.slice(first, at + 1).map((arrival, i) => arrival_row(model, arrival, first + i));
  const heads = [{ text: "arrival", number: true }, { text: "from" }, { text: "to" }, { text: "gradient now", number: true },
    { text: "complete", number: true }];
  output.replaceChildren(table_of(`By recursion: arrival ${at + 1} of ${arrivals.length}${first > 0 ? `, with the ${nearby} before it` : ""}`,
    heads, rows.reverse()));
}

function arrival_row(model, { from, to, after }, at) {
  const of = (number) => (number === 0 ? "seed" : op_title(model, number));
  const times = model.trace.naive.arrivals.slice(0, at + 1).filter((arrival) => arrival.to === to).length;
  const expected = model.expected(to);
  const count = expected > 1 || times > 1 ? ` (${times} of ${expected}${times > expected ? ": too many" : ""})` : "";
  const now = element("span", { class: times > expected ? "n wrong" : "n gradient" }, values_text(after) + count);
  return [String(at + 1), of(from), of(to), now, values_text(model.gradient_of(to))];
}

function op_title(model, number) {
  const tensor = model.by_number.get(number);
  return tensor.op ? `${tensor.op} ${name_of(tensor)}` : name_of(tensor);
}

function ending(model) {
  const differing = naive_differences(model);
  if (differing.length === 0) return "";
  const heads = [{ text: "tensor" }, { text: "by recursion", number: true }, { text: "newest first", number: true }];
  const rows = differing.slice(0, 50).map(({ number, wrong, right }) => [op_title(model, number), `× ${values_text(wrong)}`, `✓ ${values_text(right)}`]);
  return table_of("Where they end apart", heads, rows);
}
