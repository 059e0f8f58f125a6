// Which boxes stand on the page: each tensor by itself, or inside the outermost group around it that is closed.
import { depth_of, runs_of } from "./groups.js";
import { inputs_of } from "./model.js";

export const MOST_BOXES = 300;
const TAKEN_IN = 40; // up to this many ops are shown without folding
const AT_FIRST = 24; // else groups are opened, outer ones first, as long as there are no more boxes than this,
const WORTH_OPENING = 4; // ops in a group
const FEW = 6;
const ROOM = 60; // or than ROOM, where there are no more than a FEW

// { nodes, edges, box_of }. A node is { id, kind: "tensor" | "group" | "frame", parent (its index, or -1), order } with
// `number`, or `group` and its `run` of neighbours alike; outer frames come before what is in them. An edge is
// { from, to, pairs: [[input, consumer] …] } of indices of nodes.
export function visible_graph(model, tree, open) {
  const nodes = [];
  const shown = new Map(); // shown: a tensor's number, or a closed group → index of the node
  const left = [[tree.root, -1]];
  while (left.length > 0) {
    const [group, parent] = left.pop();
    for (const number of [...group.ops, ...group.sources]) {
      shown.set(number, nodes.length);
      nodes.push({ id: `t${number}`, kind: "tensor", number, parent, order: number });
    }
    for (const run of runs_of(group)) {
      for (const part of parts_of(run, open)) {
        const opened = open.has(part[0].id);
        const id = opened || run.length === 1 ? part[0].id : `${part[0].id}×${part.length}`;
        const node = {
          id,
          kind: opened ? "frame" : "group",
          group: part[0],
          members: part,
          run,
          parent,
          order: part[0].first,
        };
        if (opened) left.push([part[0], nodes.length]);
        else part.forEach((each) => shown.set(each, nodes.length));
        nodes.push(node);
      }
    }
  }
  const box_of = (number) => shown.get(number) ?? box_of_group(shown, tree.home.get(number));
  return { nodes, box_of, edges: edges_between(model, box_of) };
}

function box_of_group(shown, group) {
  const passed = [];
  let within = group;
  while (within && !shown.has(within)) {
    passed.push(within);
    within = within.parent;
  }
  const box = within ? shown.get(within) : -1;
  passed.forEach((each) => shown.set(each, box));
  return box;
}

// A run without what is open in it: [closed …], [open], [closed …].
function parts_of(run, open) {
  const parts = [];
  for (const each of run) {
    const last = parts.at(-1);
    if (last && !open.has(each.id) && !open.has(last[0].id)) last.push(each);
    else parts.push([each]);
  }
  return parts;
}

function edges_between(model, box_of) {
  const edges = new Map();
  for (const tensor of model.trace.tensors) {
    const inputs = inputs_of(tensor);
    if (inputs.length === 0 || tensor.of_walk) continue;
    const to = box_of(tensor.number);
    for (const input of inputs) {
      const from = input === 0 ? to : box_of(input);
      if (from === to || from < 0 || to < 0) continue;
      const key = from * 0x4000000 + to;
      if (!edges.has(key)) edges.set(key, { from, to, pairs: [] });
      const { pairs } = edges.get(key);
      if (pairs.length < 1000 && pairs.at(-1)?.[1] !== tensor.number) pairs.push([input, tensor.number]);
    }
  }
  return [...edges.values()];
}

// What is open at first: everything, if the whole can be taken in; else outer groups, as long as there is room.
export function open_at_first(tree) {
  const open = new Set();
  const modules = [...tree.by_id.values()].filter((each) => each.kind !== "root");
  if (tree.root.size <= TAKEN_IN) return new Set(modules.map((each) => each.id));
  let boxes = boxes_in(tree.root);
  for (const each of modules.sort((a, b) => depth_of(a) - depth_of(b) || a.first - b.first)) {
    const reached = each.parent === tree.root || open.has(each.parent.id);
    const alike = runs_of(each.parent).find((run) => run.includes(each));
    if (!reached || each.kind === "stretch" || alike.length > 1 || each.size < WORTH_OPENING) continue;
    const more = boxes_in(each) - 1;
    if (boxes + more > (boxes <= FEW ? ROOM : AT_FIRST)) continue;
    open.add(each.id);
    boxes += more;
  }
  return open;
}

const boxes_in = (group) => group.ops.length + group.sources.length + runs_of(group).length;

// Every group, so that all ops stand by themselves.
export const open_all = (tree) => new Set([...tree.by_id.keys()].filter((id) => id !== "root"));

// `open` with one more, and without those opened longest ago that are not pinned nor around it, if there were too many
// boxes. Returns { open, closed: how many were closed for it }.
export function opened(model, tree, open, id, pinned) {
  const kept = new Set(open);
  const around = new Set();
  for (let group = tree.by_id.get(id); group && group.kind !== "root"; group = group.parent) {
    around.add(group.id);
    kept.delete(group.id);
  }
  [...around].reverse().forEach((each) => kept.add(each));
  let closed = 0;
  const boxes = () => visible_count(tree, kept);
  for (const old of [...kept]) {
    if (boxes() <= MOST_BOXES) break;
    if (around.has(old) || pinned.has(old)) continue;
    kept.delete(old);
    ++closed;
  }
  return { open: kept, closed };
}

function visible_count(tree, open) {
  let boxes = 0;
  const left = [tree.root];
  while (left.length > 0) {
    const group = left.pop();
    boxes += group.ops.length + group.sources.length;
    for (const run of runs_of(group)) {
      for (const part of parts_of(run, open)) {
        if (open.has(part[0].id)) left.push(part[0]);
        ++boxes;
      }
    }
  }
  return boxes;
}
