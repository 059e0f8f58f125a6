export const title = "Digits that are right against the number of images in a batch, with batch norm and with group norm";
export const results = ["ch04"];

export function draw({ Plot, house, results: { ch04 } }) {
  const sizes = [1, 2, 4, 8, 32];
  const data = (name) => sizes.map((size) => ({ size, right: ch04.numbers.batch_size[name][size] * 100 }));
  const series = [
    { name: "batch norm", short: "batch", colour: "f1", data: data("batch") },
    { name: "group norm", short: "group", colour: "f2", data: data("group") },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { type: "log", base: 2, domain: [1, 32], ticks: sizes, tickFormat: String, label: "images in a batch" },
      y: { domain: [0, 100], label: "digits that are right (%)" },
    }),
    marks: [
      ...house.lines(series, { x: "size", y: "right" }),
      ...series.map((s) => Plot.dot(s.data, { x: "size", y: "right", r: 3, fill: house.colour[s.colour] })),
      house.rule({ y: 10, colour: "none", dash: "5 4" }),
      house.text(4, 14, "guessing", { colour: "soft" }),
      house.text(1.08, 24, "one image: 20 %", { colour: "f1" }),
    ],
  });
}
