// A copy of a source in which every fault stands behind its switch, `(on(17) ? (a - b) : (a + b))`, so that all are compiled
// at once: mutant schemata (Untch, Offutt and Harrold, 1993). A line has at most one switch, so that what a compiler says of
// a line is said of that fault.
import { parse } from "../../docs/.vitepress/reference/parse.mjs";
import { without_pragmas } from "./mutants.mjs";
import { is_floating_constant } from "./scope.mjs";
import { read } from "./tree.mjs";

const SWITCH = "::gradus::mutation::on";

function wrapped(original, faults) {
  const [{ statement }] = faults;
  if (statement) return `{ if (!${SWITCH}(${faults[0].number})) {\n${original}\n} }`;
  const choices = faults.map(({ number, text }) => `\n${SWITCH}(${number}) ? (${text}) :`);
  const whole = faults.some(({ fault }) => fault === "condition") ? `bool(${original})` : `(${original})`; // may be a pointer
  return `(${choices.join("")}\n${whole})`;
}

// Where the `constexpr` of floating constants in functions stands, as [start, end]: it becomes const, or no switch could be in
// their values.
function constants_of(node) {
  const own = is_floating_constant(node) ? node.namedChildren.filter(({ text }) => text === "constexpr") : [];
  return [
    ...own.map(({ startIndex, endIndex }) => [startIndex, endIndex]),
    ...node.namedChildren.flatMap(constants_of),
  ];
}

// The text of the copy. `mutants` have their numbers.
export function schemata(path, mutants) {
  let source = without_pragmas(read(path));
  for (const [start, end] of constants_of(parse(source))) {
    source = `${source.slice(0, start)}const    ${source.slice(end)}`;
  }
  const spans = new Map();
  for (const mutant of mutants) {
    const span = `${mutant.start}-${mutant.end}-${mutant.statement}`;
    spans.set(span, [...(spans.get(span) ?? []), mutant]);
  }
  const outer_first = [...spans.values()].sort(
    ([a], [b]) => a.start - b.start || b.end - a.end || b.statement - a.statement,
  );
  let at = 0; // of outer_first
  const emit = (start, end) => {
    let text = "";
    let from = start;
    while (at < outer_first.length && outer_first[at][0].start < end) {
      const faults = outer_first[at];
      at += 1;
      text += source.slice(from, faults[0].start) + wrapped(emit(faults[0].start, faults[0].end), faults);
      from = faults[0].end;
    }
    return text + source.slice(from, end);
  };
  return emit(0, source.length);
}

// The numbers of the faults in the lines of a copy: line → number.
export function faults_by_line(copy) {
  const lines = new Map();
  copy.split("\n").forEach((line, i) => {
    const number = line.match(/::gradus::mutation::on\((\d+)\)/)?.[1];
    if (number) lines.set(i + 1, Number(number));
  });
  return lines;
}
