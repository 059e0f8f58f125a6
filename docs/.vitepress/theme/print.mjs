// On paper all answers are open.
export function start_print(window) {
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...window.document.querySelectorAll("details:not([open])")];
    for (const details of opened) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}
