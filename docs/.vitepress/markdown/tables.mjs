// The tables of a formula's section: its symbols, which light up together, and the lines of a derivation, which are held to
// what the program prints.
import { term_name } from "../../figures/kit/math_text.mjs";
import { derivations } from "../book/outputs.mjs";
import { term_of } from "./mathjax.mjs";

// The rows of the table that opens at tokens[at], each { open, cells: [{ open, inline }] }.
export function rows_of(tokens, at) {
  const rows = [];
  for (let i = at; tokens[i].type !== "table_close"; ++i) {
    if (tokens[i].type === "tr_open") rows.push({ open: tokens[i], cells: [] });
    if (/^t[hd]_open$/.test(tokens[i].type)) rows.at(-1).cells.push({ open: tokens[i], inline: tokens[i + 1] });
  }
  return rows;
}

const text = (cell) => cell?.inline.content.trim() ?? "";
const is_symbols = (rows) => text(rows[0].cells[0]) === "symbol";
const is_index = (rows) => text(rows[0].cells[0]) === "formula";
const is_cheat_sheet = (rows) => text(rows[0].cells[0]) === "NumPy";
const is_derivation = (rows) => text(rows[0].cells[0]) === "" && text(rows[0].cells[1]) === "line";

const hidden = (Token, words) =>
  Object.assign(new Token("html_inline", "", 0), { content: `<span class="visually-hidden">${words}</span>` });

// A row may be laid out as a card: each cell knows the name of its column, and what it is to a screen reader.
export function name_cells(table, rows, Token) {
  table.attrSet("role", "table");
  if (is_derivation(rows)) rows[0].cells[0].inline.children.push(hidden(Token, "no."));
  if (is_symbols(rows) || is_index(rows) || is_cheat_sheet(rows)) table.attrSet("class", "symbols");
  rows.forEach(({ open, cells }, row) => {
    open.attrSet("role", "row");
    for (const [column, cell] of cells.entries()) {
      cell.open.attrSet("role", row === 0 && cell.inline.children.length > 0 ? "columnheader" : "cell");
      if (row > 0 && text(rows[0].cells[column])) cell.open.attrSet("data-label", text(rows[0].cells[column]));
    }
  });
}

// { name, pattern, code } of each symbol of a section's table.
export function terms_of(rows, complain) {
  if (!is_symbols(rows)) return [];
  const terms = [];
  for (const { open, cells } of rows.slice(1)) {
    const symbols = cells[0].inline.children.filter(({ type }) => type === "math_inline");
    const code = text(cells[2]).match(/^`([^`]+)`/)?.[1];
    if (symbols.length === 0) complain(open, "a row of symbols has no $…$ in its first cell");
    for (const { content } of symbols) {
      try {
        terms.push({ ...term_of(content), code });
      } catch (error) {
        complain(open, `bad TeX in ${content}: ${error.message}`);
      }
    }
    if (symbols.length === 1) {
      open.attrSet("data-term", term_name(symbols[0].content));
      open.attrSet("tabindex", "0");
    }
  }
  return terms;
}

const program_of = (labels) => [...derivations()].find(([, { lines }]) => labels.every((label) => lines.has(label)))?.[0];

// Holds a derivation's lines to the program's: each once, in the program's order, with its reason and its value; a line that
// goes on from the one above, with nothing on its left side, has that one's name. `shown` has the labels of the section so far.
// Outside of a formula's section a table is held to the program that has all its lines.
export function check_derivation(table, rows, section, shown, complain) {
  if (!is_derivation(rows)) return;
  const id = section ?? program_of(rows.slice(1).map(({ cells }) => text(cells[0])));
  if (!id) return complain(table, "no program in docs/examples prints these lines");
  table.attrSet("class", `derivation columns-${rows[0].cells.length}`);
  const printed = derivations().get(id);
  if (!printed) return complain(table, `no program in docs/examples prints the lines of ${id}`);
  const labels = [...printed.lines.keys()];
  let above;
  for (const { open, cells } of rows.slice(1)) {
    const label = text(cells[0]);
    const line = printed.lines.get(label);
    const value = text(cells.at(-1)).replace(/^`|`$/g, "");
    if (!line) complain(open, `${printed.path} prints no line ${label} of ${id}`);
    else if (line.value !== value)
      complain(open, `line ${label} of ${id} is ${line.value} in ${printed.path}, not ${value}`);
    if (shown.has(label)) complain(open, `line ${label} of ${id} is there twice`);
    if (labels.indexOf(label) < labels.indexOf(above)) complain(open, `line ${label} of ${id} comes after line ${above}`);
    if (cells.length > 3 && !text(cells[2])) complain(open, `line ${label} of ${id} has no reason`);
    const goes_on = text(cells[1]).startsWith("$\\phantom");
    if (goes_on && line?.name !== printed.lines.get(above)?.name) {
      complain(
        open,
        `line ${label} of ${id} goes on from line ${above}, and the program calls them ${line?.name} and otherwise`,
      );
    }
    shown.add(label);
    above = label;
  }
}

// What the program prints and the page does not show.
export function check_complete(id, shown, complain) {
  for (const [label, { name }] of derivations().get(id)?.lines ?? []) {
    if (!shown.has(label)) complain(undefined, `the page does not show line ${label} of ${id}, ${name}`);
  }
}
