// The width of each token is cut into heads, every head mixes the tokens by weights of its own, and the parts are joined again.
export const title = "Split, attend, merge: the shapes of multi-head attention";

const TOKENS = 3;
const HEADS = 2;
const WIDTH = 4;
const roles = ["m1", "p1"];

export function draw({ drawing, width }) {
  const narrow = width < 500;
  const size = narrow ? 16 : 26;
  const part = WIDTH / HEADS;
  const blank = (rows, columns) => Array.from({ length: rows }, () => Array.from({ length: columns }, () => ""));
  const tall = TOKENS * size;
  const between = narrow ? 44 : 54;
  const height = 2 * tall + between + 96;
  const d = drawing(width, height, title);
  const top = 36;
  const middle = top + tall + between / 2;
  const gap = narrow ? 22 : 62;
  const across = WIDTH * size + part * size + TOKENS * size + part * size + WIDTH * size + 4 * gap;
  let x = (width - across) / 2;
  const look = { size, words: false, stroke: "constant" };
  const grid = (at, y, columns, role) => d.cells(at, y, blank(TOKENS, columns), { ...look, role });
  const of_head = (v, t, i) => roles[Math.floor(i / part)];
  const centred = middle - tall / 2;
  const places = [0, 1].map((h) => top + h * (tall + between));
  const small = narrow ? 12 : 14;
  const name = (at, columns, y, words) => d.text(at + (columns * size) / 2, y - 13, words, { size: narrow ? 13 : 15 });
  const from = x + WIDTH * size;
  grid(x, centred, WIDTH, of_head);
  name(x, WIDTH, centred, narrow ? "$q$, $k$, $v$" : "$q$ (and $k$, $v$)");
  x = from + gap;
  places.forEach((y) => d.arrow(from + 3, middle, x - 3, y + tall / 2, { role: "constant" }));
  places.forEach((y, h) => {
    let at = x;
    grid(at, y, part, roles[h]);
    name(at, part, y, `$q^${h + 1}$`);
    at += part * size;
    d.arrow(at + 3, y + tall / 2, at + gap - 3, y + tall / 2, { role: "constant" });
    at += gap;
    d.cells(at, y, blank(TOKENS, TOKENS), { ...look, role: "paper" });
    name(at, TOKENS, y, `$P^${h + 1}$`);
    at += TOKENS * size;
    d.arrow(at + 3, y + tall / 2, at + gap - 3, y + tall / 2, { role: "constant" });
    at += gap;
    grid(at, y, part, roles[h]);
    name(at, part, y, `$u^${h + 1}$`);
    at += part * size;
    d.arrow(at + 3, y + tall / 2, at + gap - 3, middle, { role: "constant" });
  });
  const last = x + 2 * part * size + TOKENS * size + 3 * gap;
  grid(last, centred, WIDTH, of_head);
  name(last, WIDTH, centred, "$u$");
  const below = height - 40;
  d.text(from - (WIDTH * size) / 2, below, narrow ? "split" : "split: [T, H, d/H]", { role: "soft", size: small });
  d.text(x + part * size + gap + (TOKENS * size) / 2, below, narrow ? "[T, S] each" : "scores: [H, T, S]", {
    role: "soft",
    size: small,
  });
  d.text(last + (WIDTH * size) / 2, below, narrow ? "merge" : "merge: [T, d]", { role: "soft", size: small });
  return d.text(width / 2, below + 24, "each head has columns and weights of its own", { role: "soft", size: 14 });
}
