// A picture made with Plot answers the pointer. What that needs is loaded when the reader first points at one and not
// before; until then, and without JavaScript, the drawn picture stands.
const figures = import.meta.glob("../../figures/*.mjs");
const results = import.meta.glob("../../made/results/*.json", { import: "default" });
const outputs = import.meta.glob("../../made/outputs/*.output", { query: "?raw", import: "default" });

export function start_live(document) {
  const answer = (event) => {
    const svg = event.target.closest?.("figure[data-figure]:not([data-widget]) svg.plot:not([data-live])");
    if (svg) make_live(svg).catch((error) => console.warn(error));
  };
  for (const kind of ["pointerover", "focusin", "touchstart"]) document.addEventListener(kind, answer, { passive: true });
}

async function make_live(svg) {
  svg.dataset.live = "coming";
  const name = svg.closest("figure").dataset.figure;
  const [figure, { redraw }] = await Promise.all([figures[`../../figures/${name}.mjs`](), import("./redraw.mjs")]);
  const known = Object.fromEntries(await Promise.all((figure.results ?? []).map(async (one) => [one, await result(one)])));
  const drawn = redraw(figure, name, Number(svg.closest(".narrow") || figure.narrow === false ? 358 : 720), known);
  for (const { name: attribute, value } of [...svg.attributes]) drawn.setAttribute(attribute, value);
  drawn.dataset.live = "yes";
  if (svg.isConnected) svg.replaceWith(drawn);
}

async function result(name) {
  const json = results[`../../made/results/${name}.json`];
  if (json) return json();
  return JSON.parse(await outputs[`../../made/outputs/${name}.output`]());
}
