// Where on the path the reader is: the section that was last in view, and those that were before, remembered in this browser.
const KEPT = "gradus-path";
const REST = 500; // ms without scrolling: what is passed by is not read

const nothing = { last: undefined, reached: [] };

// A browser may refuse to keep anything.
function remembered(window) {
  try {
    const { last, reached } = JSON.parse(window.localStorage.getItem(KEPT));
    return Array.isArray(reached) ? { last, reached } : nothing;
  } catch {
    return nothing;
  }
}

function remember(window, key) {
  const { last, reached } = remembered(window);
  if (last === key && reached.includes(key)) return;
  try {
    window.localStorage.setItem(KEPT, JSON.stringify({ last: key, reached: [...new Set([...reached, key])] }));
  } catch {} // then not
}

// The key of the section in the middle of the window.
function in_view({ document, innerHeight }) {
  const sections = [...document.querySelectorAll("section[data-path]")];
  const there = sections.find((section) => {
    const { top, bottom } = section.getBoundingClientRect();
    return top <= innerHeight / 2 && bottom >= innerHeight / 2;
  });
  return there?.dataset.path;
}

// `path` are its sections in order: { key, text, link }.
export function start_path(window, path) {
  const { document } = window;

  function show() {
    const { last, reached } = remembered(window);
    for (const tick of document.querySelectorAll(".tick")) tick.hidden = !reached.includes(tick.dataset.reached);
    const at = path.findIndex(({ key }) => key === last);
    const begin = document.querySelector("p.begin a");
    if (at < 0 || !begin) return;
    const words = `Continue: ${path[at].text}, ${at + 1} of ${path.length}`;
    if (begin.textContent === words) return;
    begin.textContent = words;
    begin.href = path[at].link.replace("#", ".html#");
  }

  function look() {
    const key = in_view(window);
    if (key) remember(window, key);
    show();
  }

  let rests = 0;
  const soon = () => {
    clearTimeout(rests);
    rests = setTimeout(look, REST);
  };
  window.addEventListener("scroll", soon, { passive: true });
  new MutationObserver(() => (show(), soon())).observe(document.documentElement, { childList: true, subtree: true });
  soon();
}
