// All schedules over one run, in three families: those that fall to an end, those that know none, those that come back.
export const title = "The learning rate of eleven schedules against the step";
export const results = ["schedule-curves"];

// The schedules of each panel, each with its colour and what is said about it where: [x, y, words, anchor].
const PANELS = {
  "fall to the end": {
    cosine: ["f1", 360, 0.92, "cosine"],
    linear: ["f3", 700, 0.2, "linear", "end"],
    polynomial: ["f4", 560, 0.44, "polynomial", "end"],
    wsd: ["f2", 800, 0.92, "wsd", "end"],
  },
  "know no end": {
    warmup: ["none", 560, 1.06, "warm-up"],
    "inverse-sqrt": ["f1", 640, 0.44, "inverse root"],
    exponential: ["f3", 640, 0.14, "exponential", "end"],
    step: ["f2", 420, 0.66, "step"],
  },
  "rise again, or their own way": {
    "cosine-restarts": ["f1", 700, 0.86, "restarts"],
    "one-cycle": ["f3", 800, 0.1, "one cycle", "end"],
    constant: ["none", 560, 1.06, "constant"],
  },
};

export function draw({ house, results: { "schedule-curves": { every, names } } }) {
  const all = Object.entries(PANELS).flatMap(([panel, schedules]) => Object.entries(schedules).map(([id, look]) => [panel, id, ...look]));
  return house.chart({
    x: { name: "step", from: 0, to: 1050, ticks: [0, 500, 1000], tickFormat: (t) => t.toLocaleString("en-US") },
    y: { name: "learning rate, relative to the greatest", from: 0, to: 1.12, ticks: 5 },
    height: house.narrow ? 620 : 300,
    ...(house.narrow ? { marginRight: 20, fy: { domain: Object.keys(PANELS), padding: 0.14, label: null, axis: null } } : {}),
    panels: Object.keys(PANELS),
    stacked: true,
    strokeWidth: 2,
    lines: all.map(([panel, id, colour]) => ({ name: id, panel, colour, x: names[id].map((_, k) => k * every), y: names[id] })),
    words: all.map(([panel, , colour, x, y, words, textAnchor = "start"]) => [x, y, words, { panel, colour, textAnchor }]),
  });
}
