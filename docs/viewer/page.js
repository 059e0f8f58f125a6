// What stands around the picture: the title, the choice of a trace, and the panels below, filled when they are opened.
import { element } from "../kit/dom.mjs";
import { render_compare } from "./compare.js";
import { naive_differences, render_naive } from "./naive.js";
import { values_text } from "./page_parts.js";
import { render_walk_table } from "./walk_table.js";

export function set_up_head(models, index, on_change) {
  const { trace } = models[index];
  const title = trace.title || "A backward walk";
  document.title = `${title} · Gradus`;
  document.getElementById("title").textContent = title;
  const ops = trace.tensors.filter((tensor) => tensor.inputs?.length && !tensor.of_walk).length;
  const facts = [`${ops.toLocaleString("en")} ops`, `${trace.walk.length.toLocaleString("en")} visits`];
  const letters = Object.entries(trace.dimensions ?? {}).map(([letter, size], i) =>
    element("span", { class: `d${(i % 4) + 1}` }, `${letter} = ${size.toLocaleString("en")}`)
  );
  const wrong = wrong_order(models[index]);
  const said = [facts.join(" · "), ...letters, ...(wrong ? [wrong] : [])];
  document.getElementById("facts").replaceChildren(...said.flatMap((each, i) => (i > 0 ? [" · ", each] : [each])));
  const notes = [
    ...(trace.notes ?? []),
    ...(trace.unreached?.length ? [`No way leads from the output to: ${trace.unreached.join(", ")}.`] : []),
  ];
  document.getElementById("notes").replaceChildren(...notes.map((note) => element("p", grouped_digits(note))));
  const choice = document.getElementById("traces");
  choice.hidden = models.length < 2;
  choice.replaceChildren(
    ...models.map((model, i) =>
      element(
        "button",
        { type: "button", "aria-pressed": String(i === index), onclick: () => on_change(i) },
        model.trace.title || `Trace ${i + 1}`,
      )
    ),
  );
}

const grouped_digits = (text) => text.replace(/(?<![#.\d])\d{4,}(?!\.)/g, (digits) => Number(digits).toLocaleString("en"));

// "29 by recursion: why?": the way to the panel of the wrong order, where it ends in other gradients; or null.
function wrong_order(model) {
  const { naive } = model.trace;
  const [first] = naive && !naive.incomplete ? naive_differences(model) : [];
  if (!first) return null;
  const panel = document.getElementById("naive");
  const onclick = () => {
    panel.open = true;
    panel.scrollIntoView();
  };
  return element("button.link", { type: "button", onclick }, `${values_text(first.wrong)} by recursion: why?`);
}

// Each panel is filled when it is first opened, and the table also when the page is printed.
export function set_up_extras(models, index, on_select) {
  const model = models[index];
  const other = models.find((_, i) => i !== index)?.trace ?? null;
  const fill = {
    naive: (body) => render_naive(body, model),
    compare: (body) => render_compare(body, model, other, on_select),
    table: (body) => render_walk_table(body, model),
  };
  for (const [id, render] of Object.entries(fill)) {
    const panel = document.getElementById(id);
    const body = panel.querySelector(".body");
    const show = () => {
      if (!body.hasChildNodes()) render(body);
    };
    body.replaceChildren();
    panel.ontoggle = () => panel.open && show();
    if (panel.open) show();
    if (id === "table")
      window.onbeforeprint = () => {
        show();
        panel.open = true;
      };
  }
  document.getElementById("naive").hidden = !model.trace.naive;
}
