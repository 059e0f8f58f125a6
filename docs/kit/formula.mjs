// A formula in a small language, set in HTML and said as a line of text:
//   {v y} = {frac {v x} | {v r}} ⊙ {p γ},  {v r} = {root mean({v x}²) + {c ε}}
// v, g, p, c: value, gradient, parameter, constant, the four colours of every page; m: a name without a role;
// frac, root, sub, sup, big (a tall bracket).
import { escaped } from "./words.mjs";

const name = (role) => ({ html: (part) => `<var${role ? ` class="${role}"` : ""}>${part}</var>`, said: (part) => part });
const bracketed = (part) => (part.includes(" ") ? `(${part})` : part);
const WORDS = {
  v: name("v"),
  g: name("g"),
  p: name("p"),
  c: name("c"),
  m: name(""),
  frac: {
    html: (above, below) => `<span class="fr"><span>${above}</span><span>${below}</span></span>`,
    said: (above, below) => `${bracketed(above)} / ${bracketed(below)}`,
  },
  root: { html: (part) => `<span class="rt"><span>${part}</span></span>`, said: (part) => `√(${part})` },
  big: { html: (part) => `<span class="lp">${part}</span>`, said: (part) => part },
  sub: { html: (part) => `<sub>${part}</sub>`, said: (part) => `_${part}` },
  sup: { html: (part) => `<sup>${part}</sup>`, said: (part) => `^${part}` },
};

// Plain text, and { word, parts } for what stands in braces; a part is a list again.
function read(source) {
  let at = 0;
  const list = () => {
    const pieces = [];
    while (at < source.length && !"}|".includes(source[at])) pieces.push(source[at] === "{" ? group() : plain());
    return pieces;
  };
  const plain = () => {
    const [text] = source.slice(at).match(/^[^{}|]+/);
    at += text.length;
    return text;
  };
  const group = () => {
    const [begin, word] = source.slice(at).match(/^\{(\w+)\s/) ?? [];
    if (!WORDS[word]) throw new Error(`formula: what is this: ${source.slice(at)}`);
    at += begin.length - 1;
    const parts = [];
    do {
      ++at;
      parts.push(list());
    } while (source[at] === "|");
    if (source[at++] !== "}") throw new Error(`formula: '{${word}' is not closed in: ${source}`);
    return { word, parts };
  };
  const pieces = list();
  if (at < source.length) throw new Error(`formula: '}' or '|' without '{' in: ${source}`);
  return pieces;
}

const written = (pieces, way) =>
  pieces.map((piece) => {
    if (typeof piece === "string") return way === "html" ? escaped(piece) : piece;
    return WORDS[piece.word][way](...piece.parts.map((part) => written(part, way).trim()));
  }).join("");

export const formula_html = (source) => written(read(source), "html");
export const formula_said = (source) => written(read(source), "said");
