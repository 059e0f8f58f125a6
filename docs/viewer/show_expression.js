// An expression as pieces of text, [{text, role, source}], with brackets only where they are needed.
import { each_node, evaluate } from "./expression.js";
import { format_number } from "./model.js";

const strengths = { sum: 1, difference: 1, choice: 0, product: 3, quotient: 3, negative: 2, power: 5 };
const shown_terms = { first: 4, last: 2 }; // of a long sum; of long terms half as many

const strength_of = (e) => (e.kind === "number" || e.kind === "named" ? (e.value < 0 ? 2 : 9) : (strengths[e.kind] ?? 8));

const plain = (text) => [{ text }];

function bracketed(e, least, known) {
  const inside = shown_pieces(e, known);
  return shown_strength(e, known) < least ? [...plain("("), ...inside, ...plain(")")] : inside;
}

// A named part shows its number, which may be negative.
function shown_strength(e, known) {
  return e.kind === "named" && evaluate(e, known).value < 0 ? 2 : strength_of(e);
}

function joined(parts, between) {
  return parts.flatMap((part, i) => (i === 0 ? part : [...plain(between), ...part]));
}

// a + b + … 58 more, together 3.2, … + z
function pieces_of_sum(e, known) {
  if (e.parts.length === 0) return plain("0"); // of no elements
  const terms = e.parts,
    some = numbers_in_one(terms[0]) > 2 ? 0.5 : 1;
  const first = shown_terms.first * some,
    last = shown_terms.last * some;
  const show = (list) => list.map((t) => bracketed(t, 2.5, known));
  if (terms.length <= first + last + 2) return joined(show(terms), " + ");
  const hidden = terms.slice(first, terms.length - last);
  const together = hidden.reduce((a, t) => a + evaluate(t, known).value, 0);
  const rest = plain(`… ${hidden.length.toLocaleString("en")} more (together ${format_number(together)})`);
  return joined([...show(terms.slice(0, first)), rest, ...show(terms.slice(-last))], " + ");
}

const numbers_in_one = (e) => e.kind === "number" || e.kind === "named" ? 1 : e.parts.reduce((n, part) => n + numbers_in_one(part), 0);

function pieces_of_extreme(e, known) {
  const count = 8;
  const parts = e.parts.slice(0, count).map((p) => shown_pieces(p, known));
  if (e.parts.length > count) parts.push(plain(`… ${(e.parts.length - count).toLocaleString("en")} more`));
  return [...plain(`${e.kind}(`), ...joined(parts, ", "), ...plain(")")];
}

function pieces_of_power(e, known) {
  const [base, exponent] = e.parts;
  const shown = bracketed(base, 6, known);
  if (exponent.kind === "number" && exponent.value === 2 && !exponent.source) return [...shown, ...plain("²")];
  return [...shown, ...plain("^"), ...bracketed(exponent, 6, known)];
}

function pieces_of_function(e, known) {
  const inside = shown_pieces(e.parts[0], known);
  if (e.name === "abs") return [...plain("|"), ...inside, ...plain("|")];
  if (e.name === "root") return [...plain("√"), ...bracketed(e.parts[0], 6, known)];
  if (e.name === "exp") return [...plain("e^"), ...bracketed(e.parts[0], 6, known)];
  return [...plain(`${e.name}(`), ...inside, ...plain(")")];
}

const pieces_table = {
  number: (e) => [{ text: e.label ?? format_number(e.value), role: e.role, source: e.source }],
  named: (e, known) => [{ text: format_number(evaluate(e, known).value), name: e.name }],
  sum: pieces_of_sum,
  difference: (e, known) => [...bracketed(e.parts[0], 1, known), ...plain(" − "), ...bracketed(e.parts[1], 2.5, known)],
  negative: (e, known) => [...plain("−"), ...bracketed(e.parts[0], 3, known)],
  product: (e, known) =>
    joined(
      e.parts.map((p, i) => bracketed(p, i === 0 ? 3 : 3.5, known)),
      " × ",
    ),
  quotient: (e, known) => [...bracketed(e.parts[0], 3, known), ...plain(" / "), ...bracketed(e.parts[1], 3.5, known)],
  power: pieces_of_power,
  function: pieces_of_function,
  condition: (e, known) => [
    ...plain("["),
    ...joined(
      e.parts.map((p) => shown_pieces(p, known)),
      ` ${e.name} `,
    ),
    ...plain("]"),
  ],
  choice: (e, known) => {
    const [mask, a, b] = e.parts.map((p) => bracketed(p, 1, known));
    return [...mask, ...plain(" ? "), ...a, ...plain(" : "), ...b];
  },
  max: pieces_of_extreme,
  min: pieces_of_extreme,
};

export function shown_pieces(e, known = new Map()) {
  return pieces_table[e.kind](e, known);
}

// The named parts, each before what is made of it.
export function named_parts(e) {
  const found = [];
  each_node(e, (n) => n.kind === "named" && found.push(n));
  return found;
}

export const text_of_pieces = (pieces) => pieces.map((p) => p.text).join("");
