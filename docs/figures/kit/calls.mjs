// The calls of one forward of the Transformer of 2017, as chapter 09's program has written them down, and a layer drawn of
// them: every box is a call or an op, every arrow is what one read of another.

// path → { path, type, shape, reads, parts }, where the parts are the calls and ops within it, in order.
export function calls_of({ ch09 }) {
  const calls = new Map();
  const top = { parts: [] };
  const walk = (branch, path, above) => {
    for (const [name, value] of Object.entries(branch)) {
      if (["type", "shape", "reads"].includes(name)) continue;
      const here = path ? `${path}.${name}` : name;
      const { type, shape, reads } = value;
      const call = type && { path: here, type, shape, reads, parts: [] };
      if (call) calls.set(here, call) && above.parts.push(call);
      walk(value, here, call || above);
    }
  };
  walk(ch09.numbers.calls, "", top);
  for (const call of calls.values()) call.parts = in_order(call.parts);
  return calls;
}

// Each after those that it reads.
function in_order(parts) {
  const waits = (part, left) => left.some((other) => other !== part && part.reads.includes(other.path));
  const placed = [];
  for (let left = parts; left.length; left = left.filter((part) => !placed.includes(part))) {
    placed.push(left.find((part) => !waits(part, left)));
  }
  return placed;
}

export const shape_text = ({ shape }) => `[${shape.join(", ")}]`;

// How many blocks the stack at this path has.
export const depth_of = (calls, path) => [...calls.keys()].filter((one) => new RegExp(`^${path}\\.blocks\\.\\d+$`).test(one)).length;

// "MultiHeadAttention(8 heads of 64, causal)" in words; `memory`: the path that keys and values come from, if not the stream.
export function words_of({ type }, memory) {
  if (/^MultiHead/.test(type)) return memory ? "cross-attention" : type.includes("causal") ? "masked self-attention" : "self-attention";
  return { LayerNorm: "layer norm", FeedForward: "feed-forward layer", Embedding: "embedding", add: "+" }[type.match(/^\w+/)[0]] ?? type;
}

export const heads_of = ({ type }) => type.match(/\d+ heads of \d+/)?.[0] ?? "";

