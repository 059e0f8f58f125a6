// stepping.md quotes what the stepper and the debuggers print: a place in the source, and what stands there. Both have to be so.
import { basename } from "node:path";
import { files, read } from "./tree.mjs";

// The source file of this name, or of the path that ends so.
const source = (name) => {
  const path = ["core", "nn", "optim"].flatMap((floor) => files(floor, /\.cpp$/)).find((one) =>
    name.includes("/") ? name.endsWith(one) : basename(one) === name
  );
  return path && read(path).split("\n");
};

// What a quoted line says of the place that it names: a visit of the walk, a gradient that an input gets, a breakpoint.
const sayings = [
  [/^ *\d+\. #\d+ (?:\w+ )?(\w+) {2,}y = /, ([, op]) => `Tensor ${op}(`],
  [/ (\w+) {2,}as \w+ {2,}(dL\/d\w+) = /, ([, op, gradient]) => [`// ${gradient}`, `record("${op}"`]],
  [/`break [\w.]+:\d+`, the line of `(\w+\()/, ([, call]) => call],
];

// { page, line, message } for each place that is another now.
export function stepping_faults(text = read("docs/stepping.md")) {
  const found = [];
  let lines; // of the file that was named last: what a debugger shows below a frame is from there
  text.split("\n").forEach((quoted, at) => {
    if (quoted.startsWith("```")) lines = undefined;
    const complain = (message) => found.push({ page: "stepping.md", line: at + 1, message });
    for (const [, name, number] of quoted.matchAll(/([\w./]*\w\.cpp)(?::|, line )(\d+)/g)) {
      lines = source(name.replace(/^(\.\.\/)+/, ""));
      const there = lines?.[number - 1];
      if (there === undefined) complain(`${name} has no line ${number}`);
      for (const [saying, words] of sayings) {
        const match = quoted.match(saying);
        const wanted = match ? [words(match)].flat() : [];
        if (match && !wanted.some((one) => there?.includes(one)))
          complain(`${name}:${number} is "${there?.trim()}", not ${wanted.join(" or ")}`);
      }
    }
    const [, number, code] = quoted.match(/^(?:-> )?(\d+)\s+(\S.*)$/) ?? [];
    if (code && lines && lines[number - 1]?.trim() !== code) complain(`line ${number} is "${lines[number - 1]?.trim()}", not "${code}"`);
  });
  return found;
}
