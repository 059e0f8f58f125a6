// The panel of one cell: which numbers make up its value, or its gradient, and whether they come out as traced.
import { element } from "../kit/dom.mjs";
import { index_text, numel } from "./cells.js";
import { explain_gradient, explain_value, letters_of } from "./explain.js";
import { evaluate } from "./expression.js";
import { format_number, name_of } from "./model.js";
import { number_span, shape_words, verdict_badge } from "./page_parts.js";
import { named_parts, shown_pieces, text_of_pieces } from "./show_expression.js";

const most_steps = 12; // named parts that are listed

// Fills `container` for selection = {tensor, cell: [indices] or null (the first), gradient}. A click on a number selects
// the cell that it came from.
export function render_arithmetic(container, model, selection, step, on_select) {
  const tensor = model.by_number.get(selection?.tensor);
  if (!tensor) return container.replaceChildren();
  const cell = selection.cell ?? tensor.shape.map(() => 0);
  const what = numel(tensor.shape) === 0
    ? [element("p", "It has no elements.")]
    : selection.gradient
    ? gradient_parts(model, tensor, cell, on_select)
    : value_parts(model, tensor, cell, on_select);
  container.replaceChildren(element("div.arithmetic", ...what));
}

const cell_name = (tensor, cell, gradient) => `${gradient ? "dL/d" : ""}${name_of(tensor)}${index_text(cell)}`;

function heading(tensor, cell, gradient, traced) {
  const shown = element("h3.cell-name", cell_name(tensor, cell, gradient), " = ");
  shown.append(number_span(traced, { role: gradient ? "gradient" : tensor.kind === "leaf" ? "parameter" : "value" }));
  return shown;
}

function value_parts(model, tensor, cell, on_select) {
  const found = explain_value(model, tensor.number, cell);
  const head = heading(tensor, cell, false, found.traced);
  if (found.verdict === "given") return [head, element("p.soft", given_words[tensor.kind])];
  return [head, ...explanation(model, tensor, found, on_select)];
}

const given_words = {
  leaf: "Given, and it requires a gradient: nothing made it.",
  constant: "Given: it requires no gradient.",
  freed: "An earlier walk freed the op that made it.",
};

function gradient_parts(model, tensor, cell, on_select) {
  const found = explain_gradient(model, tensor.number, cell);
  const head = heading(tensor, cell, true, found.traced);
  if (found.arrivals.length === 0) return [head, element("p", no_gradient(model, tensor))];
  const count = found.arrivals.length;
  const parts = found.arrivals.flatMap((arrival, i) => arrival_parts(model, tensor, arrival, `${i + 1} of ${count}`, on_select));
  if (found.hooked) parts.push(element("p", `A hook changed it to ${format_number(found.traced)}.`));
  return [head, ...parts];
}

function no_gradient(model, tensor) {
  const by = (tensor.severed_by ?? []).map((n) => `${model.by_number.get(n)?.op ?? "?"} #${n}`);
  if (by.length > 0) return `× No gradient came: ${by.join(", ")} gave it none.`;
  return tensor.requires_grad ? "It got no gradient in this walk." : "It requires no gradient.";
}

function arrival_parts(model, tensor, arrival, order, on_select) {
  const from = model.by_number.get(arrival.from);
  const title = element("h4", `Contribution ${order}: `);
  title.append(from ? `from ${from.op} ${name_of(from)}` : "the seed, with which the walk begins");
  const body = arrival.from === 0 ? [] : explanation(model, from, arrival, on_select);
  if (arrival.cells.length > 1) {
    body.unshift(
      element("p.soft", `It was broadcast: ${arrival.cells.length.toLocaleString("en")} cells of [${arrival.wide.join(", ")}] are summed, `,
        `over axis ${arrival.summed_over.join(", ")}.`),
    );
  }
  return [title, ...body, sum_line(arrival)];
}

// before + contribution = after
function sum_line(arrival) {
  const line = element("p.sum-line");
  const grad = (x) => number_span(x, { role: "gradient" });
  const contribution = arrival.traced ?? arrival.found?.value;
  if (arrival.before !== undefined) line.append("before ", grad(arrival.before), " + ");
  line.append(
    "contribution ",
    grad(contribution),
    arrival.before === undefined ? ", the first, so after " : " = after ",
    grad(arrival.after),
  );
  if (arrival.sum === "differs") line.append(" ", verdict_badge("differs"));
  return line;
}

