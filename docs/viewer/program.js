// The program that a trace came from, where it is there, and its lines that made the chosen tensor: the innermost, and those that called.
import { element, fill } from "../kit/dom.mjs";

export function render_program(container, model, number) {
  const { program } = model.trace, lines = model.tensor(number)?.lines ?? [];
  container.hidden = !program;
  if (!program) return;
  const role = (line) => (line === lines[0] ? "line rule-line" : lines.includes(line) ? "line calling-line" : "line");
  const code = program.split("\n").map((text, i) =>
    element("span", { class: role(i + 1) }, element("span.line-number", `${i + 1}`), `${text}\n`)
  );
  const shown = element("pre.code-of-program", { tabindex: "0", "aria-label": "Your program" }, element("code", ...code));
  fill(container, element("h2", "Your program"), shown,
    lines.length === 0 && element("p.note", "No line of it is known to have made this tensor."));
  const made = code[(lines[0] ?? 1) - 1];
  shown.scrollTop = made.offsetTop - shown.offsetTop - shown.clientHeight / 3;
}
