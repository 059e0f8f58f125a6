// Coordinates for layers in their order: x near what a box is joined to, y by layers, in columns where the whole is long.

const BETWEEN = 20; // boxes of a layer
const LAYERS = 40; // between layers
const PADDING = 16;
const HEADER = 46; // of a frame
const RIGID = 1e6; // a lane's weight once it is straight
const SWEEPS = 12;
const SWEEPS_OF_MANY = 2;
const MANY = 5000;

// Each item near the mean of its neighbours above, then below, in turn, without changing the order in its layer.
export function set_x(layers, hops) {
  const up = new Map();
  const down = new Map();
  const note = (map, item, end) => (map.has(item) ? map.get(item).push(end) : map.set(item, [end]));
  for (const { a, b, from, to } of hops) {
    const weight = a.lane && b.lane ? 60 : a.lane || b.lane ? 1 : 4;
    note(up, b, { item: a, offset: from - to, weight });
    note(down, a, { item: b, offset: to - from, weight });
  }
  for (const layer of layers) {
    let x = -layer.reduce((sum, item) => sum + item.w + BETWEEN, -BETWEEN) / 2;
    for (const item of layer) {
      item.x = x + item.w / 2;
      x += item.w + BETWEEN;
    }
  }
  const wish = (item, ends) => {
    if (!ends?.length) return item.x;
    const weights = ends.reduce((sum, end) => sum + end.weight, 0);
    return ends.reduce((sum, end) => sum + end.weight * (end.item.x + end.offset), 0) / weights;
  };
  const sweeps = layers.length > MANY ? SWEEPS_OF_MANY : SWEEPS;
  for (let sweep = 0; sweep < sweeps; ++sweep) {
    for (const layer of layers)
      settle(
        layer,
        layer.map((item) => wish(item, up.get(item))),
      );
    for (const layer of [...layers].reverse())
      settle(
        layer,
        layer.map((item) => wish(item, down.get(item))),
      );
  }
  straighten_lanes(layers);
  const both = (item) => [...(up.get(item) ?? []), ...(down.get(item) ?? [])];
  for (let sweep = 0; sweep < sweeps; ++sweep) {
    for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
      settle(
        layer,
        layer.map((item) => (item.lane ? item.x : wish(item, both(item)))),
        RIGID,
      );
    }
  }
  spread_entries(hops);
}

// The places nearest to the wishes (least squares) in which neighbours keep their distance: pool adjacent violators.
function settle(layer, wishes, lane_weight = 20) {
  const pools = [];
  let shift = 0;
  layer.forEach((item, i) => {
    if (i > 0) shift += (layer[i - 1].w + item.w) / 2 + BETWEEN;
    item.shift = shift;
    const weight = item.lane ? lane_weight : 1;
    let pool = { sum: weight * (wishes[i] - shift), weight, items: [item] };
    while (pools.length > 0 && pools.at(-1).sum / pools.at(-1).weight > pool.sum / pool.weight) {
      const before = pools.pop();
      before.items.push(...pool.items);
      pool = { sum: before.sum + pool.sum, weight: before.weight + pool.weight, items: before.items };
    }
    pools.push(pool);
  });
  for (const pool of pools) for (const item of pool.items) item.x = pool.sum / pool.weight + item.shift;
}

// One x for all the lanes of an edge.
function straighten_lanes(layers) {
  const lanes = new Map();
  for (const item of layers.flat()) {
    if (!item.lane) continue;
    if (!lanes.has(item.lane)) lanes.set(item.lane, []);
    lanes.get(item.lane).push(item);
  }
  for (const same of lanes.values()) {
    const x = same.reduce((sum, item) => sum + item.x, 0) / same.length;
    for (const item of same) item.x = x;
  }
}

// Several edges into one box end beside each other, in the order in which they come.
function spread_entries(hops) {
  const entries = new Map();
  for (const hop of hops) {
    if (hop.b.lane || hop.b.port || hop.b.frame) continue;
    if (!entries.has(hop.b)) entries.set(hop.b, []);
    entries.get(hop.b).push(hop);
  }
  for (const [item, into] of entries) {
    const pitch = Math.min(24, item.w / (into.length + 1));
    into.sort((p, q) => p.a.x - q.a.x).forEach((hop, i) => (hop.to = (i - (into.length - 1) / 2) * pitch));
  }
}

