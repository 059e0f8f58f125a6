// The arithmetic of ops that move numbers: each cell of y is a cell of an input, or 0. `source` says which; the rule is the
// same way back, and cells that went to several places add up.
import { broadcast_index, cells_of, index_at, numel, offset_at, permutations_of, same_shape, with_axis } from "./cells.js";
import { number_leaf, sum_of } from "./expression.js";

const most_choices = 20000;
const zero_leaf = () => number_leaf(0);

// `source(op, cell, choice)`: {input, cell}, null for a zero, or {missing: i} where input i holds positions and is not kept.
function moving_op(formulas, source, choices = () => [{}]) {
  const value = (op, cell, choice) => {
    const from = source(op, cell, choice);
    if (from === null) return zero_leaf();
    return from.missing === undefined ? op.x(from.input, from.cell) : op.lost(from.missing);
  };
  const rule = (op, input, cell, choice) => {
    if (!op.model.gradient_of(op.number)?.all) return op.lost();
    choice.went ??= went_to(op, choice, source);
    if (choice.went.missing !== undefined) return op.lost(choice.went.missing);
    const places = choice.went.get(`${input} ${offset_at(op.shape_of(input), cell)}`) ?? [];
    return places.length === 0 ? zero_leaf() : sum_of(...places.map((place) => op.g(index_at(op.shape, place))));
  };
  return { formulas, value, rule, choices, by_parts: true, shape: (op, input) => op.shape_of(input) };
}

// "input offset" → offsets in y: the way back.
function went_to(op, choice, source) {
  const went = new Map();
  for (const cell of cells_of(op.shape)) {
    const from = source(op, cell, choice);
    if (from?.missing !== undefined) return from;
    if (from === null) continue;
    const key = `${from.input} ${offset_at(op.shape_of(from.input), from.cell)}`;
    if (!went.has(key)) went.set(key, []);
    went.get(key).push(offset_at(op.shape, cell));
  }
  return went;
}

// Each way to choose one item of every list; none if they are too many.
function combinations(lists) {
  let found = [[]];
  for (const list of lists) {
    if (found.length * list.length > most_choices) return found.slice(0, 0);
    found = found.flatMap((head) => list.map((item) => [...head, item]));
  }
  return found;
}

// {start, step} with which `count` positions lie within `size`.
function strides_within(size, count) {
  if (size === count) return [{ start: 0, step: 1 }];
  const found = [];
  const longest = count > 1 ? Math.floor((size - 1) / (count - 1)) : 1;
  for (let step = 1; step <= longest; ++step) {
    for (let start = 0; start + (count - 1) * step < size; ++start) found.push({ start, step });
  }
  return found;
}

const stride_note = (strides) =>
  strides
    .map((s, axis) => s.start || s.step > 1 ? `axis ${axis} from ${s.start}${s.step > 1 ? ` in steps of ${s.step}` : ""}` : "")
    .filter(Boolean)
    .join(", ");

function stride_choices(larger, smaller) {
  const lists = larger.map((size, axis) => strides_within(size, smaller[axis]));
  return combinations(lists).map((strides) => ({ strides, note: stride_note(strides) }));
}

const axes_of = (shape) => shape.map((_, axis) => axis);
const axis_choices = (axes) => axes.map((axis) => ({ axis, note: `along axis ${axis}` }));

const same_place = moving_op(["y = x, in the same order", "dL/dx = dL/dy"], (op, cell) => ({
  input: 0,
  cell: index_at(op.shape_of(0), offset_at(op.shape, cell)),
}));

function permute_choices(op) {
  const shape = op.shape_of(0);
  return permutations_of(axes_of(shape))
    .filter((order) =>
      same_shape(
        order.map((axis) => shape[axis]),
        op.shape,
      )
    )
    .map((order) => ({ order, note: `axes in the order ${order.join(", ")}` }));
}

function permuted_from(op, cell, { order }) {
  const from = [];
  order.forEach((axis, i) => (from[axis] = cell[i]));
  return { input: 0, cell: from };
}

function flip_choices(op) {
  const axes = axes_of(op.shape);
  return Array.from({ length: (1 << axes.length) - 1 }, (_, bits) => axes.filter((axis) => (bits + 1) & (1 << axis))).map(
    (flipped) => ({ flipped, note: `axis ${flipped.join(", ")} reversed` }),
  );
}

function padded_from(op, cell, { strides }) {
  const from = cell.map((at, axis) => (at - strides[axis].start) / strides[axis].step);
  const inside = from.every((at, axis) => Number.isInteger(at) && at >= 0 && at < op.shape_of(0)[axis]);
  return inside ? { input: 0, cell: from } : null;
}

