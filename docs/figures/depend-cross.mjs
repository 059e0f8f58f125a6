// Which inputs touch which outputs in a decoder of two layers: the encoder's output has two ways into each.
import { circles, way } from "./kit/depend.mjs";

export const title = "The encoder's output reaches every layer of the decoder, as key and as value";

export function draw({ drawing, width }) {
  const wide = width > 500;
  const d = drawing(width, 330, title);
  const [stream, key, value, m] = wide ? [190, 360, 360, 560] : [40, 176, 176, width - 34];
  const rows = { x: 286, first: 196, second: 106, out: 24 };
  const at = (x, y, name) => ({ x, y, name });
  const [x, a, b, y] = [
    at(stream, rows.x, "x"),
    at(stream, rows.first, "a"),
    at(stream, rows.second, "b"),
    at(stream, rows.out, "y"),
  ];
  const memory = at(m, (rows.first + rows.second) / 2, "m");
  const layers = [rows.first, rows.second].map((row) => [at(key, row - 24, "k"), at(value, row + 24, "v")]);
  for (const [from, to] of [
    [x, a],
    [a, b],
    [b, y],
  ])
    way(d, from, to);
  layers.forEach((parts, l) =>
    parts.forEach((part) => {
      way(d, memory, part, { chosen: true });
      way(d, part, l === 0 ? a : b, { chosen: true });
    })
  );
  circles(d, [x, a, b, y], {});
  layers.forEach((parts) => circles(d, parts, { role: "parameter" }));
  circles(d, [memory], { term: "m", chosen: 0 });
  const word = (row, text) => d.text(wide ? stream - 30 : key - 20, row, text, { role: "soft", size: 13, anchor: wide ? "end" : "start" });
  word(wide ? rows.first : rows.first + 52, "layer 1");
  word(wide ? rows.second : rows.second - 52, "layer 2");
  return d.text(width / 2, 318, wide ? "four ways from $m$ to $y$: twice as many as layers" : "four ways from $m$ to $y$", {
    role: "soft",
    size: 14,
  });
}
