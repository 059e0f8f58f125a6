// The wrong order: the same tape walked by recursion, beside the true walk, arrival by arrival.
import { element } from "../kit/dom.mjs";
import { relative_difference } from "./compare_traces.js";
import { deliveries_of, format_number, name_of } from "./model.js";
import { table_of, values_text } from "./page_parts.js";
import { label_of } from "./step_panel.js";

let naive_panels = 0; // on the page, for their ids
const nearby = 12; // arrivals that are listed before the one chosen

export function render_naive(container, model) {
  const { naive } = model.trace;
  if (!naive) {
    const text = "This trace has no wrong walk beside it: trace with .naive = true in TraceOptions.";
    return container.replaceChildren(element("p.soft", text));
  }
  const id = `naive-${++naive_panels}`;
  const last = naive.arrivals.length - 1;
  const slider = element("input", { id, type: "range", min: "0", max: String(last), value: "0" });
  const output = element("div.side-by-side", { role: "status" });
  const move = (by) => {
    slider.value = String(Math.min(Math.max(Number(slider.value) + by, 0), last));
    show_arrival(output, model, Number(slider.value));
  };
  slider.addEventListener("input", () => move(0));
  const controls = element("p.controls", element("button", { type: "button", onclick: () => move(-1) }, "← back"),
    element("button", { type: "button", onclick: () => move(1) }, "next →"), element("label", { for: id }, "Arrival "), slider);
  container.replaceChildren(element("div.naive", verdict(model), controls, output, ending(model)));
  move(0);
}

// Where the two walks end in different gradients: [{number, wrong, right}], the oldest first.
export function naive_differences(model) {
  const { naive } = model.trace;
  const wrong = new Map(naive.arrivals.map((arrival) => [arrival.to, arrival.after]));
  return [...wrong]
    .map(([number, after]) => ({ number, wrong: after, right: model.gradient_of(number) }))
    .filter(({ wrong: a, right: b }) => relative_difference(a, b) > 1e-5)
    .sort((x, y) => x.number - y.number);
}

function verdict(model) {
  const { naive } = model.trace,
    visits = model.trace.walk.length;
  const more = naive.incomplete ? " or more" : "";
  const counts = `${format_number(naive.visits)}${more} visits against ${format_number(visits)}`;
  const differing = naive.incomplete ? [] : naive_differences(model);
  if (differing.length === 0) {
    const same = "Here every tensor is used once, so the order does not matter.";
    return element("p.see", naive.incomplete ? `${counts}: it was given up.` : `${counts}. ${same}`);
  }
  const { number, wrong, right } = differing[0];
  const name = name_of(model.by_number.get(number));
  return element("p.see", `dL/d${name}: ${values_text(wrong)} by recursion against ${values_text(right)}; ${counts}. `,
    "A tensor that is used twice hands on what it has when the first gradient comes, ",
    "and all of it again with the second: the first counts twice.");
}

// The arrivals of the true walk, as the trace of the wrong one has them: {from, to, after}.
function true_arrivals(model) {
  const of_visit = (visit) => deliveries_of(visit).map(({ to, after }) => ({ from: visit.tensor, to, after }));
  return [...model.trace.seeds.map(({ to, after }) => ({ from: 0, to, after })), ...model.trace.walk.flatMap(of_visit)];
}

function show_arrival(output, model, at) {
  const table = (title, arrivals) => {
    const last = Math.min(at, arrivals.length - 1), first = Math.max(0, last - nearby);
    const rows = arrivals.slice(first, last + 1).map((arrival, i) => arrival_row(model, arrivals, arrival, first + i));
    const end = last < at ? ": finished" : first > 0 ? `, with the ${nearby} before it` : "";
    const heads = [
      { text: "arrival", number: true },
      { text: "from" },
      { text: "to" },
      { text: "gradient now", number: true },
    ];
    return table_of(`${title}: arrival ${last + 1} of ${arrivals.length.toLocaleString("en")}${end}`, heads, rows.reverse());
  };
  output.replaceChildren(
    table("By recursion, wrong", model.trace.naive.arrivals),
    table("Newest first, right", true_arrivals(model)),
  );
}

function arrival_row(model, arrivals, { from, to, after }, at) {
  const times = arrivals.slice(0, at + 1).filter((arrival) => arrival.to === to).length;
  const expected = model.expected(to),
    excess = times > expected;
  const count = excess ? `${times} of ${expected}, too many ×` : expected > 1 ? `${times} of ${expected}` : "";
  const now = element("span", { class: excess ? "n wrong" : "n gradient" }, values_text(after));
  return [
    String(at + 1),
    from === 0 ? "seed" : label_of(model, from),
    label_of(model, to),
    element("span", now, " ", element("small", count)),
  ];
}

function ending(model) {
  const differing = naive_differences(model);
  if (differing.length === 0) return "";
  const heads = [{ text: "tensor" }, { text: "by recursion", number: true }, { text: "newest first", number: true }];
  const rows = differing
    .slice(0, 50)
    .map(({ number, wrong, right }) => [label_of(model, number), `× ${values_text(wrong)}`, `✓ ${values_text(right)}`]);
  return table_of("Where they end apart", heads, rows);
}