function cat_choices(op) {
  const fits = (axis) => op.inputs.reduce((sum, x) => sum + x.shape[axis], 0) === op.shape[axis];
  return axis_choices(axes_of(op.shape).filter(fits));
}

function cat_from(op, cell, { axis }) {
  let at = cell[axis];
  let input = 0;
  while (at >= op.shape_of(input)[axis]) at -= op.shape_of(input++)[axis];
  return { input, cell: with_axis(cell, axis, at) };
}

const moved_by = (op, cell, axis, position) =>
  position === undefined ? { missing: 1 } : { input: 0, cell: with_axis(cell, axis, position) };

function index_select_choices(op) {
  const fits = (axis) => same_shape(with_axis(op.shape_of(0), axis, numel(op.shape_of(1))), op.shape);
  return axis_choices(axes_of(op.shape).filter(fits));
}

// What lands on a cell adds up: the other way about, `target(op, cell of x)` is a cell of y.
function adding_op(formulas, target, choices) {
  const value = (op, cell, choice) => {
    if (!op.whole(0)) return op.lost(0);
    const landing = [];
    for (const from of cells_of(op.shape_of(0))) {
      const to = target(op, from, choice);
      if (to === undefined) return op.lost(1);
      if (same_shape(to, cell)) landing.push(op.x(0, from));
    }
    return landing.length === 0 ? zero_leaf() : sum_of(...landing);
  };
  const rule = (op, input, cell, choice) => {
    const to = target(op, cell, choice);
    return to === undefined ? op.lost(1) : op.g(to);
  };
  return { formulas, value, rule, choices, shape: (op, input) => op.shape_of(input) };
}

function added_to(op, cell, axis, position) {
  return position === undefined ? undefined : with_axis(cell, axis, position);
}

export const layout_ops = {
  reshape: same_place,
  clone: same_place,
  alias: same_place,
  cast: moving_op(["y = x, rounded to another dtype", "dL/dx = dL/dy"], (op, cell) => ({ input: 0, cell })),
  expand: moving_op(["y[… i …] = x[… 0 …]", "dL/dx = Σ dL/dy over the stretched axes"], (op, cell) => ({
    input: 0,
    cell: broadcast_index(cell, op.shape_of(0)),
  })),
  permute: moving_op(
    ["y[axes in another order] = x", "dL/dx = dL/dy with the axes put back"],
    permuted_from,
    permute_choices,
  ),
  slice: moving_op(
    ["y[i] = x[start + i·step]", "dL/dx[start + i·step] = dL/dy[i], 0 elsewhere"],
    (op, cell, { strides }) => ({ input: 0, cell: cell.map((at, axis) => strides[axis].start + at * strides[axis].step) }),
    (op) => stride_choices(op.shape_of(0), op.shape),
  ),
  flip: moving_op(
    ["y[i] = x[n - 1 - i]", "dL/dx[i] = dL/dy[n - 1 - i]"],
    (op, cell, { flipped }) => ({
      input: 0,
      cell: cell.map((at, axis) => (flipped.includes(axis) ? op.shape[axis] - 1 - at : at)),
    }),
    flip_choices,
  ),
  pad: moving_op(["y[start + i·step] = x[i], 0 elsewhere", "dL/dx[i] = dL/dy[start + i·step]"], padded_from,
    (op) => stride_choices(op.shape, op.shape_of(0))),
  cat: moving_op(["y = [x₁ x₂ …]", "dL/dxᵢ = the i-th piece of dL/dy"], cat_from, cat_choices),
  index_select: moving_op(
    ["y[j] = x[indices[j]]", "dL/dx[indices[j]] += dL/dy[j]"],
    (op, cell, { axis }) => moved_by(op, cell, axis, op.position(1, [cell[axis]])),
    index_select_choices,
  ),
  gather: moving_op(
    ["y[i][j] = x[i][indices[i][j]]", "dL/dx = dL/dy, scattered back; repeated indices add up"],
    (op, cell, { axis }) => moved_by(op, cell, axis, op.position(1, cell)),
    (op) => axis_choices(axes_of(op.shape)),
  ),
  scatter_add: adding_op(
    ["y[i][indices[i][j]] += x[i][j]", "dL/dx = dL/dy, gathered"],
    (op, cell, { axis }) => added_to(op, cell, axis, op.position(1, cell)),
    (op) => axis_choices(axes_of(op.shape)),
  ),
  index_add: adding_op(
    ["y[indices[j]] += x[j]", "dL/dx = dL/dy at the indices"],
    (op, cell, { axis }) => added_to(op, cell, axis, op.position(1, [cell[axis]])),
    (op) => axis_choices(axes_of(op.shape).filter((axis) => op.shape_of(0)[axis] === numel(op.shape_of(1)))),
  ),
};
