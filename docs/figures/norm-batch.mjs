export const title = "Digits that are right against the number of images in a batch, with batch norm and with group norm";
export const results = ["ch04"];

export function draw({ house, results: { ch04: { numbers: { batch_size } } } }) {
  const x = [1, 2, 4, 8, 32];
  const right = (name) => x.map((size) => batch_size[name][size] * 100);
  const lines = [
    { name: "batch norm", short: "batch", colour: "f1", x, y: right("batch") },
    { name: "group norm", short: "group", colour: "f2", x, y: right("group") },
  ];
  return house.chart({
    x: { name: "images in a batch", log: true, base: 2, from: 1, to: 32, ticks: x, tickFormat: String },
    y: { name: "digits that are right (%)", from: 0, to: 100 },
    lines,
    dots: lines.flatMap(({ y, colour }) => y.map((value, i) => ({ x: x[i], y: value, colour }))),
    r: 3,
    over: [house.rule({ y: 10, colour: "none", dash: "5 4" })],
    words: [[4, 14, "guessing", { colour: "soft" }], [1.08, 24, "one image: 20 %", { colour: "f1" }]],
  });
}
