// The tape playground: the graph of an expression with the walk back at one step, what waits, what is handed on, and how the
// gradients of the leaves compare with differences and with the recursion.
import { number, text_width } from "../kit/words.mjs";
import { in_layers } from "./kit/layers.mjs";

export const title = "The walk back over a tape, one step at a time";
export const results = ["widget-tape"];

const leaf = ({ leaves }, name) => leaves.find((one) => one.name === name);
const typed = (text, wanted) => text.replaceAll(" ", "") === wanted;

export const widget = {
  name: "tape",
  module: "lab",
  prompts: [
    {
      ask: "Let b be 0, so that p = a · b is 0. To which leaf will p hand on 0?",
      answers: ["To a", "To b", "To both"],
      right: 0,
      act: "Put b to 0: pull its box, or move the slider.",
      such_as: "b=0",
      done: (seen, { b }) => b === 0,
      then:
        "A product hands on its gradient times the other factor: 3 · b = 0 to a, and 3 · a = 6 to b. What a gets from s is added to that.",
    },
    {
      ask: "With b = 3 again, let a be 1 instead of 2. What is dy/da then?",
      answers: ["12.5", "19", "25"],
      right: 1,
      from: "",
      act: "Put a to 1 (pull its box, or move the slider), and go to the last step.",
      such_as: "a=1&step=7",
      done: ({ step, visits }, { a }) => a === 1 && step === visits,
      then: "The rules read the values that were kept: s is 4 and p is 3. So p hands on 5 · 3 = 15, and s hands on 4: 15 + 4 = 19.",
    },
    {
      ask: "The recursion hands on the first 1 of s and p twice, so a gets 1 + b too much. At which b is it right about a?",
      answers: ["At −1", "At 0", "At 1"],
      right: 0,
      act: "Move b until the recursion has a ✓ at a.",
      such_as: "b=-1",
      done: (seen) => leaf(seen, "a")?.twin_right === true,
      then: "What is counted twice is 1 + b = 0 there. A wrong walk can be right at one point, so check gradients at more than one.",
    },
    {
      ask: "s = a+b; s*s at a = 2 and b = 3 has dy/da = 2 · 5 = 10. What does the recursion find?",
      answers: ["10", "15", "20"],
      right: 1,
      act: "Press Reset, and change the expression to s = a+b; s*s",
      such_as: "text=s %3D a%2Bb; s*s",
      done: (seen, { text, a, b }) => typed(text, "s=a+b;s*s") && a === 2 && b === 3,
      then: "The product hands 5 to s for each factor. The recursion passes on 5 with the first, and 5 + 5 with the second.",
    },
    {
      ask: "A model whose layers stand in a row: is the recursion right about its weights?",
      answers: ["Yes, nothing is used twice", "No"],
      right: 1,
      act: "Choose a model.",
      such_as: "what=a model",
      done: (seen, { what }) => what === "a model",
      then:
        "mse squares d as d · d, so d is used twice, and each op below repeats what is repeated: b2 gets 2 times its gradient, W1 4 times.",
    },
  ],
};

const NAMED = { NaN: "NaN", inf: "∞", "-inf": "−∞" };
const shown = (value, digits) => (typeof value === "string" ? NAMED[value] : number(value, digits));
const is_number = (value) => !Array.isArray(value);
const rows_of = (value) => (is_number(value) ? [[value]] : is_number(value[0]) ? [value] : value.flatMap(rows_of));

// With as many digits, four at most, as there is room for.
function fitting(value, width, size) {
  const texts = [4, 3, 2, 1].map((digits) => shown(value, digits));
  return texts.find((text) => text_width(text, size) <= width) ?? texts.at(-1);
}

function shortened(text, width, size) {
  if (text_width(text, size) <= width) return text;
  let kept = [...text];
  while (kept.length > 1 && text_width(`${kept.join("")}…`, size) > width) kept = kept.slice(0, -1);
  return `${kept.join("")}…`;
}

