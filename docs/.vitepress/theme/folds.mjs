// A place that is led to is seen: what it is folded into opens, whether a link, a search or the address leads there. And a fold
// that the reader has opened is open again when the reader comes back, or loads the page once more.
import { recall, remember } from "./storage.mjs";

function named(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return ""; // such as #100%
  }
}

const KEPT = "gradus-seen";

// Where the reader is: the last heading that the top of the screen has passed, and how far it is from there. A number of pixels from
// the top of the page would lead elsewhere once a fold or a widget above has another height.
function place_of({ document }) {
  const top = (one) => one.getBoundingClientRect().top;
  const passed = (one) => one.getClientRects().length > 0 && top(one) <= 200; // what is folded has none; 200: below the bar
  const heading = [...document.querySelectorAll(".vp-doc :is(h1, h2, h3, h4)[id]")].findLast(passed);
  return heading && { id: heading.id, top: top(heading) };
}

// What the reader sees of a page: { open, place }, the folds that are open by their ids, and where the reader is.
const seen_of = (window) => ({
  open: [...window.document.querySelectorAll("details.depth[open]")].map(({ id }) => id),
  place: place_of(window),
});

// What was seen when the page was last left, if it is loaded anew or come back to.
function seen_before(window) {
  const [{ type } = {}] = window.performance.getEntriesByType("navigation");
  const { href, seen } = recall("sessionStorage", KEPT);
  return type !== "navigate" && href === window.location.href ? seen : undefined;
}

export function start_folds(window, router) {
  const { document, location, history } = window;

  let coming = seen_before(window); // what the page has yet to show
  const seen = () => coming ?? seen_of(window);

  // With whatever the history keeps of a page, it keeps what is seen: the router keeps a number of pixels alone.
  const replace = history.replaceState.bind(history);
  history.replaceState = (state, ...rest) => replace({ ...state, ...seen() }, ...rest);
  const keep = () => history.replaceState(history.state, "");

  // Opens what the address leads into, and what was open here; undefined: nothing was closed.
  function unfold() {
    const target = document.getElementById(named(location.hash));
    const wanted = ((coming ?? history.state)?.open ?? []).map((id) => document.getElementById(id));
    for (let one = target?.closest("details"); one; one = one.parentElement.closest("details")) wanted.push(one);
    const closed = wanted.filter((one) => one && !one.open);
    for (const details of closed) details.open = true;
    return closed.length > 0 ? { target } : undefined;
  }

  // What had been scrolled to lay elsewhere while it was folded.
  function show() {
    const unfolded = unfold();
    const { href } = location;
    const scroll = () => {
      if (location.href !== href) return; // the reader has gone on
      const heading = coming?.place && document.getElementById(coming.place.id);
      if (heading) window.scrollBy(0, heading.getBoundingClientRect().top - coming.place.top);
      else unfolded?.target?.scrollIntoView();
      coming = undefined;
      keep(); // a place in the history that is new has nothing yet
    };
    window.requestAnimationFrame(() => window.requestAnimationFrame(scroll)); // after the router
  }

  // The browser scrolls a page while this script is not there. After that it would do so at any moment, even after `show`.
  history.scrollRestoration = "manual";
  window.addEventListener("pageshow", () => (history.scrollRestoration = "manual")); // a page that the browser has kept
  window.addEventListener("pagehide", () => {
    remember("sessionStorage", KEPT, { href: location.href, seen: seen() });
    history.scrollRestoration = "auto";
  });

  unfold(); // before the page is scrolled for the first time
  window.addEventListener("popstate", ({ state }) => {
    const was_left = state?.scrollPosition !== undefined;
    coming = was_left ? { open: state.open, place: state.place } : undefined;
  });
  document.addEventListener("toggle", ({ target }) => target.matches("details.depth") && keep(), true);
  window.addEventListener("hashchange", show);
  window.addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href*='#']");
    if (link && link.pathname === location.pathname && link.hash === location.hash) show();
  });
  let is_new = false; // the page; a reader who went Back at once never sees the one that was on its way
  router.onAfterPageLoad = () => (is_new = true);
  router.onAfterRouteChange = () => {
    if (is_new) show();
    is_new = false;
  };
}
