// Small multiples of cubes [samples, channels, tokens]: a slice of channels (down) and tokens (across) for each sample, in
// which one cell is framed, and those that belong to it are filled.
//   cubes({ drawing, width, title, shape, output, panels, columns, cell });
// panels: [{ name, words, cells: [[sample, channel, token], …] }], in `columns` columns.
const GAP_OF_ROWS = 58; // two lines of words above a slice, and air below

function slice(d, x, y, cell, [channels, tokens]) {
  const [w, h] = [tokens * cell, channels * cell];
  const across = Array.from({ length: channels + 1 }, (_, i) => `M${x} ${y + i * cell}h${w}`);
  const down = Array.from({ length: tokens + 1 }, (_, i) => `M${x + i * cell} ${y}v${h}`);
  d.path([...across, ...down].join(""), { role: "hidden", width: 1 });
}

function panel(d, [x, y], cell, shape, output, { name, words, cells }) {
  const [samples, channels, tokens] = shape;
  d.text(x, y, name, { anchor: "start", size: 14, weight: 600 });
  d.text(x, y + 20, `${words}: ${cells.length}`, { anchor: "start", size: 13, role: "soft" });
  const place = (s) => x + s * (tokens + 1) * cell;
  for (let s = 0; s < samples; ++s) {
    slice(d, place(s), y + 34, cell, [channels, tokens]);
    const fill = cells
      .filter(([sample]) => sample === s)
      .map(([, i, t]) => `M${place(s) + t * cell + 1} ${y + 35 + i * cell}h${cell - 2}v${cell - 2}h${2 - cell}z`);
    if (fill.length) d.path(fill.join(""), { fill: "value", role: "value", width: 1 });
  }
  const [s, i, t] = output;
  d.path(`M${place(s) + t * cell - 1} ${y + 33 + i * cell}h${cell + 2}v${cell + 2}h${-cell - 2}z`, { role: "ink", width: 2 });
}

export function cubes({ drawing, width, title, shape, output, panels, columns, cell }) {
  const [w, h] = [Math.floor((width - 8) / columns), shape[1] * cell + GAP_OF_ROWS];
  const d = drawing(width, 8 + h * Math.ceil(panels.length / columns), title);
  panels.forEach((one, k) => {
    panel(d, [4 + (k % columns) * w, 14 + Math.floor(k / columns) * h], cell, shape, output, one);
  });
  return d;
}