// Numbers as cells, from x on to the right and y in their middle: the darker, the larger; blue below 0.
function cells(d, value, x, y, size, drags = []) {
  const rows = rows_of(value);
  const most = Math.max(...rows.flat().map((v) => (typeof v === "string" ? 0 : Math.abs(v)))) || 1;
  const fill = (v) => {
    const part = v / most;
    return part === 0 ? "z0" : `${part > 0 ? "p" : "m"}${Math.min(3, Math.ceil(Math.abs(part) * 3))}`;
  };
  rows.forEach((row, i) =>
    row.forEach((v, j) => {
      const top = y + (i - rows.length / 2) * size;
      if (typeof v === "string") return d.text(x + (j + 0.5) * size, top + size / 2, "×", { role: "wrong", size: 13 });
      d.box(x + j * size + 0.5, top + 0.5, size - 1, size - 1, { radius: 1, fill: fill(v), role: "line", width: 0.5, drag: drags[j] });
    })
  );
  return rows[0].length * size;
}

// A number, or cells; x is its left edge. How wide it is.
function value_at(d, value, x, y, { role, room = 90, size = 14, cell = 9 }) {
  if (!is_number(value)) return cells(d, value, x, y, cell);
  const text = fitting(value, room, size);
  d.text(x, y, text, { role, anchor: "start", size });
  return text_width(text, size);
}

// --- the graph ----------------------------------------------------------------------------------------------------

const BOX = { height: 62, gap: 30, pass: 26, above: 16 };

// The middle of each place: layers from left to right, or from top to bottom.
function placed(seen, width, narrow) {
  const { layers, ways } = in_layers(seen.tensors.map(({ number: id, inputs }) => ({ id, inputs })));
  const fullest = Math.max(...layers.map((layer) => layer.length));
  const along = narrow ? BOX.height + 38 : Math.min(190, (width - 8) / layers.length);
  const box_width = narrow ? Math.min(116, (width - 8) / fullest - 12) : Math.min(120, along - (layers.length > 8 ? 16 : 30));
  const across = narrow ? Math.min(180, (width - 8) / fullest) : BOX.height + BOX.gap;
  const extent = (layer) => layer.reduce((sum, { id }) => sum + (id || narrow ? across : BOX.pass), 0);
  const all = Math.max(...layers.map(extent));
  layers.forEach((layer, i) => {
    let at = -extent(layer) / 2;
    for (const place of layer) {
      const size = place.id || narrow ? across : BOX.pass;
      const middle = at + size / 2;
      const before = (i + 0.5) * along;
      const [x, y] = narrow ? [width / 2 + middle, before] : [before + (width - along * layers.length) / 2, all / 2 + middle];
      Object.assign(place, { x, y: y + BOX.above });
      at += size;
    }
  });
  return { layers, ways, box_width, height: BOX.above + (narrow ? along * layers.length : all) };
}

// A smooth line from box to box, straight where it passes by others; back: the arrow is at its beginning.
function curve(d, places, { narrow, half, role, back, width }) {
  const point = ({ id, x, y }) => {
    const [u, v] = narrow ? [y, x] : [x, y];
    return id ? [[u, v]] : [[u - half, v], [u + half, v]];
  };
  const points = places.flatMap(point);
  points[0][0] += half + 2;
  points.at(-1)[0] -= half + 3;
  const [first, last] = [points[0], points.at(-1)];
  if (back) first[0] += 7;
  else last[0] -= 7;
  const at = ([u, v]) => (narrow ? `${v.toFixed(1)} ${u.toFixed(1)}` : `${u.toFixed(1)} ${v.toFixed(1)}`);
  let path = `M${at(first)}`;
  points.slice(1).forEach((to, i) => {
    const middle = (points[i][0] + to[0]) / 2;
    path += `C${at([middle, points[i][1]])} ${at([middle, to[1]])} ${at(to)}`;
  });
  d.path(path, { role, width });
  const [tip, away] = back ? [first, -8] : [last, 8];
  const ends = [tip, [tip[0] + away, tip[1]]].map(([u, v]) => (narrow ? [v, u] : [u, v]));
  d.arrow(...ends[0], ...ends[1], { role, width, head: 7 });
}

function draw_ways(d, seen, { ways, box_width }, narrow) {
  const half = (narrow ? BOX.height : box_width) / 2;
  const handed = (way) => (way.to === seen.now ? seen.deliveries.filter(({ to }) => to === way.from) : []);
  for (const way of ways) if (handed(way).length === 0) curve(d, way.places, { narrow, half, role: "constant", width: 1.2 });
  for (const way of ways) if (handed(way).length > 0) curve(d, way.places, { narrow, half, role: "gradient", width: 2, back: true });
  for (const { places: [a, b], times } of ways) {
    if (times > 1) d.text((a.x + b.x) / 2 + (narrow ? 16 : 0), (a.y + b.y) / 2 - (narrow ? 0 : 12), `×${times}`, { size: 14, halo: true });
  }
}

