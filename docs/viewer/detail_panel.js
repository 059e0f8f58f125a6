// One tensor from near: what made it, its rule in C++, what it is made of and where it goes, and all its numbers.
import { element, fill } from "../kit/dom.mjs";
import { render_arithmetic } from "./arithmetic.js";
import { numel } from "./cells.js";
import { letters_of } from "./explain.js";
import { number_map, summary_of } from "./heat.js";
import { shape_of } from "./labels.js";
import { format_number, inputs_of, name_of } from "./model.js";
import { label_of } from "./step_panel.js";

// `choice` is { tensor, cell, gradient }; `chosen` tells whether the reader chose it, or it is the one being visited.
export function render_details(container, model, state, { choice, chosen, on_select, on_release }) {
  const tensor = model.tensor(choice.tensor);
  if (!tensor) return container.replaceChildren();
  const source = model.trace.ops?.[tensor.op];
  const select = (number) => on_select({ tensor: number, cell: null, gradient: false });
  fill(
    container,
    element("h2", name_of(tensor), tensor.op && element("span.op", tensor.op),
      chosen && element("button.release", { type: "button", onclick: on_release }, "back to the visit")),
    element("p.meta", shape_of(model, tensor.shape), ` ${tensor.dtype} · ${kind_words(tensor)}`),
    module_line(model, tensor),
    severed_line(model, tensor),
    links("made from", inputs_of(tensor), model, select, (i) => letter_of_input(model, tensor, i)),
    links("used by", model.consumers.get(tensor.number) ?? [], model, select),
    formulas(model, tensor, source),
    both_values(model, state, choice, on_select),
    arithmetic_of(model, state, choice, on_select),
    code_of(tensor, source),
  );
}

const kind_words = ({ kind, number }) =>
  ({
    op: `the tensor #${number}`,
    leaf: `#${number}, a leaf that requires a gradient`,
    constant: `#${number}, a constant: nobody asks for its gradient`,
    freed: `#${number}, made by an op that an earlier walk freed`,
  })[kind];

function module_line(model, tensor) {
  const call = model.trace.modules[tensor.module ?? -1];
  return call
    ? element("p.meta", "in ", element("code", call.path || "the model"), ` ${call.type}`)
    : "";
}

function severed_line(model, tensor) {
  if (!tensor.severed_by?.length) return "";
  return element("p.wrong",
    `× It requires a gradient and got none: ${tensor.severed_by.map((n) => label_of(model, n)).join(", ")} gave it none.`);
}

// The op's own letter for its i-th input, "add’s a", unless the reader calls it so, too.
function letter_of_input(model, { op, inputs }, i) {
  const letter = model.trace.ops?.[op]?.parameters?.[i], input = model.tensor(inputs[i]);
  return letter && letter !== (input && name_of(input)) && element("span.letter", `${op}’s ${letter}`);
}

function links(word, numbers, model, select, more = () => "") {
  const some = numbers.slice(0, 12);
  if (some.length === 0) return "";
  const link = (number) =>
    number === 0
      ? element("span", "none")
      : element("button.link", { type: "button", onclick: () => select(number) }, label_of(model, number));
  return element("p.links", element("span.word", word), some.flatMap((number, i) => [link(number), more(i)]),
    numbers.length > 12 && `… ${(numbers.length - 12).toLocaleString("en")} more`);
}

function formulas(model, tensor, source) {
  if (!source?.formulas?.length) return "";
  const letters = letters_of(model, tensor, source.formulas.join(" "));
  return element("div.formulas", source.formulas.map((formula, i) => element("p", i === 0 && element("small", `${tensor.op}: `), formula)),
    letters && element("p.soft", letters));
}

// The values and, once it has come, the gradient; the cells are buttons.
function both_values(model, state, choice, on_select) {
  const tensor = model.tensor(choice.tensor);
  const gradient = state.gradient(tensor.number);
  const part = (word, values, of_gradient) =>
    element(
      "section",
      { class: of_gradient ? "numbers-of gradient" : "numbers-of value", "aria-label": word },
      element("h3", word, numel(tensor.shape) === 1 ? element("b", format_number(values.all?.[0] ?? values.mean)) : ""),
      numel(tensor.shape) === 1
        ? ""
        : values.all || values.corner
        ? number_map(values, tensor.shape, {
          label: word,
          chosen: choice.gradient === of_gradient ? choice.cell : null,
          on_cell: (cell) => on_select({ tensor: tensor.number, cell, gradient: of_gradient }),
        })
        : summary_of(values),
    );
  const complete = ["current", "visited"].includes(state.phase(tensor.number));
  return element("div.both", part("Value", tensor.values, false), gradient
    ? part(complete ? "Gradient" : "Gradient so far", gradient, true)
    : model.arrivals.has(tensor.number)
    ? element("p.note", "No gradient has come yet.")
    : "");
}

function arithmetic_of(model, state, choice, on_select) {
  const holder = element("section.how", { "aria-label": "Arithmetic" });
  const button = (word, gradient) =>
    element(
      "button",
      {
        type: "button",
        "aria-pressed": String(choice.gradient === gradient),
        onclick: () => on_select({ ...choice, gradient }),
      },
      word,
    );
  const inside = element("div");
  const { shape, values } = model.tensor(choice.tensor);
  if (choice.gradient && !state.gradient(choice.tensor) && model.arrivals.has(choice.tensor))
    inside.append(element("p.note", "No gradient has come yet: step on, or go to the end."));
  else if (choice.cell || values.all) render_arithmetic(inside, model, choice, null, on_select);
  else
    inside.append(
      element("p.note", `It has ${numel(shape).toLocaleString("en")} elements: choose one above to see its arithmetic.`),
    );
  holder.append(
    element("div.switch", button("how the value came", false), model.arrivals.has(choice.tensor) && button("how the gradient came", true)),
    inside,
  );
  return holder;
}

function code_of(tensor, source) {
  if (!source)
    return tensor.op
      ? element("p.note", `${tensor.op} is no op of the library: its source is the reader’s own.`)
      : "";
  return element("details.code",
    element("summary", "The rule in C++ ", element("code", `${source.file}:${source.rule_line || source.line}`)),
    source.code && element("pre", { tabindex: "0" }, element("code", marked_lines(source))));
}

// The lines of the function, numbered as in its file, with that of the rule marked.
function marked_lines(source) {
  return source.code
    .split("\n")
    .map((line, i) =>
      element(
        "span",
        { class: source.line + i === source.rule_line ? "line rule-line" : "line" },
        element("span.line-number", `${source.line + i}`),
        `${line}\n`,
      )
    );
}
