// The ops whose arithmetic is known here, by name: written out, or else as their source's formulas say, or else as those of
// the viewer do.
import { attention_ops } from "./ops_attention.js";
import { elementwise_ops, op_from_source } from "./ops_elementwise.js";
import { layout_ops } from "./ops_layout.js";
import { reduce_ops } from "./ops_reduce.js";
import { row_ops } from "./ops_rows.js";

const written_ops = new WeakMap(); // trace → three tables {op: written}

// {formulas, choices, value, rule, reach, shape}, or null.
//   value(op, cell, choice): y[cell] as an expression, null if there is none
//   rule(op, input, cell, choice): that cell of the rule's contribution to an input, which has the shape shape(op, input)
//   choices(op): what an op is told beside its tensors, such as axes, which a trace does not hold; that which fits is chosen
//   at_once: it takes whole rows, so that nothing can be said where an input is only a summary
//   by_parts: a part of the numbers is enough to find the choice
//   reach(op, input, cell): the cells of y that depend on that cell of the input; all, if not given
export function written_op(model, tensor) {
  if (!written_ops.has(model.trace)) {
    const exact = { ...layout_ops, ...reduce_ops, ...all_at_once({ ...row_ops, ...attention_ops }) };
    written_ops.set(model.trace, { exact, elementwise: elementwise_ops(), from_source: {} });
  }
  const { exact, elementwise, from_source } = written_ops.get(model.trace),
    { op } = tensor;
  if (!(op in from_source)) from_source[op] = op_from_source(op, model.trace.ops?.[op]);
  return exact[op] ?? from_source[op] ?? elementwise[op] ?? null;
}

const all_at_once = (ops) => Object.fromEntries(Object.entries(ops).map(([name, op]) => [name, { ...op, at_once: !op.by_parts }]));
