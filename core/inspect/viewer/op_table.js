// The ops whose arithmetic is written here, by name; of others, what their source's formulas say.
import { layout_ops } from "./ops_layout.js";
import { reduce_ops } from "./ops_reduce.js";
import { row_ops } from "./ops_rows.js";
import { attention_ops } from "./ops_attention.js";
import { elementwise_ops, op_from_source } from "./ops_elementwise.js";

const written_ops = new WeakMap();       // trace → {op: written}

// {formulas, choices, value, rule, reach, shape}, or null.
//   value(op, cell, choice): y[cell] as an expression, null if there is none
//   rule(op, input, cell, choice): that cell of the rule's contribution to an input, which has the shape shape(op, input)
//   choices(op): what an op is told beside its tensors, such as axes, which a trace does not hold; that which fits is chosen
//   reach(op, input, cell): the cells of y that depend on that cell of the input; all, if not given
export function written_op(model, tensor) {
  if (!written_ops.has(model.trace)) {
    written_ops.set(model.trace, { ...elementwise_ops(), ...layout_ops, ...reduce_ops, ...row_ops, ...attention_ops });
  }
  const table = written_ops.get(model.trace), key = `from source ${tensor.op}`;
  if (!(key in table)) table[key] = op_from_source(tensor.op, model.trace.ops?.[tensor.op]);
  return table[key] ?? table[tensor.op] ?? null;
}
