// The snippets of the path, the programs of the thread and those of other pages, with what the book says that they print.
import assert from "node:assert/strict";
import { the_path } from "../../docs/.vitepress/book/path.mjs";
import { snippets, whole_programs } from "../../docs/.vitepress/book/snippets.mjs";
import { read } from "../../docs/.vitepress/book/tree.mjs";

// A sum of many numbers is not the same where no multiplication is fused with an addition, and training makes that larger.
const LEAST = 1e-6, TRAINED = 3e-3;
const lines_of_training = { bytes: 3, attention: 2, block: 1, gpt: 1 }; // as many as take seconds

// { name, page, bench, text, output }, the bench as the page calls it.
export const all_snippets = [...snippets(the_path()), ...whole_programs()].map(({ name, code, output }) => {
  const [, page, key = page, at] = /^docs\/(.+)\.md, (?:(.+), snippet|program) (\d+)$/.exec(name);
  return { name, page, bench: `${key}-${at}`, text: code, output };
});

export const first_lines = (text, count) => `${text.split("\n").slice(0, count).join("\n")}\n`;

// { name, text, output, lines }: of a program that trains for long, so many lines are compared.
const printed = read("docs/thread.md").matchAll(/^`\.\/examples\/run (\w+)` prints\n\n```text\n([^]*?)^```$/gm);
export const programs = [...printed].map(([, name, output]) => {
  const lines = lines_of_training[name];
  return { name, text: read(`examples/first/${name}.cpp`), output: lines ? first_lines(output, lines) : output, lines };
});

// The largest difference of two texts whose words are the same and whose numbers are nearly so. Numbers of training may differ more.
export function difference(expected, got) {
  const number = /-?\d+\.\d+(?:e[-+]\d+)?/g;
  assert.equal(got.replace(number, "#"), expected.replace(number, "#"));
  const [a, b] = [expected, got].map((text) => (text.match(number) ?? []).map(Number));
  const off = Math.max(0, ...a.map((value, i) => Math.abs(value - b[i]) / Math.max(1, Math.abs(value))));
  assert.ok(off <= (/step/.test(expected) ? TRAINED : LEAST), `expected\n${expected}got\n${got}`);
  return off;
}
