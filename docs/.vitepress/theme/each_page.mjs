// Calls `find` once the page is Vue's, and whenever there is something new in it.
export function on_each_page(window, find) {
  if (!window.document.querySelector("#app").__vue_app__) return window.requestAnimationFrame(() => on_each_page(window, find));
  new MutationObserver(find).observe(window.document.documentElement, { childList: true, subtree: true });
  find();
}
