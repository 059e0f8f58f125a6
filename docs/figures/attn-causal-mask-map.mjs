// Two causality maps: the mask before the softmax, and behind it. From docs/examples/attn-causality.cpp.
import { look } from "./kit/heat.mjs";

export const title = "What each output depends on, with the mask before the softmax and behind it";
export const results = ["attn-causality"];

export function draw({ drawing, width, results }) {
  const maps = results["attn-causality"];
  const columns = width > 500 ? 2 : 1;
  const n = maps.before.length;
  const cell = 26;
  const panel = { w: width / columns, h: n * cell + 92 };
  const d = drawing(width, panel.h * (columns === 2 ? 1 : 2) + 4, title);
  [
    ["before", "mask before the softmax", "the future is empty: exactly 0"],
    ["behind", "mask behind the softmax", "every output depends on every input"],
  ].forEach(([id, name, words], k) => {
    const middle = panel.w * ((k % columns) + 0.5);
    const x = middle - (n * cell) / 2;
    const y = Math.floor(k / columns) * panel.h + 36;
    d.text(middle, y - 22, name, { size: 15, weight: 600 });
    d.cells(x, y, maps[id], {
      size: cell,
      words: false,
      role: (v) => (v === 0 ? "paper" : look(v, { limits: [1e-3, 3] }).fill),
    });
    const stairs = maps[id].map((_, t) => `L${x + (t + 1) * cell} ${y + t * cell}v${cell}`).join("");
    d.path(`M${x} ${y}${stairs}`, { role: id === "before" ? "right" : "wrong", width: 2.5 });
    d.text(x - 14, y + (n * cell) / 2, "$t$", { role: "soft", size: 15 });
    d.text(middle, y + n * cell + 14, "$s$", { role: "soft", size: 15 });
    d.text(middle, y + n * cell + 38, words, { role: id === "before" ? "right" : "wrong", size: 14 });
  });
  return d;
}
