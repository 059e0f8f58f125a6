// One op of the tape as its arithmetic is written: x(i, cell) is a number of its i-th input, y(cell) of its output,
// g(cell) of dL/dy.
import { broadcast_index } from "./cells.js";
import { number_leaf } from "./expression.js";
import { inputs_of, values_at } from "./model.js";
import { stored_number } from "./stored.js";

export function role_of(tensor, gradient) {
  if (gradient) return "gradient";
  return { leaf: "parameter", constant: "constant" }[tensor.kind] ?? "value";
}

// The element at `cell`, as it was computed with; undefined where it is not kept.
export function stored_at(values, shape, cell, dtype) {
  const value = values && values_at(values, shape, cell);
  return value === undefined ? undefined : stored_number(value, dtype);
}

// A number of a tensor or of its gradient as an expression's leaf.
export function leaf_of(model, number, cell, gradient = false) {
  const tensor = model.by_number.get(number);
  const values = gradient ? model.gradient_of(number) : tensor.values;
  const value = stored_at(values, tensor.shape, cell, tensor.dtype);
  const source = { tensor: number, cell, gradient };
  const role = role_of(tensor, gradient);
  return value === undefined
    ? number_leaf(NaN, { source, role, label: "?", missing: tensor })
    : number_leaf(value, { source, role });
}

export function op_reader(model, number) {
  const tensor = model.by_number.get(number);
  const inputs = inputs_of(tensor).map((input) => model.by_number.get(input));
  const x = (i, cell) => leaf_of(model, inputs[i].number, cell);
  return {
    model,
    number,
    tensor,
    inputs,
    x,
    name: tensor.op,
    shape: tensor.shape,
    dtype: tensor.dtype,
    shape_of: (i) => inputs[i].shape,
    has: (i) => inputs[i] !== undefined,
    at: (i, cell) => x(i, broadcast_index(cell, inputs[i].shape)),
    whole: (i) => inputs[i].values.all !== undefined,
    lost: (i) => number_leaf(NaN, { label: "?", missing: inputs[i] ?? tensor }), // of input i, or of y if there is none
    y: (cell) => leaf_of(model, number, cell),
    g: (cell) => leaf_of(model, number, cell, true),
    // An element of an input that holds positions; undefined if the trace does not hold it.
    position: (i, cell) => values_at(inputs[i].values, inputs[i].shape, cell),
  };
}
