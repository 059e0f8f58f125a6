// The hands of a query and a key, their score by distance, and the scores of a text, wherever the knobs stand.
export const title = "The hands of a query and a key, and the scores they make";
export const results = ["widget-clocks"];

export const widget = {
  name: "clocks",
  module: "models",
  prompts: [
    {
      ask: "Query and key both move 7 places on. What changes?",
      answers: ["Hands, angles and score", "Hands and angles", "The hands alone"],
      right: 2,
      act: "Raise the shift to 7 or more.",
      such_as: "shift=7",
      done: ({ holds }, { shift }) => shift >= 7 && holds,
      then:
        "In each pair both hands turn by the same angle. The angle between them stays, and with it the score: it depends on m − n alone.",
    },
    {
      ask: "The query alone moves on, token by token. Which hand goes round fastest?",
      answers: ["That of the first pair", "That of the last pair", "All alike"],
      right: 0,
      act: "Pull m, or a blue hand, to 20 or more.",
      such_as: "m=20",
      done: (seen, { m }) => m >= 20,
      then:
        "The first pair turns by 1 radian a token, the last one by a thousandth. The first tells neighbours apart, the last one long distances.",
    },
    {
      ask: "Suppose that queries and keys were turned first and projected afterwards. Would the score still depend on m − n alone?",
      answers: ["Yes", "No"],
      right: 1,
      act: "Choose the projection after the turn.",
      such_as: "projection=after the turn",
      done: ({ holds }, { projection }) => projection === "after the turn" && !holds,
      then:
        "A matrix now stands between the two turns, so they do not meet. RoPE turns last, where query meets key. Before the turn a projection does no harm.",
    },
    {
      ask: "The angles of one layout meet the rotation of the other. Does the law survive?",
      answers: ["Yes", "No"],
      right: 1,
      act: "Reset, and choose the mistake rope/layout-mixed.",
      such_as: "bug=rope/layout-mixed",
      done: ({ holds }, { bug, projection }) => bug === "rope/layout-mixed" && projection === "none" && !holds,
      then: "The two numbers of a pair are turned by different angles, so hands grow and shrink. No error is raised, and the model trains.",
    },
    {
      ask: "The rotation runs over the heads, not over the positions. What does the score show of the distance?",
      answers: ["The same", "Less", "Nothing"],
      right: 2,
      act: "Choose rope/head-axis.",
      such_as: "bug=rope/head-axis",
      done: ({ flat }, { bug }) => bug === "rope/head-axis" && flat,
      then:
        "Query and key of one head turn by the same angle, which cancels. The law holds, and yet no position is left: a law alone does not make an encoding.",
    },
  ],
};

const fixed = (v) => v.toFixed(2).replace("-", "−");
const short = (v) => v.toFixed(Math.abs(v) < 10 ? 1 : 0).replace("-", "−");

// A hand from the middle of its clock, and a place to take hold of it.
function hand(d, { x, y, radius }, [a, b], longest, { role, drag, dash }) {
  const long = (Math.hypot(a, b) / longest) * (radius - 3);
  if (long < 4) return d.circle(x, y, 2.5, { role, fill: role });
  const angle = Math.atan2(b, a);
  const tip = [x + long * Math.cos(angle), y - long * Math.sin(angle)];
  d.arrow(x, y, ...tip, { role, width: 2, head: Math.min(8, long), dash, drag });
  if (drag) d.circle(...tip, 12, { opacity: 0, drag });
}

// The angle from the key's hand to the query's, the shorter way.
function wedge(d, { x, y, radius }, query, key) {
  const [a, b] = [query, key].map(([one, other]) => Math.atan2(other, one));
  const r = radius * 0.5;
  const at = (angle) => `${(x + r * Math.cos(angle)).toFixed(1)} ${(y - r * Math.sin(angle)).toFixed(1)}`;
  const sweep = Math.sin(a - b) > 0 ? 0 : 1;
  d.path(`M${x} ${y}L${at(b)}A${r} ${r} 0 0 ${sweep} ${at(a)}Z`, { role: "line", fill: "hidden", width: 1 });
}

function faces(d, seen, { top, width, columns }) {
  const pairs = seen.query.length;
  const across = width / Math.min(pairs, columns);
  const radius = Math.min(46, across / 2 - 7);
  const hands = [...seen.query, ...seen.key, ...(seen.value ?? [])];
  const longest = Math.max(...hands.map(([a, b]) => Math.hypot(a, b)));
  seen.query.forEach((query, k) => {
    const row = Math.floor(k / columns);
    const clock = { x: ((k % columns) + 0.5) * across, y: top + 24 + radius + row * (2 * radius + 34), radius };
    const [one, other] = seen.pairs[k];
    d.text(clock.x, clock.y - radius - 14, `pair ${k}: ${one}, ${other}`, { size: 13, role: "soft" });
    d.circle(clock.x, clock.y, radius, { role: "constant", width: 1.2 });
    wedge(d, clock, query, seen.key[k]);
    if (seen.value) hand(d, clock, seen.value[k], longest, { role: "wrong", dash: "4 3" });
    hand(d, clock, seen.key[k], longest, { role: "parameter", drag: "n" });
    hand(d, clock, query, longest, { role: "value", drag: "m" });
  });
  return top + Math.ceil(pairs / columns) * (2 * radius + 34);
}

