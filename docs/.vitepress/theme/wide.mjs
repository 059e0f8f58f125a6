// What is wider than its place: it scrolls inside itself, and can be reached by keyboard to be scrolled.
const BOXES = ".vp-doc table, .vp-doc pre, .derivation td";
const FORMULAS = ":is(p, li, summary, .derivation td) > span.math:not([data-ready]), .vp-doc div.math:not([data-ready])";
const LEAST = 0.75; // the style sheet draws a wide formula smaller; below this it scrolls instead

const is_shown = (element) => element.getClientRects().length > 0;

export function start_wide(document) {
  let asked = 0;
  const soon = () => (asked ||= requestAnimationFrame(() => ((asked = 0), look_again(document))));
  new MutationObserver(soon).observe(document.documentElement, { childList: true, subtree: true });
  document.addEventListener("toggle", soon, true); // an answer has opened
  soon();
}

function look_again(document) {
  for (const formula of [...document.querySelectorAll(FORMULAS)].filter(is_shown)) {
    const svg = formula.firstElementChild;
    if (svg.getBoundingClientRect().width < LEAST * svg.width.baseVal.value) {
      formula.classList.add("too-wide");
      formula.tabIndex = 0;
    }
    formula.dataset.ready = "";
  }
  for (const box of [...document.querySelectorAll(`:is(${BOXES}):not([data-ready])`)].filter(is_shown)) {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
    box.dataset.ready = "";
  }
}
