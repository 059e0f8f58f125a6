// Hands on the picture itself: what carries data-drag="a", or "x.2" for the third number of a row, is pulled to and fro; what
// carries data-set="k=v", or "x.2=v", is clicked.
const PULL = 200; // pixels from the least to the greatest value

const with_number = (list, at, value) => list.split(",").with(at, value).join(",");

export function start_hands(box, state, set) {
  let pulled;
  box.addEventListener("pointerdown", (event) => {
    const on = event.target.closest?.("[data-drag]");
    if (!on || event.button > 0) return;
    const [name, index] = on.dataset.drag.split(".");
    const numbers = state.text(name).split(",").map(Number);
    pulled = { name, numbers, at: Number(index ?? 0), from: numbers[Number(index ?? 0)], x: event.clientX, y: event.clientY };
    box.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  box.addEventListener("touchstart", (event) => event.target.closest?.("[data-drag]") && event.preventDefault(), { passive: false });
  box.addEventListener("pointermove", (event) => {
    if (!pulled) return;
    const { least, most, step } = state.knob(pulled.name);
    const way = event.clientX - pulled.x - (event.clientY - pulled.y);
    const value = pulled.from + (way / PULL) * Math.min(most - least, 20);
    const rounded = Math.round(Math.min(Math.max(value, least), most) / step) * step;
    pulled.numbers[pulled.at] = Number(rounded.toFixed(6));
    set(pulled.name, pulled.numbers.join(","));
  });
  for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => (pulled = undefined));
  box.addEventListener("click", (event) => {
    const on = event.target.closest?.("[data-set]");
    if (!on) return;
    const [to, ...rest] = on.dataset.set.split("=");
    const [name, index] = to.split(".");
    const value = rest.join("=");
    set(name, index === undefined ? value : with_number(state.text(name), Number(index), value));
  });
}