// The score by distance, at n and further on: one curve, if distance is all that counts.
function curve(d, seen, { x, y, width, height }) {
  const all = [...seen.here, ...seen.there, seen.score];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const across = (distance) => x + ((distance + 16) / 80) * width;
  const up = (score) => y + height * (most - least > 1e-6 ? 0.94 - (0.9 * (score - least)) / (most - least) : 0.5);
  const at = (v, i) => `${i ? "L" : "M"}${across(seen.distances[i]).toFixed(1)} ${up(v).toFixed(1)}`;
  const path = (scores) => scores.map(at).join("");
  d.text(x - 30, y - 14, "score by distance", { anchor: "start", size: 14, role: "soft" });
  d.line(x, y + height, x + width, y + height, { role: "constant", width: 1 });
  d.line(across(0), y, across(0), y + height, { role: "line", width: 1 });
  for (const tick of [-16, 0, 16, 32, 64]) d.text(across(tick), y + height + 14, String(tick), { size: 13, role: "soft" });
  d.text(across(48), y + height + 14, "$m - n$", { size: 14, role: "soft" });
  for (const v of seen.flat ? [most] : [least, most]) {
    d.line(x, up(v), x + width, up(v), { role: "line", width: 1 });
    d.text(x - 6, up(v), short(v), { anchor: "end", size: 13, role: "soft" });
  }
  d.path(path(seen.here), { role: "value", width: 6, opacity: 0.35 });
  d.path(path(seen.there), { role: seen.holds ? "right" : "wrong", width: 1.8 });
  const words = seen.holds ? `both ${seen.shift} further on: the same` : `both ${seen.shift} further on: not the same`;
  d.text(x + width, y - 14, words, { anchor: "end", size: 13, role: seen.holds ? "right" : "wrong" });
  const [px, py] = [across(seen.distance), up(seen.score)];
  d.circle(px, py, 5, { role: "paper", fill: "ink", width: 1.5, drag: "m" });
  const left = px > x + width * 0.8;
  d.text(px + (left ? -9 : 9), py, fixed(seen.score), { anchor: left ? "end" : "start", size: 13, weight: 600, halo: true });
}

// The scores of a text, its stripes those of one distance; that of the two tokens is framed.
function stripes(d, seen, { x, y, cell }) {
  const n = seen.gram.length;
  const all = seen.gram.flat();
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const share = (v) => (most - least > 1e-6 ? 0.05 + (0.9 * (v - least)) / (most - least) : 0.5);
  const first = seen.place[0] - seen.moved;
  const plain = { radius: 0, role: "none", width: 0, fill: "value" };
  d.text(x, y - 34, "scores of a text", { anchor: "start", size: 14, role: "soft" });
  for (const i of [0, n - 1]) {
    d.text(x + (i + 0.5) * cell, y - 10, String(seen.moved + i), { size: 13, role: "soft" });
    d.text(x - 6, y + (i + 0.5) * cell, String(seen.moved + i), { size: 13, anchor: "end", role: "soft" });
  }
  d.text(x + (n / 2) * cell, y - 10, "key", { size: 13, role: "parameter" });
  d.text(x - 6, y + (n / 2) * cell, "query", { size: 13, anchor: "end", role: "value" });
  seen.gram.forEach((row, i) =>
    row.forEach((v, j) => d.box(x + j * cell, y + i * cell, cell, cell, { ...plain, opacity: Math.round(share(v) * 100) / 100 }))
  );
  const role = seen.holds ? "ink" : "wrong";
  for (let i = 0; i < n; ++i) {
    const j = i - seen.distance;
    if (j >= 0 && j < n) d.box(x + j * cell, y + i * cell, cell, cell, { radius: 0, fill: "none", role, width: i === first ? 2.5 : 1 });
  }
  const words = seen.flat_text ? "× no distance is left" : seen.holds ? "✓ one number per diagonal" : "× diagonals change";
  d.text(x, y + n * cell + 16, words, { anchor: "start", size: 13, role: seen.holds && !seen.flat_text ? "right" : "wrong" });
}

export function draw({ drawing, width, results: { "widget-clocks": seen } }) {
  const narrow = width < 500;
  const head = 30;
  const rows = narrow ? Math.ceil(seen.query.length / 4) : 1;
  const radius = Math.min(46, width / Math.min(seen.query.length, narrow ? 4 : 8) / 2 - 7);
  const below = head + rows * (2 * radius + 34);
  const d = drawing(width, below + (narrow ? 504 : 260), title);
  const [m, n] = seen.place;
  d.text(8, 14, `query at ${m}`, { anchor: "start", size: 14, role: "value", weight: 600 });
  d.text(120, 14, `key at ${n}`, { anchor: "start", size: 14, role: "parameter", weight: 600 });
  if (seen.value) d.text(220, 14, "value, turned too", { anchor: "start", size: 14, role: "wrong", weight: 600 });
  faces(d, seen, { top: head, width, columns: narrow ? 4 : 8 });
  curve(d, seen, { x: 38, y: below + 30, width: narrow ? width - 52 : 396, height: narrow ? 140 : 198 });
  stripes(d, seen, narrow ? { x: 64, y: below + 258, cell: 18 } : { x: 520, y: below + 50, cell: 15 });
  return d;
}
