// The whole Transformer of 2017, from its own calls: two stacks drawn upward, and the wire from one into the other.
import { calls_of, depth_of, is_plus, memory_of, shape_text, words_of } from "./kit/calls.mjs";

export const title = "The Transformer of 2017: encoder and decoder";
export const results = ["ch09"];

const BOX = { sublayer: 34, norm: 26, small: 28 };
const GAP = { norm: 14, sublayer: 30, small: 22, frame: 18 };
const FOOT = 30; // below it the words of what goes in
const UP = { role: "value", width: 2, head: 8 };

// The blocks' parts from the foot up: a sublayer, and above it the norm of its sum: { part } or { norm, past }.
function rungs(block) {
  const rungs = [];
  block.parts.forEach((part, k) => {
    const after = block.parts[k + 1];
    if (is_plus(part) && after?.type.startsWith("LayerNorm") && after.reads[0] === part.path) {
      rungs.push({ path: after.path, norm: after, past: part.reads[0] });
    } else if (part.parts.length) rungs.push({ path: part.path, part });
  });
  return rungs;
}

export function draw({ drawing, width, results }) {
  const calls = calls_of(results);
  const wide = width > 500;
  const size = wide ? 14 : 12;
  const foot = 3 * BOX.small + 3 * GAP.small + GAP.frame;
  const tower = (path, left) => {
    const block = calls.get(`${path}.blocks.0`);
    const steps = rungs(block);
    const inside = steps.reduce((sum, { norm }) => sum + (norm ? BOX.norm + GAP.norm : BOX.sublayer + GAP.sublayer), GAP.frame);
    return { path, block, steps, inside, centre: left ? width * (wide ? 0.27 : 0.24) : width * (wide ? 0.73 : 0.74), side: left ? -1 : 1 };
  };
  const [encoder, decoder] = [tower("encoder", true), tower("decoder", false)];
  const top = 2 * BOX.small + 2 * GAP.small + 46;
  const d = drawing(width, top + decoder.inside + foot + FOOT, title);
  const floor = top + decoder.inside; // the lower edge of both frames
  const w = wide ? 168 : 114;
  const short = (words) => (wide ? words : words.replace("masked self-", "masked ").replace(" layer", ""));
  const box = (x, y, h, text, role, own = w) => d.box(x - own / 2, y, own, h, { role, text, size });

  // From the embedding up to the frame: what the first block reads, and what that reads …
  const entry = ({ path, block, centre, side }, words) => {
    const below = [];
    for (let call = calls.get(block.reads[0]); call; call = calls.get(call.reads[0])) below.unshift(call);
    let y = floor + foot;
    d.text(centre, y + 14, words, { size, role: "soft" });
    for (const call of below) {
      const h = call.reads.length ? 24 : BOX.small;
      const next = y - GAP.small - h;
      d.arrow(centre, y, centre, next + h, UP);
      if (call.reads.length) {
        d.circle(centre, next + 12, 12, { role: "value", width: 2, text: is_plus(call) ? "+" : "×", size: 16 });
        const note = is_plus(call) ? "waves" : `√${call.shape.at(-1)}`;
        d.text(centre + side * 24, next + 12, note, { size, role: "soft", anchor: side < 0 ? "end" : "start" });
      } else box(centre, next, h, words_of(call), "parameter");
      y = next;
    }
    return { y, depth: depth_of(calls, path) };
  };

  // The frame of a stack, with the parts of its first block.
  const stack = ({ block, steps, inside, centre, side }, { y, depth }) => {
    const edge = w / 2 + (wide ? 34 : 20);
    d.box(centre - edge - 4, floor - inside, 2 * edge + 8, inside, { role: "line", fill: "panel", radius: 8 });
    d.text(centre + side * (edge + 4), floor - inside - 12, `${depth} ×`, { size: size + 2, weight: 700,
      anchor: side < 0 ? "start" : "end" });
    const tops = new Map([[block.reads[0], floor]]);
    const places = new Map();
    let below = floor;
    d.line(centre, y, centre, floor, { role: "value", width: 2 });
    for (const { path, part, norm, past } of steps) {
      const [h, gap] = norm ? [BOX.norm, GAP.norm] : [BOX.sublayer, GAP.sublayer];
      const next = below - gap - h;
      d.arrow(centre, below, centre, next + h, UP);
      if (norm) {
        const from = tops.get(past) - 9;
        const x = centre + side * (edge - 6);
        d.path(`M${centre} ${from}H${x}V${next + h / 2}`, { role: "value", width: 1.6 });
        d.arrow(x, next + h / 2, centre + (side * w) / 2, next + h / 2, { ...UP, width: 1.6 });
        box(centre, next, h, "add & norm", "gradient");
      } else {
        const memory = memory_of(part, block);
        box(centre, next, h, short(words_of(part, memory)), memory ? "parameter" : "constant");
        if (memory) places.set(memory, next + h / 2);
      }
      tops.set(path, next);
      below = next;
    }
    return { top: floor - inside, last: below, places };
  };

  const left = stack(encoder, entry(encoder, "source ids"));
  const right = stack(decoder, entry(decoder, "target ids, so far"));

  // The wire: what the encoder hands on goes into every decoder block.
  const out = left.top - 24;
  const middle = width / 2;
  d.line(encoder.centre, left.last, encoder.centre, out, { role: "parameter", width: 2 });
  for (const [from, y] of right.places) {
    d.path(`M${encoder.centre} ${out}H${middle}V${y}`, { role: "parameter", width: 2 });
    d.arrow(middle, y, decoder.centre - w / 2 - 1, y, { ...UP, role: "parameter" });
    d.text(encoder.centre, out - 14, wide ? `memory ${shape_text(calls.get(from))}` : "memory", { size, role: "parameter" });
  }

  // Up from the decoder: whoever reads it, and whoever reads that.
  let y = right.last;
  let above = "decoder";
  for (let call; (call = [...calls.values()].find(({ reads }) => reads.includes(above) && !reads.includes("encoder"))); above = call.path) {
    const next = (y === right.last ? right.top : y) - GAP.small - BOX.small;
    d.arrow(decoder.centre, y, decoder.centre, next + BOX.small, UP);
    box(decoder.centre, next, BOX.small, { matmul: "linear", softmax: "softmax" }[call.type] ?? call.type,
      call.type === "matmul" ? "parameter" : "constant");
    y = next;
  }
  d.arrow(decoder.centre, y, decoder.centre, y - 22, UP);
  d.text(decoder.centre, y - 32, wide ? `probabilities ${shape_text(calls.get(above))}` : "probabilities", { size, role: "soft" });
  return d;
}
