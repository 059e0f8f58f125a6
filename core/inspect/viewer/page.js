// What stands around the picture: the title, the choice of a trace, and the panels below, filled when they are opened.
import { element } from "./dom.js";
import { render_compare } from "./compare.js";
import { render_naive } from "./naive.js";
import { render_walk_table } from "./walk_table.js";

export function set_up_head(models, index, on_change) {
  const { trace } = models[index];
  const title = trace.title || "A backward walk";
  document.title = `${title} · Gradus`;
  document.getElementById("title").textContent = title;
  const ops = trace.tensors.filter((tensor) => tensor.inputs?.length && !tensor.of_walk).length;
  const facts = [`${ops.toLocaleString("en")} ops`, `${trace.walk.length.toLocaleString("en")} visits`];
  const letters = Object.entries(trace.dimensions ?? {}).map(([letter, size], i) =>
    element("span", { class: `d${(i % 4) + 1}` }, `${letter} = ${size.toLocaleString("en")}`),
  );
  document.getElementById("facts").replaceChildren(facts.join(" · "), ...letters.flatMap((letter) => [" · ", letter]));
  const notes = [
    ...(trace.notes ?? []),
    ...(trace.unreached?.length ? [`No way leads from the output to: ${trace.unreached.join(", ")}.`] : []),
  ];
  document.getElementById("notes").replaceChildren(...notes.map((note) => element("p", {}, note)));
  const choice = document.getElementById("traces");
  choice.hidden = models.length < 2;
  choice.replaceChildren(
    ...models.map((model, i) =>
      element(
        "button",
        { type: "button", "aria-pressed": String(i === index), onclick: () => on_change(i) },
        model.trace.title || `Trace ${i + 1}`,
      ),
    ),
  );
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
