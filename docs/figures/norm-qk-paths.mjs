// QK norm: one query and two keys, each through a norm of its own, to the scores.
import { circles, way } from "./kit/depend.mjs";

export const title = "A query reaches the scores of all keys, a key only its own";

export function draw({ drawing, width }) {
  const d = drawing(width, 236, title);
  const at = (share) => (width > 500 ? 130 : 26) + share * (width - (width > 500 ? 260 : 52));
  const rows = [36, 104, 172];
  const raw = ["k_1", "q", "k_2"].map((name, i) => ({ x: at(0), y: rows[i], name }));
  const hats = ["k̂_1", "q̂", "k̂_2"].map((name, i) => ({ x: at(0.62), y: rows[i], name }));
  const scores = ["score 1", "score 2"].map((name, i) => ({ x: at(1), y: [70, 138][i], name }));
  const BOX = { width: 58, height: 34 };
  raw.forEach((from, i) => {
    const chosen = i === 1;
    const look = chosen ? { role: "value", width: 2, head: 9 } : { role: "constant", width: 1, opacity: 0.6 };
    const box = { x: at(0.31), y: from.y };
    d.arrow(from.x, from.y, box.x - BOX.width / 2, box.y, { ...look, from: 19, to: 3 });
    d.arrow(box.x + BOX.width / 2, box.y, hats[i].x, hats[i].y, { ...look, to: 20 });
    d.box(box.x - BOX.width / 2, box.y - BOX.height / 2, BOX.width, BOX.height, {
      role: "parameter",
      text: "norm",
      size: 14,
    });
  });
  scores.forEach((to, i) => {
    way(d, hats[1], to, { chosen: true, to: 24 });
    way(d, hats[2 * i], to, { to: 24 });
  });
  raw.forEach((place, i) => circles(d, [place], { term: i === 1 ? "q" : "k", chosen: i === 1 ? 0 : undefined }));
  hats.forEach((place, i) => circles(d, [place], { term: i === 1 ? "\\hat q" : "\\hat k" }));
  scores.forEach(({ x, y, name }) => d.circle(x, y, 22, { text: name.slice(-1), role: "constant" }));
  d.text(at(1), 26, "scores", { role: "soft", size: 14 });
  return d.text(width / 2, 220, "$q$ reaches both scores; $k_1$ the first alone", { role: "soft", size: 14 });
}
