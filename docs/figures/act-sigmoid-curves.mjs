// f and f' of three activations side by side. Other families draw theirs with `curves`, below.
export const title = "Sigmoid, tanh and softplus with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-sigmoid", name: "sigmoid" },
      { id: "act-tanh", name: "tanh" },
      { id: "act-softplus", name: "softplus" },
    ],
    y: [-1.1, 2.2],
    words: [
      { name: "sigmoid", x: -3.8, y: 0.42, text: "slope ≤ ¼", colour: "gradient" },
      { name: "tanh", x: 1.4, y: 0.5, text: "slope ≤ 1", colour: "gradient" },
      { name: "softplus", x: 0.6, y: 0.4, text: "slope: sigmoid", colour: "gradient" },
    ],
  });

// panels: [{ id, name, kinks: [where the slope jumps] }]; words: [{ name of the panel, x, y, text, colour }]. A dot on a slope
// is what the tape gives at the kink.
export function curves({ Plot, house, results, width }, { panels, x = [-4, 4], y, words, x_ticks = [-2, 0, 2] }) {
  const known = results["activation-curves"].names;
  const rows = panels.map((panel) => ({ kinks: [], ...panel, ...points(known[panel.id]) }));
  const slopes = rows.flatMap(({ name, all, kinks }) =>
    pieces(all, kinks).flatMap((piece, k) => piece.map((p) => ({ name, ...p, piece: name + k })))
  );
  const at_kinks = rows.flatMap(({ name, all, kinks }) => kinks.map((kink) => ({ name, ...all.find((p) => Math.abs(p.x - kink) < 1e-9) })));
  const narrow = width < 500;
  return Plot.plot({
    ...house.plot({
      x: { domain: x, ticks: x_ticks, label: "x" },
      y: { domain: y, label: "f(x) solid, f′(x) dashed", ticks: 5 },
      height: narrow ? 240 : 290,
      marginTop: 56,
    }),
    fx: { domain: panels.map((p) => p.name), padding: 0.09, label: null, axis: "top", tickSize: 0 },
    marks: [
      Plot.ruleY([0], { stroke: house.colour.soft, strokeOpacity: 0.6 }),
      Plot.ruleX([0], { stroke: house.colour.soft, strokeOpacity: 0.6 }),
      Plot.line(slopes, {
        fx: "name",
        x: "x",
        y: "dy",
        z: "piece",
        stroke: house.colour.gradient,
        strokeWidth: 1.8,
        strokeDasharray: "5 3",
        clip: true,
      }),
      Plot.line(
        rows.flatMap(({ name, all }) => all.map((p) => ({ name, ...p }))),
        { fx: "name", x: "x", y: "y", stroke: house.colour.value, strokeWidth: 2.2, clip: true },
      ),
      Plot.dot(at_kinks, { fx: "name", x: "x", y: "dy", r: 3.5, fill: house.colour.gradient }),
      ...(narrow ? [] : (words ?? [])).map((w) =>
        Plot.text([w], {
          fx: "name",
          x: "x",
          y: "y",
          text: "text",
          textAnchor: "start",
          fill: house.colour[w.colour],
          stroke: house.colour.paper,
          strokeWidth: 4,
          strokeLinejoin: "round",
        })
      ),
    ],
  });
}

const points = ({ x, y, dy }) => ({ all: x.map((at, i) => ({ x: at, y: y[i], dy: dy[i] })) });

// The slope between its jumps, each piece drawn out to the jump in a straight line.
function pieces(all, kinks) {
  const bounds = [-Infinity, ...kinks, Infinity];
  return bounds.slice(1).map((to, k) => {
    const from = bounds[k];
    const inside = all.filter((p) => p.x > from + 1e-9 && p.x < to - 1e-9);
    const drawn_out = (a, b, x) => ({ x, dy: a.dy + ((b.dy - a.dy) / (b.x - a.x)) * (x - a.x) });
    const first = Number.isFinite(from) ? [drawn_out(inside[0], inside[1], from)] : [];
    const last = Number.isFinite(to) ? [drawn_out(inside.at(-1), inside.at(-2), to)] : [];
    return [...first, ...inside, ...last];
  });
}