// A part of a sublayer in words, by its name in there.
function part_words({ path, type }, wide) {
  const name = path.split(".").at(-1);
  const map = { q_proj: ["queries", "q"], k_proj: ["keys", "k"], v_proj: ["values", "v"] }[name];
  if (map) return wide ? `${map[0]} $W_${map[1]}$` : map[0];
  const words = { attention: "softmax of scaled $q k^T$, times $v$", out_proj: "back to the stream, $W_o$" };
  const size = type.match(/^Linear\((\d+) -> (\d+)/);
  return words[name] ?? (size ? `$W_${name.slice(1)}$: ${size[1]} → ${size[2]}` : type);
}

// What a sublayer reads from outside of its block, other than the stream: the memory of cross-attention.
export const memory_of = (call, block) => call.reads.find((path) => !path.startsWith(block.path) && path !== block.reads[0]);

const ROW = { box: 28, step: 50, head: 30, foot: 20 };
export const is_plus = ({ type }) => type === "add";
const GAP = { plus: 34, norm: 30, sublayer: 38 };

// The parts of a sublayer in rows: those that read nothing of it first, then those that read these …
function rows_of(sublayer) {
  const level = new Map();
  for (const part of sublayer.parts) {
    const below = part.reads.filter((path) => level.has(path)).map((path) => level.get(path) + 1);
    level.set(part.path, Math.max(0, ...below));
  }
  const rows = [];
  for (const part of sublayer.parts) (rows[level.get(part.path)] ??= []).push(part);
  return rows;
}

const height_of = (part) =>
  is_plus(part) ? 24 : part.parts.length ? ROW.head + ROW.foot + (rows_of(part).length - 1) * ROW.step + ROW.box : ROW.box;
const gap_below = (part) => (is_plus(part) ? GAP.plus : part.parts.length ? GAP.sublayer : GAP.norm);

// A layer of a stack, drawn upward: its input at the foot, its sublayers in frames, the stream past them at the left.
export function draw_layer({ drawing, width, results }, { path, title, names }) {
  const calls = calls_of(results);
  const block = calls.get(path);
  const wide = width > 500;
  const tall = 2 * 34 + block.parts.reduce((sum, part) => sum + height_of(part) + gap_below(part), 34);
  const d = drawing(width, tall, title);
  const size = wide ? 14 : 12;
  const frame = { w: wide ? 340 : 250, x: wide ? 170 : 50 };
  const middle = frame.x + frame.w / 2;
  const side = frame.x - (wide ? 34 : 22); // where the stream goes past a sublayer
  const up = { role: "value", width: 2, head: 8 };
  let y = tall - 34; // the top of what is below
  const tops = new Map([[block.reads[0], y]]);
  d.text(middle, y + 16, `${names.input} ${shape_text(block)}`, { size, role: "value" });
  for (const part of block.parts) {
    const below = y;
    const [bottom, top] = [below - gap_below(part), below - gap_below(part) - height_of(part)];
    const centre = (bottom + top) / 2;
    if (is_plus(part)) {
      const [past] = part.reads; // the stream; the other is the sublayer, right below
      const from = tops.get(past) - 12;
      d.path(`M${middle} ${from}H${side}V${centre}H${middle - 22}`, { role: "value", width: 2 });
      d.arrow(side, centre, middle - 12, centre, up);
      d.arrow(middle, below, middle, bottom, up);
      d.circle(middle, centre, 12, { role: "value", width: 2, text: "+", size: 16 });
    } else if (part.parts.length) {
      sublayer(d, { part, block, frame, middle, below, bottom, top, size, wide, up, names });
    } else {
      d.arrow(middle, below, middle, bottom - 1, up);
      d.box(middle - frame.w / 4, top, frame.w / 2, ROW.box, { role: "gradient", text: words_of(part), size });
    }
    tops.set(part.path, top);
    y = top;
  }
  d.arrow(middle, y, middle, y - 30, up);
  return d.text(middle, y - 42, `${names.output} ${shape_text(block.parts.at(-1))}`, { size, role: "value" });
}

// A frame with the parts of a sublayer in rows, and arrows from what each reads.
function sublayer(d, { part, block, frame, middle, below, bottom, top, size, wide, up, names }) {
  const memory = memory_of(part, block);
  d.box(frame.x, top, frame.w, bottom - top, { role: "line", fill: "panel", radius: 8 });
  d.text(frame.x + 10, top + 15, words_of(part, memory), { size, weight: 600, anchor: "start" });
  d.text(frame.x + frame.w - 10, top + 15, heads_of(part), { size: size - 1, role: "soft", anchor: "end" });
  const rows = rows_of(part);
  const at = new Map();
  const inner = { x: frame.x + 10, w: frame.w - 20 };
  rows.forEach((row, r) =>
    row.forEach((one, k) => {
      const cell = inner.w / row.length;
      const w = row.length > 1 ? cell - 14 : wide ? 220 : 190;
      at.set(one.path, { x: inner.x + (k + 0.5) * cell, y: bottom - ROW.foot - ROW.box - r * ROW.step, w });
    })
  );
  const way = { width: 1.6, head: 7 };
  for (const one of part.parts) {
    const to = at.get(one.path);
    const within = one.reads.filter((path) => at.has(path));
    for (const path of within) {
      const from = at.get(path);
      d.arrow(from.x, from.y, within.length > 1 ? to.x + (from.x - to.x) * 0.4 : to.x, to.y + ROW.box + 1, { role: "constant", ...way });
    }
    if (within.length) continue;
    const role = one.reads[0] === memory ? "parameter" : "value";
    d.arrow(to.x, bottom + 12, to.x, to.y + ROW.box + 1, { role, ...way, width: 2 });
  }
  const entry = part.parts.filter((one) => !one.reads.some((path) => at.has(path)));
  const xs = (path) => entry.filter((one) => (one.reads[0] === memory) === (path === memory)).map((one) => at.get(one.path).x);
  const stream = xs("");
  d.line(middle, below, middle, stream.length > 1 || stream[0] === middle ? bottom + 12 : below - 12, { role: "value", width: 2 });
  if (stream.length === 1 && stream[0] !== middle)
    d.path(`M${middle} ${below - 12}H${stream[0]}V${bottom + 10}`, { role: "value", width: 2 });
  if (stream.length > 1) d.line(Math.min(...stream), bottom + 12, Math.max(...stream), bottom + 12, { role: "value", width: 2 });
  if (memory) {
    const keys = xs(memory);
    const edge = frame.x + frame.w + (wide ? 40 : 22);
    d.line(Math.min(...keys), bottom + 12, edge, bottom + 12, { role: "parameter", width: 2 });
    d.text(wide ? edge + 6 : edge, wide ? bottom + 12 : bottom + 28, names.memory, { size, role: "parameter",
      anchor: wide ? "start" : "end" });
  }
  for (const one of part.parts) {
    const { x, y, w } = at.get(one.path);
    d.box(x - w / 2, y, w, ROW.box, { role: /^Linear/.test(one.type) ? "parameter" : "constant", text: part_words(one, wide),
      size: wide ? 14 : 12 });
  }
}