// The knobs that a leaf is moved by: a, b or c, or all of them, which are the input of a model.
const KNOBS = ["a", "b", "c"];
const drags_of = (tensor) => (tensor.name === "x" ? KNOBS : KNOBS.includes(tensor.name) ? [tensor.name] : []);

function draw_tensor(d, tensor, { x, y }, w, now) {
  const { height: h } = BOX;
  const drags = drags_of(tensor);
  const pulled = drags.length > 0 && is_number(tensor.value);
  const hand = pulled ? { drag: drags[0] } : tensor.turn > 0 && drags.length === 0 ? { set: `step=${tensor.turn}` } : {};
  const waits = tensor.gradient !== null && !tensor.visited;
  const [left, top] = [x - w / 2, y - h / 2];
  if (now) d.box(left - 4, top - 4, w + 8, h + 8, { radius: 9, role: "ink", width: 2 });
  const outline = waits ? "gradient" : tensor.kind === "leaf" ? "parameter" : tensor.visited ? "soft" : "constant";
  d.box(left, top, w, h, { fill: tensor.visited ? "panel" : "paper", role: outline, dash: waits, ...hand });
  const roomy = w >= 90;
  draw_turn(d, tensor, left + w, top);
  if (tensor.kind === "constant" && is_number(tensor.value))
    return d.text(x, y, fitting(tensor.value, w - 6, 14), { role: "value", size: 14 });
  const size = roomy ? 14 : 13;
  d.text(x, top + 12, shortened(tensor.name, w - (roomy ? 40 : 6), size), { size, ...hand });
  if (roomy && hand.drag) d.text(left + 6, top + 11, "↔", { role: "soft", anchor: "start", size: 13, ...hand });
  if (is_number(tensor.value)) draw_numbers(d, tensor, x, top, w, { waits, roomy, hand });
  else draw_cells(d, tensor, x, top, w, drags);
}

// At the corner, which visit of the walk is its own.
function draw_turn(d, { turn }, x, y) {
  if (turn > 0) d.circle(x - 4, y - 4, 10, { role: "soft", text: String(turn), size: 13, set: `step=${turn}` });
}

function draw_numbers(d, { value, gradient }, x, top, w, { waits, roomy, hand }) {
  const size = roomy ? 14 : 13;
  const more = waits ? " …" : "";
  const room = w - (roomy ? 40 : 19);
  const [value_arrow, gradient_arrow] = roomy ? ["→ ", "← "] : ["→", "←"];
  d.text(x, top + 31, `${value_arrow}${fitting(value, room, size)}`, { role: "value", size, ...hand });
  if (gradient !== null)
    d.text(x, top + 49, `${gradient_arrow}${fitting(gradient, room - (waits ? 12 : 0), size)}${more}`, { role: "gradient", size, ...hand });
}

// The value on the left, the gradient on the right.
function draw_cells(d, tensor, x, top, w, drags) {
  const columns = rows_of(tensor.value)[0].length;
  const lines = rows_of(tensor.value).length;
  const size = Math.min(13, (w / 2 - 6) / columns, (BOX.height - 24) / lines);
  cells(d, tensor.value, x - 3 - columns * size, top + 40, size, drags);
  if (tensor.gradient !== null) cells(d, tensor.gradient, x + 3, top + 40, size);
}

// --- the tables below it --------------------------------------------------------------------------------------------

const head = (d, x, y, words) => d.text(x, y, words, { role: "soft", anchor: "start", size: 13 });

function draw_pending(d, seen, x, y, row, width) {
  head(d, x, y, "Pending, newest first");
  if (seen.pending.length === 0) d.text(x, y + row + 4, "nothing: the walk is over", { anchor: "start", size: 13 });
  seen.pending.forEach(({ turn, name, gradient }, i) => {
    const middle = y + 4 + (i + 1) * row;
    if (turn > 0) d.circle(x + 10, middle, 10, { role: "soft", text: String(turn), size: 13 });
    d.text(x + 30, middle, shortened(name, width - 110, 14), { anchor: "start", size: 14 });
    value_at(d, gradient, x + width - 72, middle, { role: "gradient" });
  });
}

