// Keys, buttons and the clock that plays. `walk` has visit(±1), delivery(±1), ends(0 or 1), to(tick).
import { element, tool } from "../kit/dom.mjs";

const SPEEDS = [
  [0.5, "½ a second"],
  [1, "1 a second"],
  [2, "2 a second"],
  [4, "4 a second"],
  [10, "10 a second"],
  [30, "30 a second"],
];

export function create_controls(container, walk) {
  const player = create_player(walk);
  const slider = element("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Position in the walk",
    oninput: () => walk.to(Number(slider.value)),
  });
  const play = tool("Play (Space)", "▶ play", () => player.toggle(), { class: "play" });
  const speed = element(
    "select",
    { "aria-label": "Visits a second", onchange: () => player.set_speed(Number(speed.value)) },
    SPEEDS.map(([rate, text]) => element("option", { value: rate, selected: rate === 2 }, text)),
  );
  const position = element("output.position");
  player.on_change = (playing) => {
    play.replaceChildren(playing ? "❚❚ pause" : "▶ play");
    play.setAttribute("aria-label", playing ? "Pause (Space)" : "Play (Space)");
  };
  container.replaceChildren(
    element("div.steps", { role: "group", "aria-label": "Steps of the walk" },
      tool("To the start (Home)", "⇤", () => walk.ends(0), { class: "end" }),
      tool("One visit back (←)", "← visit", () => walk.visit(-1), { class: "big" }),
      tool("One contribution back (Shift ←)", "‹", () => walk.delivery(-1), { class: "small" }),
      tool("One contribution on (Shift →)", "›", () => walk.delivery(1), { class: "small" }),
      tool("One visit on (→)", "visit →", () => walk.visit(1), { class: "big next" }),
      tool("To the end (End)", "⇥", () => walk.ends(1), { class: "end" })),
    element("div.time", play, speed, slider, position),
  );
  document.addEventListener("keydown", (event) => on_key(event, walk, player));
  return {
    stop: () => player.stop(),
    show(state, model) {
      slider.max = model.last_tick;
      slider.value = state.tick;
      const [at, all] = [state.visit + 1, model.trace.walk.length].map((n) => n.toLocaleString("en"));
      slider.setAttribute("aria-valuetext", state.visit < 0 ? "the seed" : `visit ${at} of ${all}`);
      position.textContent = `${at} / ${all}`;
    },
  };
}

function create_player(walk) {
  let timer = 0;
  let rate = 2;
  const player = { on_change: () => {} };
  const beat = () => {
    if (!walk.visit(1)) player.stop();
  };
  player.stop = () => {
    clearInterval(timer);
    timer = 0;
    player.on_change(false);
  };
  player.toggle = () => {
    if (timer) return player.stop();
    if (walk.at_end()) walk.ends(0);
    timer = setInterval(beat, 1000 / rate);
    player.on_change(true);
  };
  player.set_speed = (to) => {
    rate = to;
    if (!timer) return;
    clearInterval(timer);
    timer = setInterval(beat, 1000 / rate);
  };
  return player;
}

export function show_keys() {
  const keys = document.getElementById("keys");
  if (!keys.open) keys.showModal();
}

// Keys work wherever the reader is, but in a field that needs them itself.
function on_key(event, walk, player) {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName))
    return;
  const arrow = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (arrow && event.shiftKey) walk.delivery(arrow);
  else if (arrow) walk.visit(arrow);
  else if (event.key === "Home" || event.key === "End") walk.ends(event.key === "End" ? 1 : 0);
  else if (event.key === "?") show_keys();
  else if (event.key === " " && !target.closest("button, summary, a")) player.toggle();
  else return;
  event.preventDefault();
}
