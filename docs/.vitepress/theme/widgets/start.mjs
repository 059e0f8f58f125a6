// The widgets of a page: each is made when the reader comes near, and what it needs is loaded then and not before.
import { on_each_page } from "../each_page.mjs";

const figures = import.meta.glob("../../../figures/widget-*.mjs");
const firsts = import.meta.glob("../../../made/results/widget-*.json", { import: "default" });

export function start_widgets(window, base) {
  if (!("IntersectionObserver" in window)) return;
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || target.dataset.widget) continue;
        target.dataset.widget = "coming";
        make(target, base).catch((error) => console.info(error));
      }
    },
    { rootMargin: "200px" },
  );
  const find = () => {
    for (const one of window.document.querySelectorAll('figure[data-figure^="widget-"]:not([data-widget])')) near.observe(one);
  };
  on_each_page(window, find);
}

async function make(figure, base) {
  const name = figure.dataset.figure;
  const [drawn, first, { Widget }] = await Promise.all([
    figures[`../../../figures/${name}.mjs`](),
    firsts[`../../../made/results/${name}.json`](),
    import("./widget.mjs"),
  ]);
  const widget = new Widget(figure, drawn, first, base);
  figure.dataset.widget = (await widget.start()) ? "live" : "picture";
}
