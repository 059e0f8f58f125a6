// A trace, indexed: who consumes what, which gradients arrive when, and what the engine's map holds at any moment.
//
// Time is counted in ticks. Tick 0: the seeds are in the map. Each visit then has one tick for taking its tensor out of
// the map, and one for each of its deliveries.
import { shown } from "../kit/words.mjs";
import { numel, offset_at } from "./cells.js";

export function index_trace(trace) {
  const by_number = new Map(trace.tensors.map((tensor) => [tensor.number, tensor]));
  const visit_of = new Map(trace.walk.map((visit, index) => [visit.tensor, index]));
  const start = new Uint32Array(trace.walk.length + 1); // tick at which a visit begins; after the last, the end
  const arrivals = new Map();
  const arrive = (delivery, visit, from, tick) => {
    if (!arrivals.has(delivery.to)) arrivals.set(delivery.to, []);
    arrivals.get(delivery.to).push({ visit, delivery, from, tick });
  };
  trace.seeds.forEach((seed) => arrive(seed, -1, 0, 0));
  let tick = 1;
  trace.walk.forEach((visit, index) => {
    start[index] = tick;
    deliveries_of(visit).forEach((delivery, i) => arrive(delivery, index, visit.tensor, tick + i + 1));
    tick += deliveries_of(visit).length + 1;
  });
  start[trace.walk.length] = tick;

  const consumers = new Map();
  for (const tensor of trace.tensors) {
    for (const input of new Set(inputs_of(tensor))) {
      if (input === 0) continue;
      if (!consumers.has(input)) consumers.set(input, []);
      consumers.get(input).push(tensor.number);
    }
  }
  const model = { trace, by_number, visit_of, arrivals, consumers, start, last_tick: tick - 1 };
  return Object.assign(model, {
    tensor: (number) => by_number.get(number),
    expected: (number) => (arrivals.get(number) ?? []).length,
    gradient_of: (number) => gradient_of(model, number),
    state_at: (at) => state_at(model, at),
  });
}

export const inputs_of = (tensor) => tensor.inputs ?? [];
export const deliveries_of = (visit) => visit.deliveries ?? [];

// What a student calls it: its name, or #number.
export const name_of = (tensor) => tensor.name || `#${tensor.number}`;

// The gradient at the end: complete with its hooks, or the sum of what came where the walk did not go on.
function gradient_of(model, number) {
  if (model.visit_of.has(number)) return model.trace.walk[model.visit_of.get(number)].gradient;
  return model.arrivals.get(number)?.at(-1).delivery.after;
}

// The walk at a tick: `visit` is the index of the visit under way (-1: only the seeds have come), `done` how many of its
// deliveries have been made, `delivery` the last of them; and what can be asked about any tensor then.
function state_at(model, tick) {
  const visit = how_many_fit(model.trace.walk.length, (i) => model.start[i] <= tick) - 1;
  const deliveries = visit < 0 ? [] : deliveries_of(model.trace.walk[visit]);
  const done = visit < 0 ? 0 : tick - model.start[visit];
  const state = { tick, visit, done, deliveries: deliveries.length, delivery: deliveries[done - 1] ?? null };
  state.current = visit < 0 ? 0 : model.trace.walk[visit].tensor;
  state.arrived = (number) => arrived_at(model, number, tick);
  state.phase = (number) => phase_at(model, state, number);
  state.gradient = (number) => gradient_at(model, state, number);
  state.pending = () => (state.in_map ??= pending_at(model, tick));
  return state;
}

// Of `count` places, how many at the beginning fit; all that do stand before all that do not.
export function how_many_fit(count, fits) {
  let low = 0, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// How many gradients have come; they stand in the order in which they do.
function arrived_at(model, number, tick) {
  const arrivals = model.arrivals.get(number) ?? [];
  return how_many_fit(arrivals.length, (i) => arrivals[i].tick <= tick);
}

// "none" has come, "waiting" in the map, "current", or "visited".
function phase_at(model, state, number) {
  if (number === state.current) return "current";
  const visit = model.visit_of.get(number);
  if (visit !== undefined && visit < state.visit) return "visited";
  const first = model.arrivals.get(number)?.[0];
  return first && first.tick <= state.tick ? "waiting" : "none";
}

// The sum of what has come by then, or nothing.
function gradient_at(model, state, number) {
  const visit = model.visit_of.get(number);
  if (visit !== undefined && visit <= state.visit) return model.trace.walk[visit].gradient;
  return model.arrivals.get(number)?.[state.arrived(number) - 1]?.delivery.after;
}

// The engine's map at a tick: numbers, newest first, which is the order in which it will take them.
function pending_at(model, tick) {
  const pending = [];
  for (const [number, arrivals] of model.arrivals) {
    const visit = model.visit_of.get(number);
    if (arrivals[0].tick <= tick && (visit === undefined || model.start[visit] > tick)) pending.push(number);
  }
  return pending.sort((a, b) => b - a);
}

// A number as JSON holds it: NaN and the infinities are strings there.
export function number_of(x) {
  if (typeof x === "number") return x;
  return { nan: NaN, inf: Infinity, "-inf": -Infinity }[x];
}

export const format_number = (x) => (x === undefined || x === null ? "–" : shown(number_of(x)));

// The element at an index of all axes; undefined where only a summary or a corner without it was kept.
export function values_at(values, shape, index) {
  if (values.all) return number_of(values.all[offset_at(shape, index)]);
  if (!values.corner) return undefined;
  const [rows, columns] = matrix_of(values.corner_shape);
  const row = index.length > 1 ? index.at(-2) : 0, column = index.at(-1) ?? 0;
  if (index.slice(0, -2).some((i) => i > 0) || row >= rows || column >= columns) return undefined;
  return number_of(values.corner[row * columns + column]);
}

// A shape seen as rows × columns: the last axis is the columns, a scalar is 1 × 1.
export const matrix_of = (shape) => [numel(shape.slice(0, -1)), shape.length ? shape.at(-1) : 1];