// The formula, the named parts, the line of numbers, and the verdict.
function explanation(model, tensor, found, on_select) {
  const parts = [];
  if (found.formula) parts.push(...formula_lines(model, tensor, found.formula));
  if (found.by_chain_rule && found.expression)
    parts.push(element("p.soft", "By the chain rule: Σ dL/dy × ∂y/∂x over the cells of y that it reaches."));
  if (found.note) parts.push(element("p.soft", note_text(found)));
  if (found.verdict === "missing") return [...parts, element("p", missing_text(found))];
  if (!found.expression)
    return [...parts, element("p.soft", `The arithmetic of ${tensor.op} is not written in this viewer.`)];
  const known = new Map();
  parts.push(...steps_of(found.expression, known, on_select), result_line(found, known, on_select));
  if (found.verdict === "differs") parts.push(differs_text(found));
  return parts;
}

// "mul: y = a ⊙ b", "mul’s a is w, b is x": the letters are the op's, whatever the reader calls his tensors.
function formula_lines(model, tensor, formula) {
  const letters = letters_of(model, tensor, formula);
  return [
    element("p.formula", element("small", `${tensor.op}: `), formula),
    letters && element("p.soft", letters),
  ].filter(Boolean);
}

const fit_words = {
  numbers: (note) => `${note} (guessed from the values)`,
  none: (note) => `${note}? No choice fits all the values.`,
  unknown: (note) => `Perhaps ${note}: of this op the trace has too few values to tell.`,
};
const note_text = ({ note, fits }) => fit_words[fits]?.(note) ?? note;

function missing_text({ missing, whole }) {
  const what = `${name_of(missing)}${shape_words(missing.shape)}`;
  return (
    `This trace holds only a summary of ${what}. ` +
    `To see this cell, run again with GRADUS_TRACE_WHOLE=${whole} (or TraceOptions::whole).`
  );
}

function steps_of(expression, known, on_select) {
  const named = named_parts(expression);
  const lines = named.slice(0, most_steps).map((part) => {
    const line = element("p.numbers", `${part.name} = `);
    line.append(
      ...spans_of(shown_pieces(part.parts[0], known), on_select),
      " = ",
      number_span(evaluate(part, known).value, {}),
    );
    return line;
  });
  if (named.length > most_steps)
    lines.push(
      element("p.soft", `… ${(named.length - most_steps).toLocaleString("en")} more steps like these`),
    );
  return lines;
}

function result_line(found, known, on_select) {
  const line = element("p.numbers.result", "= ");
  const pieces = shown_pieces(found.expression, known);
  line.append(...spans_of(pieces, on_select));
  if (text_of_pieces(pieces) !== format_number(found.found.value)) line.append(" = ", number_span(found.found.value, {}));
  line.append(" ", verdict_badge(found.verdict));
  return line;
}

const differs_text = ({ found, traced }) =>
  element("p.wrong", { role: "alert" },
    `× From these numbers it is ${exactly(found.value)}, but the trace has ${exactly(traced)}: more than rounding.`);

const exactly = (x) => String(Number(x.toPrecision(9))).replace("-", "−");

// Numbers as buttons that go where they come from. No line ends between a number and its brackets or exponent.
function spans_of(pieces, on_select) {
  const spans = [];
  let held = null;
  for (const piece of pieces) {
    if (piece.role || piece.name) {
      if (!held) spans.push(held = element("span.held"));
      held.append(number_part(piece, on_select));
      continue;
    }
    const [, closing, text, opening = ""] = piece.text.match(/^([)²]*)(.*?)(\S*\()?$/s);
    if (held) held.append(closing);
    else spans.push(closing);
    held = opening ? element("span.held", opening) : null;
    spans.push(text, ...(held ? [held] : []));
  }
  return spans;
}

function number_part(piece, on_select) {
  const { source } = piece;
  if (!source || !on_select) return element("span", { class: `n ${piece.role ?? "step"}`, title: piece.name }, piece.text);
  const label = `${source.gradient ? "gradient of " : ""}#${source.tensor}${index_text(source.cell)}: ${piece.text}`;
  const onclick = () => on_select(source);
  const attributes = { type: "button", class: `n ${piece.role}`, "aria-label": label, title: label, onclick };
  return element("button", attributes, piece.text);
}
