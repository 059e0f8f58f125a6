// What runs upward in five kinds of block, and what the sublayer at its right reads and writes.
export const title = "One residual stream, mixed streams, gated streams, attention over depth, and sums over depth";

const KINDS = [
  { name: "pre-norm", draw: one_stream },
  { name: "hyper-connections", draw: mixed },
  { name: "gated streams", draw: gated },
  { name: "attention over depth", draw: over_depth },
  { name: "DenseFormer", draw: sums },
];
const TALL = 300, FOOT = 244, TOP = 8, READ = 196, F = 132, WRITTEN = 48, RIGHT = 46;
const STREAM = { role: "value", width: 2, head: 8 };
const WAY = { role: "constant", width: 1.5, head: 7 };
const NUMBER = { role: "parameter", width: 1.5, head: 7 };

export function draw({ drawing, width }) {
  const columns = width < 500 ? 2 : 5;
  const d = drawing(width, Math.ceil(KINDS.length / columns) * TALL, title);
  KINDS.forEach(({ name, draw: kind }, k) => {
    const centre = ((k % columns) + 0.5) * (width / columns), top = Math.floor(k / columns) * TALL;
    kind(d, (right, up) => [centre + right, top + up]);
    d.text(centre, top + TALL - 20, name, { role: "soft", size: 13 });
  });
  return d;
}

const sublayer = (d, [x, y], text = "$f$") => d.box(x - 17, y - 14, 34, 28, { role: "parameter", text, size: 14 });
const sum = (d, [x, y]) => d.circle(x, y, 8, { role: "ink", text: "+", size: 12 });
const foot = (d, [x, y], text) => d.text(x, y + 14, text, { size: 14 });

function one_stream(d, at) {
  d.arrow(...at(-30, FOOT), ...at(-30, TOP), STREAM);
  d.line(...at(-30, READ), ...at(RIGHT, READ), WAY);
  d.line(...at(RIGHT, READ), ...at(RIGHT, WRITTEN), WAY);
  d.arrow(...at(RIGHT, WRITTEN), ...at(-30, WRITTEN), { ...WAY, to: 9 });
  sublayer(d, at(RIGHT, F));
  sum(d, at(-30, WRITTEN));
  foot(d, at(-30, FOOT), "$x$");
}

// What is read of each line is added below the sublayer.
function read(d, at, lines, look) {
  for (const x of lines) d.arrow(...at(x, READ + 26), ...at(RIGHT, READ - 12), { ...look, to: 9 });
  d.line(...at(RIGHT, READ - 12), ...at(RIGHT, F), WAY);
  sum(d, at(RIGHT, READ - 12));
}

// Two streams, into both of which the sublayer writes; `past` draws their way past it.
function two(d, at, look, past) {
  const lines = [-54, -12];
  past(lines);
  read(d, at, lines, look);
  for (const x of lines) d.arrow(...at(RIGHT, F - 14), ...at(x, WRITTEN), { ...NUMBER, to: 9 });
  sublayer(d, at(RIGHT, F));
  lines.forEach((x, k) => foot(sum(d, at(x, WRITTEN)), at(x, FOOT), `$h_${k + 1}$`));
  d.text(...at(32, 78), "$w$", { role: "parameter", size: 14, anchor: "start" });
}

function mixed(d, at) {
  two(d, at, NUMBER, (lines) => {
    for (const from of lines) {
      d.line(...at(from, FOOT), ...at(from, 156), { role: "value", width: 2 });
      for (const to of lines) d.line(...at(from, 156), ...at(to, 106), { role: "parameter", width: 1.5 });
      d.arrow(...at(from, 106), ...at(from, TOP), STREAM);
    }
    d.text(...at(-33, 94), "$M$", { role: "parameter", size: 14 });
  });
  d.text(...at(22, 214), "$r$", { role: "parameter", size: 14, anchor: "start" });
}

function gated(d, at) {
  two(d, at, WAY, (lines) => lines.forEach((x) => d.arrow(...at(x, FOOT), ...at(x, TOP), STREAM)));
  for (const [x, y] of [[-32, 213.5], [12, 206]]) d.circle(...at(x, y), 8, { role: "parameter", text: "σ", size: 12 });
}

// What each sublayer gave stays as it is.
function over_depth(d, at) {
  const lines = [-56, -34, -12];
  for (const x of lines) d.arrow(...at(x, FOOT), ...at(x, TOP), STREAM);
  read(d, at, lines, NUMBER);
  d.arrow(...at(RIGHT, F), ...at(RIGHT, TOP), STREAM);
  sublayer(d, at(RIGHT, F));
  lines.forEach((x, i) => foot(d, at(x, FOOT), `$v_${i}$`));
  d.text(...at(22, 214), "$p$", { role: "parameter", size: 14, anchor: "start" });
  d.text(...at(RIGHT + 14, TOP + 14), "$v_3$", { size: 14 });
}

function sums(d, at) {
  const lines = [-58, -36], block = 6, next = 48;
  for (const x of lines) d.arrow(...at(x, FOOT), ...at(x, TOP), STREAM);
  d.arrow(...at(block, FOOT), ...at(block, F), { ...WAY, to: 15 });
  d.arrow(...at(block, F), ...at(block, TOP), { ...STREAM, from: 14 });
  for (const x of [...lines, block]) d.arrow(...at(x, 100), ...at(next, 60), { ...NUMBER, to: 9 });
  d.arrow(...at(next, 60), ...at(next, TOP), WAY);
  d.box(...at(block - 28, F - 14), 56, 28, { role: "parameter", text: "block", size: 13 });
  sum(d, at(next, 60));
  d.text(...at(36, 92), "$\\alpha$", { role: "parameter", size: 14 });
  [["$X_0$", lines[0]], ["$X_1$", lines[1]], ["$x_1$", block]].forEach(([name, x]) => foot(d, at(x, FOOT), name));
  [["$X_2$", block + 13], ["$x_2$", next + 13]].forEach(([name, x]) => d.text(...at(x, TOP + 14), name, { size: 14 }));
}
