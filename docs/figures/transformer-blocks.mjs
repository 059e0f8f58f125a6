// The block of 2017 and the block of today side by side: the residual stream runs down, sublayers stand beside it.
export const title = "A block of 2017 and a block of today";

const AT = { start: 58, first: 86, add1: 230, norm1: 278, second: 318, add2: 462, norm2: 510, end: 552 };
const TALL = 96; // a sublayer

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const d = drawing(width, 620, title);
  const half = width / 2;
  const place = (side) => {
    const left = side * half + (narrow ? 2 : 14);
    const stream = left + (narrow ? 26 : 60);
    const box = { x: stream + (narrow ? 24 : 44), w: half - (narrow ? 54 : 128) };
    return { left, stream, box };
  };
  const size = narrow ? 11 : 14;
  const words = (x, y, text, options = {}) => d.text(x, y, text, { size, ...options });

  const way = (stream, from, to) => d.arrow(stream, from, stream, to, { role: "value", width: 2.5, head: 9 });
  const plus = (stream, y) => d.circle(stream, y, 11, { role: "value", width: 2, text: "+", size: 16 });
  const norm = (x, y, w, text) => d.box(x, y - 13, w, 26, { role: "parameter", text, size });

  // A sublayer beside the stream with the arrows to and from it; before: a norm on its branch.
  const sublayer = ({ stream, box }, top, lines, before) => {
    const middle = box.x + box.w / 2;
    const body = { y: top + 38, h: TALL };
    const branch = before ? top + 13 : body.y + 26;
    d.arrow(stream, branch, box.x, branch, { role: "value", width: 1.8, to: 1 });
    if (before) {
      norm(box.x, branch, box.w, before);
      d.arrow(middle, branch + 13, middle, body.y, { role: "value", width: 1.8 });
    }
    d.box(box.x, body.y, box.w, body.h, { role: "parameter", width: 2 });
    const step = body.h / (lines.length + 1);
    lines.forEach((line, k) => words(middle, body.y + (k + 1) * step, line, k ? { role: "soft" } : { weight: 600 }));
    d.arrow(box.x, top + 144, stream, top + 144, { role: "value", width: 1.8, to: 13 });
    d.path(`M${middle} ${body.y + body.h}V${top + 144}H${box.x - 1}`, { role: "value", width: 1.8 });
  };

  const head = (p, text, under) => {
    words(p.left + (half - 16) / 2, 16, text, { weight: 700, size: narrow ? 14 : 16 });
    words(p.left + (half - 16) / 2, 36, under, { role: "soft" });
  };

  const old = place(0);
  head(old, "2017", narrow ? "+ waves, once" : "waves are added to the embedding, once");
  way(old.stream, AT.start, AT.add1 - 12);
  const after = (y) => norm(old.left, y, 2 * (old.stream - old.left), narrow ? "LN" : "layer norm");
  sublayer(old, AT.first, ["attention", narrow ? "8 × q, k, v" : "8 heads, each its own k and v", "with biases"]);
  plus(old.stream, AT.add1);
  way(old.stream, AT.add1 + 11, AT.norm1 - 13);
  after(AT.norm1);
  way(old.stream, AT.norm1 + 13, AT.add2 - 12);
  sublayer(old, AT.second, ["feed-forward", "$W_2$ ReLU($W_1 x$)", "512 → 2048 → 512", "with biases"]);
  plus(old.stream, AT.add2);
  way(old.stream, AT.add2 + 11, AT.norm2 - 13);
  after(AT.norm2);
  way(old.stream, AT.norm2 + 13, AT.end);
  words(old.left + (half - 16) / 2, 578, narrow ? "normed already" : "the stream leaves each block normed", {
    role: "soft",
  });

  const now = place(1);
  head(now, "today", narrow ? "nothing added" : "nothing is added to the embedding");
  way(now.stream, AT.start, AT.add1 - 12);
  sublayer(
    now,
    AT.first,
    [
      "attention",
      narrow ? "8 × q, 2 × k, v" : "8 heads of q share 2 of k and v",
      narrow ? "RoPE" : "RoPE turns q and k",
      "no biases",
    ],
    "RMSNorm",
  );
  plus(now.stream, AT.add1);
  way(now.stream, AT.add1 + 11, AT.add2 - 12);
  sublayer(
    now,
    AT.second,
    ["SwiGLU", narrow ? "SiLU($W_1 x$) ⊙ $W_3 x$" : "$W_2$ (SiLU($W_1 x$) ⊙ $W_3 x$)", "512 → 1408 → 512", "no biases"],
    "RMSNorm",
  );
  plus(now.stream, AT.add2);
  way(now.stream, AT.add2 + 11, AT.end);
  words(now.left + (half - 16) / 2, 578, narrow ? "RMSNorm at the end" : "one RMSNorm more, after the last block", {
    role: "soft",
  });
  d.line(half, 12, half, 586, { role: "line", width: 1 });
  return words(width / 2, 606, "blue: the residual stream and what runs beside it", { role: "value" });
}
