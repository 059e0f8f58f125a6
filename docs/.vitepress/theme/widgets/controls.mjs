// What a reader moves: one control for each knob, of the kind that the library says it is.
import { element } from "../../../kit/dom.mjs";

const limits = ({ least, most, step }) => ({ min: least, max: most, step });
const within = ({ least, most }, text) => text !== "" && Number(text) >= least && Number(text) <= most;

const is_typed_in = (field) => document.activeElement === field;

// What was typed in a field, or the nearest end of the range; `say` tells that.
function corrected({ words, least, most }, field, say) {
  if (within({ least, most }, field.value)) return field.value;
  const end = String(Number(field.value) < least ? least : most);
  say(`${words}: ${field.value} is out of range, so it is ${end}.`);
  return (field.value = end);
}

// A slider, and the number beside it, which can be typed. Over several powers of ten the slider has its own stops.
function number(knob, set, say) {
  const { stops } = knob;
  let [at, most] = [Number(knob.first), knob.most];
  const places = stops ? { min: 0, max: stops.length - 1, step: 1 } : limits(knob);
  const slid = () => set(String(stops ? stops[slider.value] : slider.value));
  const slider = element("input", { type: "range", ...places, "aria-label": knob.words, oninput: slid });
  const typed = () => field.value !== "" && set(corrected({ ...knob, most }, field, say));
  const field = element("input", { type: "number", ...limits(knob), "aria-label": `${knob.words}, typed`, onchange: typed });
  function show(text) {
    at = Math.min(Number(text), most) || 0; // what is no number the library refuses
    slider.value = stops ? stops.findLastIndex((stop) => stop <= at) : at;
    if (stops) slider.setAttribute("aria-valuetext", String(at));
    if (!is_typed_in(field)) field.value = at;
  }
  const adapt = ({ end }) => end !== undefined && (slider.max = field.max = most = end);
  const play = knob.play && player(knob, () => at, set);
  return { parts: play ? [slider, field, play.button] : [slider, field], show, adapt, stop: play?.stop };
}

// A button that raises the number until it is pressed again, or at the end; where motion is not wanted, by as much with each press.
function player({ words, most, play }, at, set) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let playing = false;
  const show = (on) => {
    playing = on;
    button.textContent = still.matches ? "Step" : on ? "Pause" : "Play";
  };
  const step = () => set(String(Math.min(at() + play, most)));
  async function run() {
    while (playing && at() < most && button.isConnected) {
      await step();
      await new Promise(requestAnimationFrame);
    }
    show(false);
  }
  let running;
  function press() {
    if (still.matches) return void step();
    show(!playing);
    if (playing) running ??= run().finally(() => (running = undefined));
  }
  const button = element("button", { type: "button", "aria-description": words, onclick: press });
  show(false);
  return { button, stop: () => show(false) };
}

function toggle(knob, set) {
  const box = element("input", { type: "checkbox", "aria-label": knob.words, onchange: () => set(box.checked ? "1" : "0") });
  return { parts: [box], show: (text) => (box.checked = text === "1") };
}

function choice(knob, set) {
  const options = knob.names.map((name) => element("option", { value: name }, name));
  const list = element("select", { "aria-label": knob.words, onchange: () => set(list.value) }, ...options);
  return { parts: [list], show: (text) => (list.value = text) };
}

function text(knob, set) {
  const field = element("input", { type: "text", maxlength: knob.most, "aria-label": knob.words, spellcheck: "false",
    autocomplete: "off" });
  field.addEventListener("input", () => set(field.value));
  return { parts: [field], show: (words) => field.value !== words && (field.value = words) };
}

// The arrow keys that a number does not need lead from cell to cell.
function step_between(cells, columns, at, { key }) {
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at - columns, PageDown: at + columns }[key];
  cells[to]?.focus();
}

