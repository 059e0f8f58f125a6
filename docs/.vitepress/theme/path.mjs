// Where on the path the reader is: the stations whose end has been in view, remembered in this browser.
import { recall, remember } from "./storage.mjs";

const KEPT = "gradus-path";
const REST = 500; // ms without scrolling: what is passed by is not read
const BAR = 112; // px at the top of the window that bars may cover

// The keys of the stations that were reached.
function stations_reached() {
  const { reached } = recall("localStorage", KEPT);
  return Array.isArray(reached) ? reached : [];
}

// The keys of the stations whose last line, the way on, is in the window.
function in_view({ document, innerHeight }) {
  const ends = [...document.querySelectorAll("section[data-path] nav.steps")].filter((steps) => {
    const { top, bottom } = steps.getBoundingClientRect();
    return top >= BAR && bottom <= innerHeight;
  });
  return ends.map((steps) => steps.closest("section").dataset.path);
}

// `path` are its stations in order: { key, text, link }.
export function start_path(window, path) {
  const { document } = window;

  function show() {
    const reached = stations_reached();
    for (const tick of document.querySelectorAll(".tick")) tick.hidden = !reached.includes(tick.dataset.reached);
    const begin = document.querySelector("p.begin a");
    if (!begin) return;
    begin.dataset.words ??= begin.textContent;
    begin.dataset.first ??= begin.getAttribute("href");
    const at = path.findLastIndex(({ key }) => reached.includes(key));
    const words = at < 0 ? begin.dataset.words : `Continue: ${path[at].text}, ${at + 1} of ${path.length}`;
    if (begin.textContent === words) return;
    begin.textContent = words;
    begin.href = at < 0 ? begin.dataset.first : path[at].link.replace("#", ".html#");
  }

  function look() {
    const before = stations_reached(), reached = [...new Set([...before, ...in_view(window)])];
    if (reached.length > before.length) remember("localStorage", KEPT, { reached });
    show();
  }

  let rests = 0;
  const soon = () => {
    clearTimeout(rests);
    rests = setTimeout(look, REST);
  };
  window.addEventListener("scroll", soon, { passive: true });
  window.addEventListener("storage", show); // another tab has gone on
  window.addEventListener("pageshow", show); // this one may have been kept as it was
  new MutationObserver(() => (show(), soon())).observe(document.documentElement, { childList: true, subtree: true });
  soon();
}
