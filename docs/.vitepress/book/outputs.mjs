// What the programs beside the formulas print: docs/made/outputs/*.output.
import { files, read } from "./tree.mjs";

// "h1     mean(x²) = 6.25" is the line h1: { name: "mean(x²)", value: "6.25" }.
const parse = (line) => line.match(/^([a-z]?\d+[a-z]?) +(.*?) = (.*)$/)?.slice(1);

// The program that prints an output, both as paths from the project's root.
export const program_of = (output) => output.replace("docs/made/outputs/", "docs/examples/").replace(/\.output$/, ".cpp");

let derivations_;

// id → { path, lines: label → { name, value }, checked: the names of what was held to the tape }. `faults` of the files are
// lines that say nothing, and what is there twice.
export function derivations() {
  if (derivations_) return derivations_;
  derivations_ = new Map();
  derivations_.faults = [];
  for (const path of files("docs/made/outputs", /\.output$/)) {
    let current;
    for (const line of read(path).split("\n")) {
      if (/^# [\w-]+$/.test(line)) current = begin(path, line.slice(2));
      else if (line.startsWith("# ")) current = undefined;
      else if (current && line) add_line(current, line);
    }
  }
  return derivations_;
}

const fault = (path, what) => derivations_.faults.push({ path, what });

function begin(path, id) {
  if (derivations_.has(id)) fault(path, `${id} is derived in ${derivations_.get(id).path} too`);
  const derivation = { path, lines: new Map(), checked: [] };
  derivations_.set(id, derivation);
  return derivation;
}

function add_line({ path, lines, checked }, text) {
  if (/^(given|differences) /.test(text)) return;
  const tape = text.match(/^tape +(.*?) = /)?.[1];
  if (tape) return checked.push(tape);
  const line = parse(text);
  if (!line) return fault(path, `"${text}" is no line of a derivation`);
  const [label, name, value] = line;
  if (lines.has(label)) fault(path, `line ${label} is printed twice`);
  lines.set(label, { name, value });
}
