// What the programs beside the formulas print: docs/examples/*.output.
import { files, read } from "./tree.mjs";

// "h1     mean(x²) = 6.25" is the line h1: { name: "mean(x²)", value: "6.25" }.
const parse = (line) => line.match(/^([a-z]?\d+[a-z]?) +(.*?) = (.*)$/)?.slice(1);

let derivations_;

// id → { path, lines: label → { name, value }, checked: what was held to the tape }.
export function derivations() {
  if (derivations_) return derivations_;
  derivations_ = new Map();
  for (const path of files("docs/examples", /\.output$/)) {
    let current;
    for (const line of read(path).split("\n")) {
      if (line.startsWith("# ")) {
        current = { path, lines: new Map(), checked: [] };
        derivations_.set(line.slice(2), current);
      } else if (current && line.startsWith("tape ")) {
        current.checked.push(line.match(/^tape +(.*?) = /)[1]);
      } else if (current && parse(line)) {
        const [label, name, value] = parse(line);
        current.lines.set(label, { name, value });
      }
    }
  }
  return derivations_;
}
