// Three ways in which a layer learns what the token was at first: the first layer's values, and two tables that the id reads.
export const title = "Where a value residual, a value embedding and a per-layer embedding enter a layer";

const KINDS = [
  { name: "value residual", source: "$v_1$", into: 0, boxes: ["attention", "feed-forward"] },
  { name: "value embedding", source: "$E_l$", table: true, into: 0, boxes: ["attention", "feed-forward"] },
  { name: "per-layer embedding", source: "$E_l$", table: true, with_input: true, into: 2,
    boxes: ["attention", "feed-forward", "gate, norm"] },
];
const STEP = 76;

export function draw({ drawing, width }) {
  const d = drawing(width, 372, title);
  const field = width / KINDS.length;
  KINDS.forEach((kind, k) => one(d, kind, (k + 0.5) * field, width < 500));
  return d;
}

function one(d, { name, source, table, with_input, into, boxes }, centre, narrow) {
  const box = { width: narrow ? 56 : 96, height: 28, size: narrow ? 11 : 14 };
  const stream = centre - (narrow ? 40 : 78);
  const side = centre + (narrow ? 3 : 0);
  const far = centre + (narrow ? 42 : 74);
  const id = 316;
  const embedding = 272;
  // The stream, from the id by the embedding.
  d.arrow(stream, id, stream, embedding, { role: "constant", width: 1.5, head: 8, from: 12, to: 14 });
  d.arrow(stream, embedding, stream, 12, { role: "value", width: 2, head: 8, from: 14 });
  boxes.forEach((word, i) => {
    const y = 216 - i * STEP;
    const sum = y - 26;
    d.path(`M${stream} ${y + 24}L${side} ${y + 24}`, { role: "constant", width: 1.5 });
    d.line(side, y + 24, side, sum, { role: "constant", width: 1.5 });
    d.arrow(side, sum, stream, sum, { role: "constant", width: 1.5, head: 8, to: 10 });
    if (i === into) {
      if (table) d.path(`M${stream} ${id}L${far} ${id}`, { role: "parameter", width: 1.5 });
      d.line(far, table ? id : embedding, far, y, { role: "parameter", width: 1.5 });
      d.arrow(far, y, side + box.width / 2 + 1, y, { role: "parameter", width: 1.5, head: 8 });
      if (with_input) d.arrow(stream, embedding, far, embedding, { role: "value", width: 1.5, head: 8, from: 15, to: 16 });
      d.box(far - 15, embedding - 14, 30, 28, { role: table ? "parameter" : "value", text: source, size: 14 });
    }
    d.box(side - box.width / 2, y - 14, box.width, 28, { role: i === 2 ? "gradient" : "constant",
      text: narrow ? word.replace("forward", "f.").replace(", norm", "") : word, size: box.size });
    d.circle(stream, sum, 9, { role: "ink", text: "+", size: 13 });
  });
  d.box(stream - 15, embedding - 14, 30, 28, { role: "parameter", text: "$E$", size: 14 });
  d.circle(stream, id, 12, { role: "ink", text: "id", size: 12 });
  d.text(centre, 356, narrow ? name.replace("embedding", "emb.") : name, { role: "soft", size: narrow ? 11 : 14 });
}