// Sets y, moves x to the column, gives each hop its pieces; returns the size of the whole.
export function set_y(layers, hops, outermost, room) {
  const heights = layers.map((layer) => layer.reduce((most, item) => Math.max(most, item.h), 0));
  const crossing = new Array(layers.length + 1).fill(0);
  for (const { b } of hops) ++crossing[b.layer];
  const starts = columns_of(
    layers,
    heights,
    crossing,
    outermost ? room : { width: room.width - 64, height: 1.6 * room.height },
  );
  const head = (outermost ? 8 : HEADER) + (starts.length > 1 ? 28 : 0);
  const bands = [];
  let left = outermost ? 8 : PADDING;
  let bottom = 0;
  starts.forEach((start, column) => {
    const end = starts[column + 1] ?? layers.length;
    const [least, most] = extent(layers, start, end);
    if (column > 0) left += 28 + 6 * crossing[start];
    let y = head;
    for (let i = start; i < end; ++i) {
      bands[i] = { top: y, bottom: y + heights[i], column, left };
      for (const item of layers[i]) {
        item.x += left - least;
        item.y = item.lane ? y : y + (heights[i] - item.h) / 2;
        if (item.lane) item.h = heights[i];
      }
      y += heights[i] + (heights[i] > 0 ? LAYERS : 8);
    }
    bottom = Math.max(bottom, y - LAYERS);
    left += most - least;
  });
  const size = {
    w: left + (outermost ? 8 : PADDING),
    h: bottom + (outermost ? 8 : PADDING) + (starts.length > 1 ? 28 : 0),
  };
  for (const item of layers.flat()) if (item.port) item.y = item.port.startsWith("in") ? 0 : size.h;
  const passed = new Map();
  for (const hop of hops) hop.pieces = pieces_of(hop, bands, passed, { head, bottom });
  return size;
}

// The first layer of each column: one, unless it would be far higher than the room and there is room beside it.
function columns_of(layers, heights, crossing, room) {
  const total = heights.reduce((sum, h) => sum + h + LAYERS, 0);
  let best = [0];
  if (total <= 1.5 * room.height) return best;
  for (let count = 2; count <= 16 && total / (count - 1) > room.height; ++count) {
    const starts = cut(heights, crossing, total / count);
    const width = starts.reduce((sum, start, i) => {
      const [least, most] = extent(layers, start, starts[i + 1] ?? layers.length);
      return sum + most - least + 28 + 6 * crossing[start];
    }, 0);
    if (width > room.width) break;
    best = starts;
  }
  return best;
}

// Cuts after about each `height`, there where the fewest edges pass.
function cut(heights, crossing, height) {
  const starts = [0];
  let filled = 0;
  heights.forEach((h, i) => {
    filled += h + LAYERS;
    if (filled < height || i + 2 >= heights.length) return;
    const near = [i + 1, i, i + 2].filter((at) => at > starts.at(-1) + 1 && at < heights.length - 1);
    if (near.length === 0) return;
    starts.push(near.reduce((a, b) => (crossing[b] < crossing[a] ? b : a)));
    filled = 0;
  });
  return starts;
}

function extent(layers, start, end) {
  let least = Infinity;
  let most = -Infinity;
  for (let i = start; i < end; ++i) {
    for (const item of layers[i]) {
      least = Math.min(least, item.x - item.w / 2);
      most = Math.max(most, item.x + item.w / 2);
    }
  }
  return least < most ? [least, most] : [0, 0];
}

// Straight to the rim of the layer, a curve to the next, straight to the box; from column to column around the corner.
function pieces_of({ a, b, from, to }, bands, passed, { head, bottom }) {
  const x = a.x + from;
  const end = b.x + to;
  const above = bands[a.layer];
  const below = bands[b.layer];
  const leave = a.lane ? a.y + a.h : a.port ? a.y : a.y + a.h;
  const enter = b.y;
  if (above.column === below.column) {
    const turn = b.port ? Math.min(below.top, enter) : below.top;
    return [
      [x, leave, x, above.bottom],
      [x, above.bottom, end, turn],
      [end, turn, end, enter],
    ].filter(([x0, y0, x1, y1]) => x0 !== x1 || y0 !== y1);
  }
  const place = passed.get(below.column) ?? 0;
  passed.set(below.column, place + 1);
  const down = bottom + 12 + 5 * place;
  const up = head - 14 - 5 * place;
  const gutter = below.left - 14 - 6 * place;
  return [[x, leave, x, down, gutter, down, gutter, up, end, up, end, enter]];
}
