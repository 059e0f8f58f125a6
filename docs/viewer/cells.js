// Index arithmetic: the cells of a shape, and where a broadcast or a reduction takes them.
export function index_at(shape, offset) {
  const index = new Array(shape.length).fill(0);
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    index[axis] = offset % shape[axis];
    offset = Math.floor(offset / shape[axis]);
  }
  return index;
}

export const numel = (shape) => shape.reduce((product, size) => product * size, 1);
export const offset_at = (shape, index) => index.reduce((offset, i, axis) => offset * shape[axis] + i, 0);
export const cells_of = (shape) => Array.from({ length: numel(shape) }, (_, offset) => index_at(shape, offset));
export const same_shape = (a, b) => a.length === b.length && a.every((size, axis) => size === b[axis]);
export const with_axis = (index, axis, i) => index.map((at, k) => (k === axis ? i : at));
export const index_text = (index) => (index.length === 0 ? "" : `[${index.join(", ")}]`);

// The cell that is read at `index` of a result when a tensor of this shape is broadcast to it.
export function broadcast_index(index, shape) {
  const added = index.length - shape.length;
  return shape.map((size, axis) => (size === 1 ? 0 : index[axis + added]));
}

// The cells of a broadcast gradient of shape `wide` that are summed into `index` of a tensor of shape `shape`.
export function stretched_cells(index, shape, wide) {
  const added = wide.length - shape.length;
  const free = wide.map((size, axis) => axis < added || shape[axis - added] !== size);
  const sizes = wide.map((size, axis) => (free[axis] ? size : 1));
  return cells_of(sizes).map((cell) => cell.map((at, axis) => (free[axis] ? at : index[axis - added])));
}

// Every set of axes over which a reduction takes `shape` to `result`, with its axes kept or dropped.
export function reductions_between(shape, result) {
  const found = [];
  for (let bits = 0; bits < 1 << shape.length; ++bits) {
    const axes = shape.map((_, axis) => axis).filter((axis) => bits & (1 << axis));
    const kept = shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    const dropped = shape.filter((_, axis) => !axes.includes(axis));
    if (same_shape(kept, result) || same_shape(dropped, result)) found.push(axes);
  }
  return found.sort((a, b) => b.length - a.length);
}

// The cell of the result, axes kept or dropped, that a cell is reduced into.
export function reduced_index(index, axes, rank) {
  if (rank === index.length) return index.map((at, axis) => (axes.includes(axis) ? 0 : at));
  return index.filter((_, axis) => !axes.includes(axis));
}

export function permutations_of(items) {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations_of(items.filter((_, k) => k !== i)).map((rest) => [item, ...rest]));
}
