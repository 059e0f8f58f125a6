// The labels at the ends of lines, moved apart so that none covers another.
import { colour_of } from "../../kit/svg.mjs";

// The last point of a series that can be drawn.
const end_of = (data) => data.findLast(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));

export function label_marks(Plot, series, { shown, size, halo }) {
  const named = series.filter((s) => s.label !== false && end_of(s.data));
  const look = { x: "x", y: "y", text: "text", fill: "fill", textAnchor: "start", dx: 7, ...halo };
  const at_end = (s) => {
    const { x, y } = end_of(s.data);
    return { x, y, text: shown(s), fill: colour_of(s.colour ?? "f1"), way: s.data.map((d) => [d.x, d.y]) };
  };
  const placed = named.filter((s) => s.at).map((s) => ({ ...at_end(s), x: s.at[0], y: s.at[1] }));
  const ends = named.filter((s) => !s.at).map(at_end);
  return [
    ...(ends.length ? [Plot.text(ends, Plot.initializer(look, apart(size + 3)))] : []),
    ...(placed.length ? [Plot.text(placed, { ...look, dx: 0 })] : []),
  ];
}

// A Plot initializer: labels where their lines end or leave the frame, at least `gap` pixels apart, each as near to that
// place as this allows.
const apart = (gap) => (data, facets, channels, scales, { height, width, marginTop, marginRight, marginBottom }) => {
  const frame = { right: width - marginRight + 1, top: marginTop - 1, bottom: height - marginBottom + 1 };
  const ends = data.map(({ way }) => last_inside(way, scales, frame));
  const [px, py] = [0, 1].map((k) => ends.map((end) => end[k]));
  for (const column of by_column(px)) spread_out(column, py, gap, frame.bottom + 3);
  return { data, facets, channels: { x: { value: px }, y: { value: py } } };
};

// Where a line ends, or where it leaves the frame for good, in pixels.
function last_inside(way, scales, { right, top, bottom }) {
  const points = way.map(([x, y]) => [scales.x(x), scales.y(y)]).filter((point) => point.every(Number.isFinite));
  const k = points.findLastIndex(([x, y]) => x <= right && y >= top && y <= bottom);
  const [x, y] = points[k] ?? points.at(-1);
  const next = k < 0 ? undefined : points[k + 1];
  if (!next || next[0] > right) return [Math.min(x, right), Math.min(bottom, Math.max(top, y))];
  const edge = next[1] < top ? top : bottom;
  return [x + ((next[0] - x) * (edge - y)) / (next[1] - y), edge];
}

// Labels whose beginnings are close together stand in one column.
function by_column(px) {
  const order = px.map((_, i) => i).sort((a, b) => px[a] - px[b]);
  const columns = [];
  for (const i of order) {
    const last = columns.at(-1);
    if (last && px[i] - px[last[0]] < 60) last.push(i);
    else columns.push([i]);
  }
  return columns;
}

function spread_out(column, py, gap, bottom) {
  column.sort((a, b) => py[a] - py[b]);
  for (let pass = 0; pass < 60; pass++) {
    for (let k = 1; k < column.length; k++) {
      const lack = gap - (py[column[k]] - py[column[k - 1]]);
      if (lack <= 0) continue;
      py[column[k - 1]] -= lack / 2;
      py[column[k]] += lack / 2;
    }
    const below = py[column.at(-1)] - bottom;
    if (below > 0) py[column.at(-1)] -= below;
  }
}
