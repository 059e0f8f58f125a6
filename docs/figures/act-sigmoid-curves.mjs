// f and f' of three activations side by side. Other families draw theirs with `curves`, below.
export const title = "Sigmoid, tanh and softplus with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-sigmoid", name: "sigmoid", words: [[-3.8, 0.42, "slope ≤ ¼"]] },
      { id: "act-tanh", name: "tanh", words: [[1.4, 0.5, "slope ≤ 1"]] },
      { id: "act-softplus", name: "softplus", words: [[0.6, 0.4, "slope: sigmoid"]] },
    ],
    y: [-1.1, 2.2],
  });

// panels: [{ id, name, kinks: [where the slope jumps], words: [[x, y, what is said of the slope]] }]. A dot on a slope is what the
// tape gives at the kink.
export function curves({ Plot, house, results }, { panels, y, x_ticks = [-2, 0, 2] }) {
  const all = panels.map(({ id, kinks = [], words = [], name }) => ({ ...results["activation-curves"].names[id], kinks, words, name }));
  const slope = { colour: "gradient", dash: "5 3", width: 1.8 };
  const axis = { stroke: house.colour.soft, strokeOpacity: 0.6 };
  return house.chart({
    x: { name: "x", from: -4, to: 4, ticks: x_ticks },
    y: { name: "f(x) solid, f′(x) dashed", from: y[0], to: y[1], ticks: 5 },
    height: house.narrow ? 240 : 290,
    clip: true,
    panels: all.map(({ name }) => name),
    under: [Plot.ruleY([0], axis), Plot.ruleX([0], axis)],
    lines: all.flatMap(({ name, x, y, dy, kinks }) => [
      ...pieces(x, dy, kinks).map((piece) => ({ name: `${name}, slope`, panel: name, ...slope, ...piece })),
      { name, panel: name, colour: "value", x, y },
    ]),
    dots: all.flatMap(({ name, x, dy, kinks }) =>
      kinks.map((kink) => ({ panel: name, x: kink, y: dy[x.findIndex((at) => Math.abs(at - kink) < 1e-9)], colour: "gradient" }))
    ),
    r: 3.5,
    words: house.narrow ? [] : all.flatMap(({ name, words }) => words.map((one) => [...one, { panel: name, colour: "gradient" }])),
  });
}

// The slope between its jumps, { x, y } of each piece, drawn out to the jump in a straight line.
function pieces(x, y, kinks) {
  const bounds = [-Infinity, ...kinks, Infinity];
  return bounds.slice(1).map((to, k) => {
    const from = bounds[k], inside = x.map((_, i) => i).filter((i) => x[i] > from + 1e-9 && x[i] < to - 1e-9);
    const drawn_out = (a, b, at) => [at, y[a] + ((y[b] - y[a]) / (x[b] - x[a])) * (at - x[a])];
    const first = Number.isFinite(from) ? [drawn_out(inside[0], inside[1], from)] : [];
    const last = Number.isFinite(to) ? [drawn_out(inside.at(-1), inside.at(-2), to)] : [];
    const points = [...first, ...inside.map((i) => [x[i], y[i]]), ...last];
    return { x: points.map(([at]) => at), y: points.map(([, value]) => value) };
  });
}
