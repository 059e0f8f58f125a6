// A place that is led to is seen: what it is folded into opens, whether a link, a search or the address leads there.
function named(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return ""; // such as #100%
  }
}

export function start_folds(window, router) {
  const { document, location, history } = window;

  function unfold() {
    const target = document.getElementById(named(location.hash));
    const closed = [];
    for (let one = target?.closest("details"); one; one = one.parentElement.closest("details")) {
      if (!one.open) closed.push(one);
    }
    for (const details of closed) details.open = true;
    return closed.length > 0 && target;
  }

  // What had been scrolled to lay elsewhere while it was folded.
  function show() {
    const target = unfold();
    const before = history.state?.scrollPosition;
    if (target) window.requestAnimationFrame(() => (before ? window.scrollTo(0, before) : target.scrollIntoView()));
  }

  unfold(); // before the page is scrolled for the first time
  window.addEventListener("hashchange", show);
  window.addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href*='#']");
    if (link && link.pathname === location.pathname && link.hash === location.hash) show();
  });
  router.onAfterRouteChange = show;
}
