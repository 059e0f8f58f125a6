// Lines that leave the frame end at its edge: no clip paths (whose ids would have to differ) and no coordinates a million
// pixels away (for which browsers give up dashes).

// A Plot initializer for a line: its parts inside the frame.
export function cut(data, facets, channels, scales, { width, height, marginTop, marginRight, marginBottom, marginLeft }) {
  const frame = { left: marginLeft, right: width - marginRight, top: marginTop, bottom: height - marginBottom };
  const [xs, ys] = [[], []];
  const kept = facets.map((index) => {
    const points = Array.from(index, (i) => [scales.x(channels.x.value[i]), scales.y(channels.y.value[i])]);
    const first = xs.length;
    for (const [x, y] of inside(points, frame)) {
      xs.push(x);
      ys.push(y);
    }
    return Uint32Array.from({ length: xs.length - first }, (_, k) => first + k);
  });
  return { data: xs, facets: kept, channels: { x: { value: xs }, y: { value: ys } } };
}

// The same way with NaN where it is outside.
function inside(points, frame) {
  const out = [];
  for (let k = 1; k < points.length; k++) {
    const part = segment(points[k - 1], points[k], frame);
    if (!part) continue;
    const last = out.at(-1);
    if (!last || last[0] !== part[0][0] || last[1] !== part[0][1]) out.push([NaN, NaN], part[0]);
    out.push(part[1]);
  }
  return out;
}

// The part of p to q that is inside, if any (Liang and Barsky).
function segment(p, q, { left, right, top, bottom }) {
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  if (!Number.isFinite(dx) || !Number.isFinite(dy)) return undefined;
  let [from, to] = [0, 1];
  for (const [d, room] of [
    [-dx, p[0] - left],
    [dx, right - p[0]],
    [-dy, p[1] - top],
    [dy, bottom - p[1]],
  ]) {
    if (d === 0 && room < 0) return undefined;
    if (d < 0) from = Math.max(from, room / d);
    if (d > 0) to = Math.min(to, room / d);
  }
  if (from >= to) return undefined;
  const at = (t) => (t === 0 ? p : t === 1 ? q : [p[0] + t * dx, p[1] + t * dy]);
  return [at(from), at(to)];
}
