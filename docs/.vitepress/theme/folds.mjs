// A place that is led to is seen: what it is folded into opens, whether a link, a search or the address leads there. And a fold
// that the reader has opened is open again when the reader comes back, or loads the page once more.
function named(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return ""; // such as #100%
  }
}

const KEPT = "gradus-scrolled";

// How far the page was scrolled when it was last left, if it is loaded anew or come back to: the router scrolls it to its beginning.
// A browser may refuse to keep anything.
function scrolled_before({ sessionStorage, location, performance }) {
  const [{ type } = {}] = performance.getEntriesByType("navigation");
  try {
    const { href, to } = JSON.parse(sessionStorage.getItem(KEPT));
    return type !== "navigate" && href === location.href ? to : 0;
  } catch {
    return 0;
  }
}

function keep_scrolled({ sessionStorage, location, scrollY }) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ href: location.href, to: scrollY }));
  } catch {} // then not
}

export function start_folds(window, router) {
  const { document, location, history } = window;

  const open_folds = () => [...document.querySelectorAll("details.depth[open]")].map(({ id }) => id);

  // Whatever is kept of a place in the history, the open folds are: the router keeps of a page that is left how far it was scrolled,
  // and nothing else.
  const replace = history.replaceState.bind(history);
  history.replaceState = (state, ...rest) => replace({ ...state, open: open_folds() }, ...rest);
  const keep = () => history.replaceState(history.state, "");

  // Opens what the address leads into, and what was open here; undefined: nothing was closed.
  function unfold() {
    const target = document.getElementById(named(location.hash));
    const wanted = (history.state?.open ?? []).map((id) => document.getElementById(id));
    for (let one = target?.closest("details"); one; one = one.parentElement.closest("details")) wanted.push(one);
    const closed = wanted.filter((one) => one && !one.open);
    for (const details of closed) details.open = true;
    return closed.length > 0 ? { target } : undefined;
  }

  let scrolled = scrolled_before(window);
  window.addEventListener("pagehide", () => keep_scrolled(window));

  // What had been scrolled to lay elsewhere while it was folded.
  function show() {
    const before = scrolled || history.state?.scrollPosition;
    const unfolded = unfold();
    keep(); // a place in the history that is new has nothing yet
    const scroll = before ? () => window.scrollTo(0, before) : () => unfolded.target?.scrollIntoView();
    const later = (then) => window.requestAnimationFrame(() => window.requestAnimationFrame(then)); // after the router
    if (unfolded || scrolled) later(scroll);
    if (scrolled) setTimeout(scroll, 300); // a slow machine's router may come even later
    scrolled = 0;
  }

  unfold(); // before the page is scrolled for the first time
  document.addEventListener("toggle", ({ target }) => target.matches("details.depth") && keep(), true);
  window.addEventListener("hashchange", show);
  window.addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href*='#']");
    if (link && link.pathname === location.pathname && link.hash === location.hash) show();
  });
  router.onAfterRouteChange = show;
}
