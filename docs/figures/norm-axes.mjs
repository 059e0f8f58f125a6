// Small multiples: each norm's cells are those on which one output depends, from the tape (docs/examples/norm-axes.cpp).
export const results = ["norm-axes"];

const PANELS = [
  ["batch", "batch norm, training", "one channel, all samples"],
  ["eval", "batch norm, eval", "itself alone"],
  ["instance", "instance norm", "one channel, one sample"],
  ["group", "group norm, 3 groups", "two channels, one sample"],
  ["sample", "layer norm of (C, T)", "one sample"],
  ["token", "layer norm of C", "one token of one sample"],
];

// A slice of channels (down) and tokens (across), with its grid.
function slice(d, x, y, cell, [channels, tokens]) {
  const [w, h] = [tokens * cell, channels * cell];
  const across = Array.from({ length: channels + 1 }, (_, i) => `M${x} ${y + i * cell}h${w}`);
  const down = Array.from({ length: tokens + 1 }, (_, i) => `M${x + i * cell} ${y}v${h}`);
  d.path([...across, ...down].join(""), { role: "hidden", width: 1 });
}

export function draw({ drawing, width, results }) {
  const { shape, output, ...norms } = results["norm-axes"];
  const columns = width > 500 ? 3 : 1;
  const cell = width > 500 ? 8 : 11;
  const gap = cell;
  const [samples, channels, tokens] = shape;
  const panel = { w: Math.floor((width - 8) / columns), h: channels * cell + 58 };
  const d = drawing(width, 8 + panel.h * Math.ceil(PANELS.length / columns), "The cells that share one mean, for six norms");
  PANELS.forEach(([id, name, words], k) => {
    const [x, y] = [4 + (k % columns) * panel.w, 14 + Math.floor(k / columns) * panel.h];
    d.text(x, y, name, { anchor: "start", size: 14, weight: 600 });
    const place = (s) => x + s * (tokens * cell + gap);
    for (let s = 0; s < samples; ++s) {
      slice(d, place(s), y + 34, cell, [channels, tokens]);
      const own = norms[id].filter(([sample]) => sample === s);
      const fill = own.map(
        ([, i, t]) => `M${place(s) + t * cell + 1} ${y + 35 + i * cell}h${cell - 2}v${cell - 2}h${2 - cell}z`,
      );
      if (fill.length) d.path(fill.join(""), { fill: "value", role: "value", width: 1 });
    }
    const [s, i, t] = output;
    d.path(`M${place(s) + t * cell - 1} ${y + 33 + i * cell}h${cell + 2}v${cell + 2}h${-cell - 2}z`, {
      role: "ink",
      width: 2,
    });
    d.text(x, y + 20, `${words}: ${norms[id].length}`, { anchor: "start", size: 13, role: "soft" });
  });
  return d;
}
