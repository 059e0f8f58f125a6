// Where the boxes stand. This file and layout_place.js run in a worker and need no other.
//
// Layers by longest path, inputs above; in a layer, by creation number; a frame is laid out by itself and is then one box.
// An edge over several layers keeps a lane of its own in each. Iterative in the length of the graph.

import { set_x, set_y } from "./layout_place.js";

const LANE = 10; // width of an edge that passes
const LONGEST = 60; // layers that an edge keeps a lane in; a longer one goes straight

// { boxes: [{ parent, w, h, order, source }], edges: [[from, to] …], width, height } of boxes, outer before inner; a frame
// is a box that is some other's parent. Returns { boxes: [[x, y, w, h] …], routes, width, height }; a route is a list of
// hops, [x, y, x, y] for a curve between layers, or more points for a line around a column.
export function layout({ boxes, edges, width, height }) {
  const top = boxes.length;
  const frames = new Map([[top, new_frame(top)]]);
  const all = [
    ...boxes.map((box) => ({ ...box, parent: box.parent < 0 ? top : box.parent })),
    { w: 0, h: 0, parent: -1, order: 0 },
  ];
  boxes.forEach((box, index) => {
    const parent = all[index].parent;
    if (!frames.has(parent)) frames.set(parent, new_frame(parent));
    frames.get(parent).children.push(index);
  });
  const chains = edges.map(([from, to]) => link_edge(all, frames, from, to));
  const inner_first = [...frames.keys()].sort((a, b) => (a === top) - (b === top) || b - a);
  for (const index of inner_first) place_frame(all, frames, frames.get(index), index === top, { width, height });
  const at = absolute(all, frames, top);
  const routes = chains.map((chain, edge) =>
    chain.flatMap(({ frame, link }) =>
      frames
        .get(frame)
        .links.get(link)
        .route.map((hop) => hop.map((v, i) => v + at[frame][i % 2]))
    )
  );
  return {
    boxes: at.slice(0, top).map(([x, y], i) => [x, y, all[i].w, all[i].h]),
    routes,
    width: all[top].w,
    height: all[top].h,
  };
}

const new_frame = (index) => ({ index, children: [], links: new Map(), ports: new Map() });

// An edge is a link in the frame that holds both ends, and one in each frame that it leaves or enters on the way.
function link_edge(all, frames, from, to) {
  const above = (box) => {
    const chain = [];
    for (let b = box; b >= 0; b = all[b].parent) chain.push(b);
    return chain;
  };
  const ups = above(from);
  const downs = above(to);
  while (ups.length > 1 && downs.length > 1 && ups.at(-2) === downs.at(-2)) {
    ups.pop();
    downs.pop();
  }
  const chain = [];
  for (let i = 0; i + 2 < ups.length; ++i) chain.push(add_link(frames, ups[i + 1], ups[i], `out${from}`, from));
  chain.push(add_link(frames, ups.at(-1), ups.at(-2), downs.at(-2), from));
  for (let i = downs.length - 3; i >= 0; --i) chain.push(add_link(frames, downs[i + 1], `in${from}`, downs[i], from));
  return chain;
}

function add_link(frames, frame, a, b, source) {
  const link = `${a}>${b}:${source}`;
  frames.get(frame).links.set(link, frames.get(frame).links.get(link) ?? { a, b, source, route: [] });
  return { frame, link };
}

// Sets x, y of a frame's children in it, its w and h, its ports' x, and its links' routes.
function place_frame(all, frames, frame, outermost, room) {
  const items = items_of(all, frames, frame);
  const links = [...frame.links.values()].map((link) => ({ link, a: items.get(link.a), b: items.get(link.b) }));
  set_layers([...items.values()], links);
  const layers = fill_layers(all, items, links);
  const hops = hops_of(frames, links);
  set_x(layers, hops);
  const size = set_y(layers, hops, outermost, room);
  for (const { link, hops: way } of links) link.route = way.flatMap((hop) => hop.pieces);
  for (const item of items.values()) {
    if (item.port) frame.ports.set(item.port, item.x);
    else Object.assign(all[item.box], { x: item.x - item.w / 2, y: item.y });
  }
  Object.assign(all[frame.index], size);
}