// Rows of numbers; of ones and zeros, which are painted.
function grid(knob, set, say, count, columns) {
  const painted = knob.least === 0 && knob.most === 1 && knob.step === 1;
  const read = (cell) => (painted ? (cell.checked ? "1" : "0") : cell.value);
  function write(cell, value) {
    if (painted) cell.checked = value === "1";
    else if (!is_typed_in(cell) || Number(cell.value) !== Number(value)) cell.value = value; // "0." is on its way to 0.05
  }
  const changed = () => cells.every((cell) => painted || within(knob, cell.value)) && set(cells.map(read).join(","));
  function typed({ target }) {
    if (painted || target.value === "" || within(knob, target.value)) return;
    corrected(knob, target, say);
    changed();
  }
  const cells = Array.from({ length: count }, (_, i) => {
    const where = count > columns ? `row ${Math.floor(i / columns) + 1}, column ${(i % columns) + 1}` : `${i + 1}`;
    const kind = painted ? { type: "checkbox" } : { type: "number", ...limits(knob) };
    return element("input", { ...kind, "aria-label": `${knob.words}, ${where}`, oninput: changed, onchange: typed });
  });
  cells.forEach((cell, at) => cell.addEventListener("keydown", (event) => step_between(cells, columns, at, event)));
  const box = element("div", { class: painted ? "grid painted" : "grid", style: `--columns: ${columns}` }, ...cells);
  const folded = painted ? element("details", element("summary", "cell by cell"), box) : box; // they are painted in the picture
  return { parts: [folded], show: (list) => list.split(",").forEach((value, i) => cells[i] && write(cells[i], value)) };
}

const numbers = (knob, set, say) => {
  const columns = Array.isArray(knob.first[0]) ? knob.first[0].length : knob.first.length;
  return grid(knob, set, say, knob.first.flat(Infinity).length, columns);
};

// A row that can be made longer and shorter.
function row(knob, set, say) {
  const box = element("div.row");
  let shown = "";
  const longer = () => reach(`${shown},${shown.split(",").at(-1)}`, "more");
  const shorter = () => reach(shown.split(",").slice(0, -1).join(","), "less");
  function reach(list, button) {
    set(list);
    box.querySelector(`[aria-label$="${button}"]:not(:disabled)`)?.focus(); // it has been made anew
  }
  function show(list) {
    const count = list.split(",").length;
    if (count !== shown.split(",").length || !box.firstChild) {
      const cells = grid(knob, set, say, count, count);
      const fewer = element("button", { type: "button", "aria-label": `${knob.words}: one less`, onclick: shorter }, "−");
      const more = element("button", { type: "button", "aria-label": `${knob.words}: one more`, onclick: longer }, "+");
      fewer.disabled = count <= knob.fewest;
      more.disabled = count >= knob.longest;
      box.replaceChildren(...cells.parts, fewer, more);
      box.show = cells.show;
    }
    shown = list;
    box.show(list);
  }
  return { parts: [box], show };
}

const KINDS = { number, switch: toggle, choice, text, numbers, row };

// `set` hears of each new value, as text; what it returns is awaited where values follow each other. `say` is for what the reader
// has to hear beside that. `adapt` hears, before `show`, what the library says of the knob now: whether it changes anything, and how
// far it reaches.
export function control(knob, set, say) {
  const { parts, show, adapt, stop } = KINDS[knob.kind](knob, set, say);
  const why = element("small");
  const box = element("div", { class: `knob ${knob.kind}`, "data-knob": knob.name }, element("span", knob.words, why), ...parts);
  const adapt_all = (now) => {
    adapt?.(now);
    const words = now.idle === undefined ? "" : ` (${now.idle})`;
    if (why.textContent === words) return;
    why.textContent = words;
    box.classList.toggle("idle", words !== "");
    for (const one of box.querySelectorAll("input, select, button")) one.disabled = words !== "";
  };
  return { show, adapt: adapt_all, stop, element: box };
}
