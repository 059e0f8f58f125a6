// From a reader's text to a module: the text is compiled with the precompiled header, and linked with the library.
import { compile, link, link_judge, tree_of } from "./toolchain.mjs";

export const folder = "examples/first"; // where a text stands for the compiler

// A snippet as a whole program, whose lines keep their numbers.
export const whole = (snippet) =>
  `#include <fmt/core.h>
#include "nn/nn.h"
#include "optim/optim.h"
using namespace gradus;

int main() {
#line 1
${snippet.trimEnd()}
}
`;

export const is_whole = (text) => /^\s*(int|auto)\s+main\s*\(/m.test(text.replace(/\/\*[^]*?\*\//g, ""));

// The line of the first error, if there is one.
export const line_of_error = (said) => Number(/^\/?[^:\n]*program\.cpp:(\d+):\d+: (?:fatal )?error/m.exec(said)?.[1] ?? 0);

// Beside an error, what a warning says is of no use.
export const without_warnings = (said) =>
  said.replace(/^[^\s].*: warning: .*\n(?:(?![^\s].*: (?:fatal )?(?:error|warning|note): ).*\n)*/gm, "");
const without_counts = (said) => said.replace(/^\d+ (?:errors?|warnings?)\b.* generated\.\n/gm, "");
const in_short = (said) => without_counts(without_warnings(said)).replaceAll(`/${folder}/`, "");

// { module } or { said }. `parts` are those of the library: { headers, header, library }; `run` is runLLVM.
export async function build(run, text, { headers, header, library }) {
  const file = `${folder}/program.cpp`;
  const tree = tree_of([...headers, ["program.pch", header], [file, is_whole(text) ? text : whole(text)]]);
  const compiled = await compile(run, `/${file}`, tree, "/program.pch");
  if (!compiled.made) return { said: in_short(compiled.said) };
  const linked = await link(run, compiled.made, library);
  return linked.made ? { module: linked.made } : { said: in_short(linked.said) };
}

// The same of an exercise: a student's file, what makes its functions the grader's, and the grader; without a file the grader alone.
export async function build_judge(run, { file, text, driver }, { headers, header, library }, judge) {
  const tree = tree_of([...headers, ["program.pch", header], [file ?? "", text], ["driver.cpp", driver]]);
  const compiled = file ? await compile(run, "/driver.cpp", tree, "/program.pch") : { made: undefined };
  if (file && !compiled.made) return { said: without_warnings(compiled.said) };
  const linked = await link_judge(run, compiled.made, judge, library);
  return linked.made ? { module: linked.made } : { undefined: linked.said.match(/undefined symbol: (.*)/)?.[1], said: linked.said };
}