function draw_deliveries(d, seen, x, y, row, width) {
  const now = seen.tensors.find(({ number: id }) => id === seen.now);
  head(d, x, y, now ? `${shortened(now.name, 90, 13)} hands on` : "The walk begins");
  if (seen.deliveries.length === 0) d.text(x, y + row + 4, now ? "nothing more" : "with dy/dy = 1", { anchor: "start", size: 13 });
  seen.deliveries.forEach(({ name, before, contribution, after }, i) => {
    const middle = y + 4 + (i + 1) * row;
    d.text(x, middle, `to ${shortened(name, 48, 13)}`, { anchor: "start", size: 13 });
    let at = x + 70;
    const sign = (words) => {
      d.text(at + 9, middle, words, { role: "soft", size: 14 });
      at += 18;
    };
    if (before !== null) {
      at += value_at(d, before, at, middle, { role: "soft", room: 44 });
      sign("+");
    }
    at += value_at(d, contribution, at, middle, { role: "gradient", room: 44 });
    if (before === null) return d.text(at + 10, middle, "is the first", { role: "soft", anchor: "start", size: 13 });
    sign("=");
    value_at(d, after, at, middle, { role: "gradient", room: 44 });
  });
}

function draw_leaves(d, seen, x, y, row, width) {
  const columns = [0.25, 0.49, 0.77].map((part) => x + part * width);
  head(d, x, y, "At the end");
  ["walk", "differences", "recursion"].forEach((words, i) => head(d, columns[i], y, words));
  seen.leaves.forEach((one, i) => {
    const middle = y + 4 + (i + 1) * row;
    d.text(x, middle, one.name, { anchor: "start", size: 14 });
    const found = (value, column, role, right) => {
      if (value === null) return d.text(column, middle, "none", { role: "soft", anchor: "start", size: 13 });
      const wide = value_at(d, value, column, middle, { role, room: 56 });
      if (right === undefined) return;
      d.text(column + wide + 7, middle, right ? "✓" : "✗", { role: right ? "right" : "wrong", anchor: "start", size: 14 });
    };
    found(one.walk, columns[0], "gradient");
    found(one.differences, columns[1], "ink", one.right);
    if (one.twin === null && one.walk !== null) d.text(columns[2], middle, "?", { role: "soft", anchor: "start", size: 13 });
    else found(one.twin, columns[2], one.twin_right ? "ink" : "wrong", one.twin_right);
  });
  const arrivals = `${seen.all_arrived ? "" : "more than "}${number(seen.arrivals, 5)}`;
  const last = y + 8 + (seen.leaves.length + 1) * row;
  d.text(x, last, `The walk makes ${seen.visits} visits, the recursion ${arrivals}.`, { role: "soft", anchor: "start", size: 13 });
}

export function draw({ drawing, width, results: { "widget-tape": seen } }) {
  const narrow = width < 500;
  const graph = placed(seen, width, narrow);
  const tall = Math.max(...seen.tensors.map(({ value }) => rows_of(value).length));
  const row = Math.max(23, tall * 9 + 8);
  const heights = [seen.most_pending, 3, seen.leaves.length + 1].map((rows) => 18 + rows * row);
  const below = narrow ? heights.reduce((sum, one) => sum + one + 16, 0) : Math.max(...heights);
  const top = graph.height + 34;
  const d = drawing(width, Math.round(top + below + 8), title);
  draw_ways(d, seen, graph, narrow);
  const places = new Map(graph.layers.flat().filter(({ id }) => id).map((place) => [place.id, place]));
  for (const tensor of seen.tensors) draw_tensor(d, tensor, places.get(tensor.number), graph.box_width, tensor.number === seen.now);
  const tables = [draw_pending, draw_deliveries, draw_leaves];
  const columns = [[4, 170], [196, 196], [408, 312]];
  let y = top;
  tables.forEach((table, i) => {
    const [x, wide] = narrow ? [8, width - 16] : columns[i];
    table(d, seen, x, narrow ? y : top, row, wide);
    y += heights[i] + 16;
  });
  return d;
}
