// The compare panel: two traces side by side, and the first place where they part.
import { element } from "../kit/dom.mjs";
import { compare_traces, worst_status } from "./compare_traces.js";
import { format_number, name_of } from "./model.js";
import { shape_words, table_of } from "./page_parts.js";

const most_rows = 300;

// `other`: a trace, or null until the reader gives a file.
export function render_compare(container, model, other, on_select) {
  const file = element("input", { type: "file", accept: ".json,application/json" });
  const result = element("div.compared");
  const status = element("p", { role: "status" });
  file.addEventListener("change", async () => {
    const read = trace_in(await file.files[0]?.text());
    if (read.trace) show_comparison(result, status, model, read.trace, on_select);
    else status.textContent = read.error;
  });
  const label = element("label.file", other ? "Compare with another trace: " : "Compare with a trace, a JSON file: ", file);
  container.replaceChildren(element("div.compare", label, status, result));
  if (other) show_comparison(result, status, model, other, on_select);
}

function trace_in(text) {
  try {
    const trace = JSON.parse(text);
    if (trace?.gradus_trace === 1) return { trace };
    return { error: "This file is not a trace of version 1." };
  } catch {
    return { error: "This file is not JSON." };
  }
}

function show_comparison(result, status, model, other, on_select) {
  const found = compare_traces(model.trace, other);
  const { OK, DIFF, SHAPE, MISSING } = found.counts;
  const counts = `${OK} [OK], ${DIFF} [DIFF], ${SHAPE} [SHAPE], ${MISSING} [MISSING]`;
  status.textContent = `${counts}, against ${other.title || "the other trace"}.`;
  const show_all = element("input", { type: "checkbox" });
  const table = element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Tensors of both traces" });
  const fill = () => table.replaceChildren(table_of_pairs(model, other, found, show_all.checked, on_select));
  show_all.addEventListener("change", fill);
  const jumps = element("p.jumps", jump(model, found.first_value, "value", false, on_select),
    jump(model, found.first_gradient, "gradient", true, on_select));
  result.replaceChildren(jumps, element("label.check", show_all, " show the equal ones too"), table);
  fill();
}

function jump(model, pair, what, gradient, on_select) {
  if (!pair) return element("span.badge.right", `✓ all ${what}s are equal`);
  const where = pair.a ? name_of(model.by_number.get(pair.a)) : `#${pair.b} of the other`;
  const onclick = () => pair.a && on_select({ tensor: pair.a, cell: null, gradient });
  return element(
    "button",
    { type: "button", onclick },
    `First ${what} that differs: ${where} [${pair[gradient ? "gradient" : "value"].status}]`,
  );
}

function table_of_pairs(model, other, found, all, on_select) {
  const chosen = all ? found.pairs : found.pairs.filter((pair) => worst_status(pair) !== "OK");
  const heads = [{ text: "tensor" }, { text: "op" }, { text: "value" }, { text: "gradient" }];
  const others = new Map(other.tensors.map((t) => [t.number, t]));
  const rows = chosen.slice(0, most_rows).map((pair) => {
    const x = model.by_number.get(pair.a), y = others.get(pair.b), either = x ?? y;
    const onclick = () => on_select({ tensor: pair.a, cell: null, gradient: pair.value?.status === "OK" });
    const own = x ? element("button.link", { type: "button", onclick }, name_of(x)) : "none";
    const twin = y ? name_of(y) : "none", same = x && name_of(x) === twin;
    const name = element("span", own, same ? "" : element("small.held", ` ↔ ${twin}`));
    return [
      name,
      (either.op ?? either.kind) + shape_words(either.shape),
      status_cell(pair.value),
      status_cell(pair.gradient),
    ];
  });
  const hidden = chosen.length > most_rows ? `; the first ${most_rows} are shown` : "";
  const number = "the number is the largest difference, relative to the largest element";
  return table_of(`${chosen.length} tensors${all ? "" : " that differ"}; ${number}${hidden}`, heads, rows);
}

function status_cell(compared) {
  if (!compared) return "–";
  const { status, difference } = compared;
  const badge = element("span", { class: `badge ${status === "OK" ? "right" : "wrong"}` }, `[${status}]`);
  return element("span", badge, difference > 0 ? ` ${format_number(difference)}` : "");
}
