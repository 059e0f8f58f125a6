// All schedules over one run, in three families: those that fall to an end, those that know none, those that come back.
export const title = "The learning rate of eleven schedules against the step";
export const results = ["schedule-curves"];

const PANELS = [
  {
    name: "fall to the end",
    lines: [
      ["cosine", "f1"],
      ["linear", "f3"],
      ["polynomial", "f4"],
      ["wsd", "f2"],
    ],
  },
  {
    name: "know no end",
    lines: [
      ["warmup", "none"],
      ["inverse-sqrt", "f1"],
      ["exponential", "f3"],
      ["step", "f2"],
    ],
  },
  {
    name: "rise again, or their own way",
    lines: [
      ["cosine-restarts", "f1"],
      ["one-cycle", "f3"],
      ["constant", "none"],
    ],
  },
];
const WORDS = [
  [0, 800, 0.92, "wsd", "f2", "end"],
  [0, 360, 0.92, "cosine", "f1"],
  [0, 700, 0.2, "linear", "f3", "end"],
  [0, 560, 0.44, "polynomial", "f4", "end"],
  [1, 560, 1.06, "warm-up", "none"],
  [1, 420, 0.66, "step", "f2"],
  [1, 640, 0.44, "inverse root", "f1"],
  [1, 640, 0.14, "exponential", "f3", "end"],
  [2, 700, 0.86, "restarts", "f1"],
  [2, 800, 0.1, "one cycle", "f3", "end"],
  [2, 560, 1.06, "constant", "none"],
];

export function draw({ Plot, house, results }) {
  const { every, names } = results["schedule-curves"];
  const { narrow } = house;
  const rows = PANELS.flatMap(({ name, lines }) =>
    lines.flatMap(([schedule, colour]) =>
      names[schedule].map((rate, k) => ({ panel: name, schedule, colour: house.colour[colour], t: k * every, rate }))
    )
  );
  const words = WORDS.map(([panel, t, rate, text, colour, anchor = "start"]) => ({
    panel: PANELS[panel].name,
    t,
    rate,
    text,
    colour: house.colour[colour],
    anchor,
  }));
  const facet = narrow ? { fy: "panel" } : { fx: "panel" };
  const dashed = (schedule) => schedule === "warmup" || schedule === "constant";
  const line = (data, more) => Plot.line(data, { ...facet, x: "t", y: "rate", z: "schedule", stroke: "colour", strokeWidth: 2, ...more });
  const domain = PANELS.map((p) => p.name);
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 1050], ticks: [0, 500, 1000], tickFormat: (t) => (t === 1000 ? "1,000" : `${t}`), label: "step" },
      y: { domain: [0, 1.12], label: "learning rate, relative to the greatest", ticks: 5 },
      height: narrow ? 620 : 300,
      marginTop: 56,
      ...(narrow ? { marginRight: 20 } : {}),
    }),
    ...(narrow
      ? { fy: { domain, padding: 0.14, label: null, axis: null } }
      : { fx: { domain, padding: 0.08, label: null, axis: "top", tickSize: 0 } }),
    marks: [
      line(
        rows.filter((r) => dashed(r.schedule)),
        { strokeDasharray: "7 5" },
      ),
      line(rows.filter((r) => !dashed(r.schedule))),
      ...["start", "end"].map((anchor) =>
        Plot.text(
          words.filter((w) => w.anchor === anchor),
          {
            ...facet,
            x: "t",
            y: "rate",
            text: "text",
            fill: "colour",
            textAnchor: anchor,
            stroke: house.colour.paper,
            strokeWidth: 4,
            strokeLinejoin: "round",
          },
        )
      ),
    ],
  });
}
