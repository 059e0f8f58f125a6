// Where five placements have their norms: the stream runs upward at the left, the sublayer hangs at its right.
export const title = "Pre-norm, post-norm, sandwich-norm, output-norm and DeepNorm as block diagrams";

const KINDS = [
  { name: "pre", branch: ["norm", "f"] },
  { name: "post", branch: ["f"], after: true },
  { name: "sandwich", branch: ["norm", "f", "norm"] },
  { name: "output", branch: ["f", "norm"] },
  { name: "deepnorm", branch: ["f"], after: true, alpha: true },
];
const BOX = { width: 50, height: 28 };
const STEP = 46;

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const columns = narrow ? 3 : 5;
  const rows = Math.ceil(KINDS.length / columns);
  const tall = 330;
  const d = drawing(width, rows * tall, title);
  KINDS.forEach((kind, k) => {
    const centre = ((k % columns) + 0.5) * (width / columns);
    one(d, kind, centre, Math.floor(k / columns) * tall, narrow);
  });
  return d;
}

// One of them, with its foot at the bottom of its field.
function one(d, { name, branch, after, alpha }, centre, top, narrow) {
  const stream = centre - (narrow ? 32 : 34);
  const side = centre + (narrow ? 24 : 28);
  const foot = top + 284;
  const fork = foot - 26;
  const sum = top + 84;
  const look = { role: "value", width: 2, head: 8 };
  const norm_at = { x: stream, y: top + 44 };
  // Up the stream: through the sum, and the norm after it where there is one.
  d.arrow(stream, foot, stream, sum, { ...look, to: 11 });
  d.arrow(stream, sum, stream, after ? norm_at.y : top + 8, { ...look, from: 11, to: after ? BOX.height / 2 + 2 : 0 });
  if (after) d.arrow(stream, norm_at.y, stream, top + 8, { ...look, from: BOX.height / 2 });
  // Out to the branch, up through its boxes, and back to the sum.
  const places = branch.map((word, i) => ({ word, x: side, y: fork - 24 - i * STEP }));
  d.path(`M${stream} ${fork}L${side} ${fork}`, { role: "constant", width: 1.5 });
  d.line(side, fork, side, sum, { role: "constant", width: 1.5 });
  d.arrow(side, sum, stream, sum, { role: "constant", width: 1.5, head: 8, to: 11 });
  for (const place of places) {
    const is_norm = place.word === "norm";
    d.box(side - BOX.width / 2, place.y - BOX.height / 2, BOX.width, BOX.height, {
      role: is_norm ? "gradient" : "parameter",
      text: is_norm ? "norm" : "$f$",
      size: 14,
      term: is_norm ? undefined : "f",
    });
  }
  if (after) {
    d.box(stream - BOX.width / 2, norm_at.y - BOX.height / 2, BOX.width, BOX.height, {
      role: "gradient",
      text: "norm",
      size: 14,
    });
  }
  if (alpha) d.box(stream - 20, sum + 62, 40, 28, { role: "constant", text: "$\\alpha \\cdot$", size: 14, term: "\\alpha" });
  d.circle(stream, sum, 10, { role: "ink", text: "+", size: 14 });
  d.text(stream, foot + 10, "$x$", { size: 14, term: "x" });
  d.text(centre, foot + 30, name, { role: "soft", size: 14 });
}
