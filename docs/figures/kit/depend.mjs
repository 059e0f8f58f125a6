// Which inputs touch which outputs: what the shared dependency drawings have in common. One input is picked out: its paths
// are in the colour of values, the others are grey.
const RADIUS = 17;

// Circles in a column with their places: [{ x, y, name }].
export const column = (x, names, { top = 34, step = 46 } = {}) => names.map((name, k) => ({ x, y: top + step * k, name }));

export const numbered = (letter, count = 4) => Array.from({ length: count }, (_, k) => `${letter}_${k + 1}`);

// An arrow between two circles.
export function way(d, from, to, { chosen = false, ...rest } = {}) {
  const look = chosen ? { role: "value", width: 2 } : { role: "constant", width: 1, opacity: 0.6 };
  return d.arrow(from.x, from.y, to.x, to.y, { from: RADIUS + 2, to: RADIUS + 3, head: chosen ? 9 : 7, ...look, ...rest });
}

export function circles(d, places, { term, role = "constant", chosen } = {}) {
  places.forEach(({ x, y, name }, k) => {
    const look = k === chosen ? { role: "value", width: 2.5 } : { role, width: 1.5 };
    d.circle(x, y, RADIUS, { ...look, text: `$${name}$`, term });
  });
  return d;
}

export function each_way(d, from, to, options) {
  for (const a of from) for (const b of to) way(d, a, b, options);
}

// The middles of a drawing's columns, and whether there is room for more at the sides.
export const columns_of = (width) => (width > 500 ? [150, 360, 570] : [36, width / 2, width - 36]);

// A row of inputs, what is computed from all of them, and a row of outputs. statistics: ["r"], or two of them.
export function through_statistics(drawing, width, title, { statistics, words }) {
  const [left, centre, right] = columns_of(width);
  const d = drawing(width, 240, title);
  const chosen = 1;
  const inputs = column(left, numbered("x"));
  const outputs = column(right, numbered("y"));
  const middle = column(centre, statistics, statistics.length === 1 ? { top: 103 } : { top: 57, step: 92 });
  inputs.forEach((from, k) => k !== chosen && way(d, from, outputs[k]));
  each_way(
    d,
    inputs.filter((_, k) => k !== chosen),
    middle,
  );
  each_way(d, [inputs[chosen]], [...middle, outputs[chosen]], { chosen: true });
  each_way(d, middle, outputs, { chosen: true });
  circles(d, inputs, { term: "x", chosen });
  middle.forEach((place, k) => circles(d, [place], { term: statistics[k] }));
  circles(d, outputs, { term: "y" });
  return d.text(width / 2, 222, words, { role: "soft", size: 14 });
}
