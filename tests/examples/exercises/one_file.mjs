import { readFileSync } from "node:fs";

// An answer of the project without its wrong lines.
export const answer_of = (path) => readFileSync(path, "utf8").replace(/^ *\/\/[!~|?=@+].*\n/gm, "");

// Many answers to one exercise as one file: a namespace for each, and a table of their functions.
export const functions_of = (answer) =>
  [...answer.matchAll(/^[\w:<>&* ]+?[\s&*](\w+)\([^;{]*\) \{\n *\/\/ blank/gm)].map(([, name]) => name);

// `right` is the project's answer, and `answers` are texts like it; the compiler calls them answer_0, answer_1 …
export function one_file(set, right, answers) {
  const includes = right.match(/^#include .*$/gm) ?? [];
  const pieces = answers.map((text, at) => `namespace m${at} {\n#line 1 "answer_${at}"\n${text.replace(/^#include .*$/gm, "")}\n}\n`);
  const row = (_, at) => `gradus::exercises::set::${set}(${functions_of(right).map((name) => `m${at}::${name}`).join(", ")})`;
  return `${includes.join("\n")}
#include "examples/exercises/set/functions.h"
${pieces.join("")}
#line 1 "table"
extern "C" const gradus::exercises::Functions* gradus_functions() {
  static const gradus::exercises::Functions functions = [] {
    gradus::exercises::Functions all;
    for (const gradus::exercises::Functions& one : {${answers.map(row).join(",\n")}}) all.insert(all.end(), one.begin(), one.end());
    return all;
  }();
  return &functions;
}
`;
}
