// The length of Adam's steps against a constant gradient, corrected and not.
export const title = "Length of Adam's steps against a constant gradient, with its correction and with others";
export const results = ["optim-adam-start"];

export function draw({ house, results: { "optim-adam-start": rows } }) {
  const of = (key) => rows.map((row) => row[key]);
  const line = (name, key, colour) => ({ name, colour, label: false, x: of("t"), y: of(key) });
  return house.chart({
    x: { name: "step t", log: true, from: 1, to: 1e4 },
    y: { name: "length of the step, in η", log: true, from: 0.2, to: 100, ticks: [1, 10, 100] },
    lines: [
      line("right: always η", "right", "right"),
      line("not corrected", "none", "none"),
      line("by 1 − β, without t", "without t", "f2"),
      line("multiplied", "multiplied", "wrong"),
    ],
    words: [
      [1.2, 0.75, "right: always η", { short: "right: η", colour: "right", dy: 4 }],
      [40, 3.3, "not corrected", { short: "none", colour: "none", textAnchor: "end" }],
      [300, 0.45, "by 1 − β, without t", { short: "without t", colour: "f2", textAnchor: "end" }],
      [60, 35, "multiplied by 1 − βᵗ", { short: "multiplied", colour: "wrong", dx: 10 }],
    ],
  });
}
