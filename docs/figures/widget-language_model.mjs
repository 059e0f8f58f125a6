// The tiny language model: its loss so far between the lines of counting, what it expects after the prompt, and what it writes.
import { colour_of } from "../kit/svg.mjs";
import { escaped } from "../kit/words.mjs";
import { axes } from "./kit/axes.mjs";

export const title = "The loss of a tiny language model against counting, its next byte, and what it writes";
export const results = ["widget-language_model"];

export const widget = {
  name: "language_model",
  module: "models",
  bounds: { steps: 40, lr: 0.02 }, // within which two machines agree to a millionth
  restart: { knob: "steps", by: ["text", "own", "lr", "context", "seed"] },
  prompts: [
    {
      ask: "At the left the curve begins near 5.55, the line of a guess. How likely is its likeliest byte there?",
      answers: ["1 in 2", "1 in 10", "1 in 200, or so"],
      right: 2,
      act: "Put the steps to 0.",
      such_as: "steps=0",
      done: (seen, { steps }) => steps === 0,
      then: "Nothing is known yet: every byte gets about 1/256, and that costs ln 256 = 5.55. Look at what it writes.",
    },
    {
      ask: "Who counts pairs of bytes gets no lower than the bigram line. Does this model?",
      answers: ["No, it ends there", "Yes, in the end"],
      right: 1,
      act: "Press Play, and let it come below the bigram line.",
      such_as: "steps=500",
      done: ({ step, loss, bigram }) => step > 100 && loss < bigram,
      then:
        "It looks back further than one byte. How often each byte comes was soon learned, on the way along the unigram line; what follows what takes the whole model, and longer.",
    },
    {
      ask: "At a low temperature the likeliest byte is nearly always taken. Does the text get better?",
      answers: ["Yes, it is like the original", "It repeats itself", "It becomes noise"],
      right: 1,
      act: "Put the temperature to 0.1, after 200 steps or more.",
      such_as: "steps=200&t=0.1",
      done: ({ step }, { t }) => step >= 200 && t <= 0.1,
      then: "The likeliest continuation of a common word leads back to a common word. Some chance is needed to get away from it.",
    },
    {
      ask: "A text that says the same over and over: how far down does its loss go?",
      answers: ["To its bigram line", "Nearly to 0", "To half of its bigram line"],
      right: 1,
      from: "prompt=a rose",
      act: "Choose “my own” and press Play, until the loss is below 0.1.",
      such_as: "prompt=a rose&text=my own&steps=400",
      done: ({ loss }, { text }) => text === "my own" && loss < 0.1,
      then:
        "After a few bytes all that follows is certain, and certain bytes cost nothing. Pairs cannot tell which of three words comes after a space.",
    },
  ],
};

const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

// Words as they are, of letters of one width; parts: [words, role].
function typed(d, x, y, parts, { size = 13, anchor } = {}) {
  const spans = parts.map(([words, role]) => `<tspan fill="${colour_of(role)}">${escaped(words)}</tspan>`).join("");
  d.add("text", { x, y: y + size * 0.34, "font-size": size, "font-family": MONO, "text-anchor": anchor, style: "white-space:pre" }, spans);
}

// The least round number of steps that shows them all.
const room_for = (step) => [100, 200, 500, 1000, 2000].find((most) => step <= most);

function losses(d, seen, place) {
  const most = room_for(seen.asked);
  const across = { least: 0, most, ticks: [0, most / 2, most] };
  const plot = axes(d, { ...place, across, up: { least: 0, most: 6, ticks: [0, 1, 2, 3, 4, 5, 6] }, name: "loss, nats a byte",
    below: "steps" });
  let below = 0;
  for (const [name, value] of [["guess", seen.guess], ["unigram", seen.unigram], ["bigram", seen.bigram]]) {
    plot.line([[0, value], [most, value]], { role: "constant", width: 1.5, dash: true });
    below = Math.max(below + 15, plot.at_y(value));
    d.text(place.x + place.width + 8, below, `${name} ${value.toFixed(2)}`, { anchor: "start", size: 13, role: "soft" });
  }
  plot.line(seen.curve, { role: "value", width: 2.2 });
  const [step, loss] = seen.curve.at(-1);
  if (typeof loss !== "number") return;
  plot.dots([[step, loss]], { r: 4.5, role: "value" });
  const anchor = step > most / 2 ? "end" : "start";
  d.text(plot.at_x(step) + (anchor === "end" ? 3 : -3), plot.at_y(loss) - 16, loss.toFixed(2), { anchor, role: "value", size: 14,
    weight: 600, halo: true });
}

function next_byte(d, seen, { x, y, width }) {
  const most = width - 84;
  d.text(x, y - 16, "the next byte after the prompt", { anchor: "start", size: 13, role: "soft" });
  seen.bars.forEach(({ byte, p }, i) => {
    const middle = y + 10 + i * 22;
    typed(d, x + 14, middle, [[byte === " " ? "␣" : byte, "ink"]], { size: 14, anchor: "middle" });
    d.box(x + 30, middle - 7, Math.max(p * most, 0.5), 14, { radius: 0, fill: "value", role: "value", width: 0 });
    d.text(x + 36 + p * most, middle, p.toFixed(2), { anchor: "start", size: 13, halo: true });
  });
}

// The prompt, and what came after it, in lines of `letters` letters.
function written(d, seen, { x, y, letters }) {
  d.text(x, y - 18, "the prompt, and what it writes then", { anchor: "start", size: 13, role: "soft" });
  const all = [...[...seen.prompt].map((c) => [c, "ink"]), ...[...seen.written].map((c) => [c, "value"])];
  for (let line = 0; line * letters < all.length; ++line) {
    const here = all.slice(line * letters, (line + 1) * letters);
    const of = (role) => here.filter(([, its]) => its === role).map(([c]) => c).join("");
    typed(d, x, y + 2 + line * 20, [[of("ink"), "ink"], [of("value"), "value"]].filter(([words]) => words));
  }
}

export function draw({ drawing, width, results: { "widget-language_model": seen } }) {
  const narrow = width < 500;
  const d = drawing(width, narrow ? 690 : 380, title);
  losses(d, seen, { x: 34, y: 34, width: narrow ? width - 140 : 340, height: 220 });
  next_byte(d, seen, narrow ? { x: 4, y: 346, width: width - 14 } : { x: 500, y: 34, width: width - 510 });
  written(d, seen, narrow ? { x: 4, y: 618, letters: 42 } : { x: 4, y: 336, letters: 90 });
  return d;
}
