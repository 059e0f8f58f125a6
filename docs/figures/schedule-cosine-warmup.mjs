// The cosine after a long warm-up, and the one that has counted from step 0: it drops when the warm-up ends.
export const title = "A cosine after 400 steps of warm-up, right and as published";
export const results = ["schedule-curves"];

const WARMUP = 400;

export function draw({ house, results: { "schedule-curves": { every, late, "decay-in-warmup": wrong } } }) {
  const { narrow } = house, x = late.map((_, k) => k * every), ends = x.indexOf(WARMUP);
  return house.chart({
    x: { name: "step", from: 0, to: 1050, tickFormat: (t) => t.toLocaleString("en-US"), ticks: narrow ? 4 : 6 },
    y: { name: "learning rate, relative to the greatest", from: 0, to: 1.1 },
    under: [house.line([[WARMUP, 1], [WARMUP, wrong[ends]]], { colour: "wrong", strokeWidth: 1.4, dash: "2 3" })],
    lines: [
      { name: "right", colour: "f1", label: false, x, y: late },
      { name: "counted from step 0", colour: "wrong", dash: true, label: false, x: x.slice(ends), y: wrong.slice(ends) },
    ],
    words: [
      [180, 0.45, "warm-up", { textAnchor: "end", dx: -4 }],
      [560, 0.93, "flat where it begins", { short: "flat at first", colour: "f1" }],
      [740, 0.52, "steepest half way, at t = 700", { short: "steepest half way", colour: "f1", dx: -20 }],
      [850, 0.24, "flat where it ends", { short: "flat at the end", colour: "f1", dx: narrow ? -30 : 4 }],
      [410, 0.27, "counted from step 0:\na drop to 0.69", { short: "a drop\nto 0.69", colour: "wrong", dy: 8 }],
    ],
  });
}
