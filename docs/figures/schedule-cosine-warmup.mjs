// The cosine after a long warm-up, and the one that has counted from step 0: it drops when the warm-up ends.
export const title = "A cosine after 400 steps of warm-up, right and as published";
export const results = ["schedule-curves"];

export function draw({ Plot, house, results }) {
  const curves = results["schedule-curves"];
  const { narrow } = house;
  const points = (values) => values.map((rate, k) => ({ t: k * curves.every, rate }));
  const wrong = points(curves["decay-in-warmup"]);
  const series = [
    { name: "right", colour: "f1", label: false, data: points(curves.late) },
    { name: "counted from step 0", colour: "wrong", dash: true, label: false, data: wrong.filter((p) => p.t >= 400) },
  ];
  const before = [{ t: 400, rate: 1 }, wrong.find((p) => p.t === 400)];
  return Plot.plot({
    ...house.plot({
      x: { domain: [0, 1050], label: "step", tickFormat: (t) => (t >= 1000 ? "1,000" : `${t}`), ticks: narrow ? 4 : 6 },
      y: { domain: [0, 1.1], label: "learning rate, relative to the greatest" },
    }),
    marks: [
      Plot.line(before, { x: "t", y: "rate", stroke: house.colour.wrong, strokeWidth: 1.4, strokeDasharray: "2 3" }),
      ...house.lines(series, { x: "t", y: "rate" }),
      house.text(180, 0.45, "warm-up", { textAnchor: "end", dx: -4 }),
      house.text(560, 0.93, narrow ? "flat at first" : "flat where it begins", { colour: "f1" }),
      house.text(740, 0.52, narrow ? "steepest half way" : "steepest half way, at t = 700", { colour: "f1", dx: -20 }),
      house.text(850, 0.24, narrow ? "flat at the end" : "flat where it ends", { colour: "f1", dx: narrow ? -30 : 4 }),
      house.text(410, 0.27, narrow ? "a drop\nto 0.69" : "counted from step 0:\na drop to 0.69", { colour: "wrong", dy: 8 }),
    ],
  });
}