// Corners on the page, from those in their frames.
function absolute(all, frames, top) {
  const at = [];
  at[top] = [0, 0];
  for (let i = 0; i < top; ++i) at[i] = [at[all[i].parent][0] + all[i].x, at[all[i].parent][1] + all[i].y];
  return at;
}

function items_of(all, frames, frame) {
  const items = new Map(
    frame.children.map((box) => [
      box,
      {
        box,
        w: all[box].w,
        h: all[box].h,
        order: all[box].order,
        source: all[box].source,
        frame: frames.has(box),
        layer: 0,
        into: 0,
        out: [],
      },
    ]),
  );
  for (const { a, b, source } of frame.links.values()) {
    for (const port of [a, b]) {
      if (typeof port === "number" || items.has(port)) continue;
      items.set(port, { port, w: LANE, h: 0, order: all[source].order, layer: 0, into: 0, out: [] });
    }
  }
  return items;
}

// The longest way from above; what nothing leads to stands right above what it leads to; ports are at the rims.
function set_layers(items, links) {
  for (const { a, b } of links) {
    a.out.push(b);
    ++b.into;
  }
  const enters = items.some((item) => item.port?.startsWith("in"));
  const ready = items.filter((item) => item.into === 0).sort((a, b) => a.order - b.order);
  const counts = new Map(items.map((item) => [item, item.into]));
  for (const item of ready) item.layer = enters && !item.port ? 1 : 0;
  for (let next = 0; next < ready.length; ++next) {
    for (const below of ready[next].out) {
      below.layer = Math.max(below.layer, ready[next].layer + 1);
      counts.set(below, counts.get(below) - 1);
      if (counts.get(below) === 0) ready.push(below);
    }
  }
  for (const item of [...items].reverse()) {
    if (item.source && item.into === 0 && item.out.length > 0) {
      item.layer = item.out.reduce((least, below) => Math.min(least, below.layer), Infinity) - 1;
    }
  }
  const last = items.reduce((most, item) => (item.port?.startsWith("out") ? most : Math.max(most, item.layer)), 0);
  for (const item of items) if (item.port?.startsWith("out")) item.layer = last + 1;
}

// The layers, each by order, with lanes for the edges that pass; all edges from one box share theirs.
function fill_layers(all, items, links) {
  const layers = [];
  const into = (layer, item) => (layers[layer] ??= []).push(item);
  for (const item of items.values()) into(item.layer, item);
  const lanes = new Map();
  for (const each of links) {
    const { a, b, link } = each;
    each.via = [];
    if (b.layer - a.layer > LONGEST) continue;
    for (let layer = a.layer + 1; layer < b.layer; ++layer) {
      const key = `${a.box ?? a.port}:${link.source}:${layer}`;
      if (!lanes.has(key)) {
        lanes.set(key, {
          lane: `${a.box ?? a.port}:${link.source}`,
          w: LANE,
          h: 0,
          order: all[link.source].order,
          layer,
        });
        into(layer, lanes.get(key));
      }
      each.via.push(lanes.get(key));
    }
  }
  for (let i = 0; i < layers.length; ++i) (layers[i] ??= []).sort((a, b) => a.order - b.order);
  return layers;
}

// The steps from layer to layer, each with where it leaves and enters, from the middle of the item.
function hops_of(frames, links) {
  const hops = new Map();
  let id = 0;
  const id_of = (item) => (item.id ??= ++id);
  for (const each of links) {
    const way = [each.a, ...each.via, each.b];
    const port = (item, end) => frames.has(item.box) ? frames.get(item.box).ports.get(`${end}${each.link.source}`) - item.w / 2 : 0;
    each.hops = way.slice(1).map((b, i) => {
      const a = way[i];
      const key = `${id_of(a)}>${id_of(b)}:${each.link.source}`;
      if (!hops.has(key)) hops.set(key, { a, b, from: port(a, "out"), to: port(b, "in") });
      return hops.get(key);
    });
  }
  return [...hops.values()];
}
