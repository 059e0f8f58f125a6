// What may be folded: the modules' calls as a tree, and stretches of a long line of ops that no module divides.
//
// A group is an interval of numbers, so groups beside each other never form a circle: what they hand on goes to newer ones.
import { inputs_of } from "./model.js";

const FLAT = 48; // more units than this in one group are divided into stretches
const STRETCHES = 20;

export function group_tree(model) {
  const { trace } = model;
  const root = group({ id: "root", kind: "root", path: "", type: "", first: 0, last: Infinity });
  const modules = nest(root, trace.modules);
  const home = new Map(); // number → the innermost group
  for (const tensor of trace.tensors) {
    if (tensor.of_walk || is_source(tensor)) continue;
    const within = modules[tensor.module ?? -1] ?? root;
    within.ops.push(tensor.number);
    home.set(tensor.number, within);
  }
  for (const tensor of trace.tensors) {
    if (tensor.of_walk || !is_source(tensor)) continue;
    const within = home_of_source(model, home, root, tensor);
    within.sources.push(tensor.number);
    home.set(tensor.number, within);
  }
  const all = [root, ...modules.filter((each) => numbers_in(each).length > 0)];
  const kept = new Set(all);
  for (const each of all) each.children = each.children.filter((child) => kept.has(child));
  for (const each of all) divide(model, each, all); // which adds to them, and these are divided in turn
  for (const each of all) {
    for (const number of [...each.ops, ...each.sources]) home.set(number, each);
  }
  count(all);
  sign(model, modules);
  return { root, home, by_id: new Map(all.map((each) => [each.id, each])) };
}

const group = (fields) => ({ parent: null, children: [], ops: [], sources: [], size: 0, signature: "", ...fields });
const is_source = (tensor) => inputs_of(tensor).length === 0;

// Each call below the innermost one whose interval holds it; outer calls come first.
function nest(root, calls) {
  const stack = [root];
  return calls.map((call, index) => {
    const made = group({ ...call, id: `m${index}`, kind: "module" });
    while (stack.at(-1).last < call.last || stack.at(-1).last <= call.first) stack.pop();
    made.parent = stack.at(-1);
    made.parent.children.push(made);
    stack.push(made);
    return made;
  });
}

// A parameter is at home in the module whose path its name begins with, an input that was given a name outside of all,
// anything else where it is first used.
function home_of_source(model, home, root, tensor) {
  const users = (model.consumers.get(tensor.number) ?? []).filter((number) => home.has(number));
  if (users.length === 0) return root;
  const first = home.get(users.reduce((a, b) => Math.min(a, b)));
  if (!tensor.name) return first;
  for (let within = first; within !== root; within = within.parent) {
    if (within.path && tensor.name.startsWith(`${within.path}.`)) return within;
  }
  return root;
}

// A group of many units gets stretches of 10, 100, 1,000 … of them, and stretches in these.
function divide(model, each, all) {
  const units = [...each.children.map((child) => [child.first, child]), ...each.ops.map((number) => [number, null])];
  if (units.length <= FLAT) return;
  units.sort((a, b) => a[0] - b[0]);
  const length = 10 ** Math.ceil(Math.log10(units.length / STRETCHES));
  each.children = [];
  each.ops = [];
  for (let begin = 0; begin < units.length; begin += length) {
    const part = units.slice(begin, begin + length);
    const last = part.at(-1)[1]?.last ?? part.at(-1)[0] + 1;
    const stretch = group({
      id: `s${part[0][0]}-${last}`,
      kind: "stretch",
      path: "",
      type: "",
      first: part[0][0],
      last,
      parent: each,
    });
    for (const [number, child] of part) {
      if (child) child.parent = stretch;
      (child ? stretch.children : stretch.ops).push(child ?? number);
    }
    each.children.push(stretch);
    all.push(stretch);
  }
  if (each.sources.length > STRETCHES) move_sources(model, each);
}

function move_sources(model, each) {
  const stay = [];
  for (const number of each.sources) {
    const user = model.consumers.get(number)?.[0] ?? -1;
    const stretch = each.children.find((child) => child.first <= user && user < child.last);
    (stretch ? stretch.sources : stay).push(number);
  }
  each.sources = stay;
}

// Inner groups come after outer ones in `all`, so one pass from the end sums them.
function count(all) {
  for (const each of [...all].sort((a, b) => depth_of(b) - depth_of(a))) {
    each.size = each.ops.length + each.children.reduce((sum, child) => sum + child.size, 0);
  }
}

export function depth_of(each) {
  let depth = 0;
  for (let above = each.parent; above; above = above.parent) ++depth;
  return depth;
}

// Two calls are alike if their modules have one type and they ran the same ops.
function sign(model, modules) {
  for (const each of [...modules].reverse()) {
    const ops = each.ops.map((number) => model.by_number.get(number).op);
    each.signature = `${each.type}(${ops.join()};${each.children.map((child) => child.signature).join()})`;
  }
}

// blocks.0 and blocks.1: the same place in a list.
const place_of = ({ path }) => (/(^|\.)\d+$/.test(path) ? path.replace(/\d+$/, "") : path);

// Neighbours that are alike in all but their place in a list, as runs: [[a], [b, c, d], [e]]. Ops between them end a run.
export function runs_of(each) {
  const runs = [];
  for (const child of [...each.children].sort((a, b) => a.first - b.first)) {
    const last = runs.at(-1)?.at(-1);
    const alike = last?.kind === "module" && last.signature === child.signature && place_of(last) === place_of(child);
    if (alike && !each.ops.some((number) => last.first < number && number < child.first)) runs.at(-1).push(child);
    else runs.push([child]);
  }
  return runs;
}

// Every number in a group.
export function numbers_in(each) {
  const numbers = [];
  const left = [each];
  while (left.length > 0) {
    const next = left.pop();
    for (const number of next.ops) numbers.push(number);
    for (const number of next.sources) numbers.push(number);
    left.push(...next.children);
  }
  return numbers;
}

// "matmul ×4, add ×2, softmax": the ops in a group, the most frequent first.
export function census(model, each, limit = 3) {
  const counts = new Map();
  for (const number of numbers_in(each)) {
    const { op } = model.by_number.get(number);
    if (op) counts.set(op, (counts.get(op) ?? 0) + 1);
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const told = sorted.slice(0, limit).map(([op, times]) => (times > 1 ? `${op} ×${times.toLocaleString("en")}` : op));
  return told.join(", ") + (sorted.length > limit ? " …" : "");
}
