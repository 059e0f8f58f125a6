// The length of Adam's steps against a constant gradient, corrected and not.
export const title = "Length of Adam's steps against a constant gradient, with its correction and with others";
export const results = ["optim-adam-start"];

export function draw({ Plot, house, results }) {
  const rows = results["optim-adam-start"];
  const series = [
    { name: "right: always η", colour: "right", key: "right" },
    { name: "not corrected", colour: "none", key: "none" },
    { name: "by 1 − β, without t", colour: "f2", key: "without t" },
    { name: "multiplied", colour: "wrong", key: "multiplied" },
  ].map(({ key, ...look }) => ({ ...look, label: false, data: rows.map((row) => ({ t: row.t, step: row[key] })) }));
  const { narrow } = house;
  return Plot.plot({
    ...house.plot({
      x: { type: "log", domain: [1, 1e4], label: "step t" },
      y: { type: "log", domain: [0.2, 100], label: "length of the step, in η", ticks: [1, 10, 100] },
    }),
    marks: [
      ...house.lines(series, { x: "t", y: "step" }),
      house.text(1.2, 0.75, narrow ? "right: η" : "right: always η", { colour: "right", dy: 4 }),
      house.text(40, 3.3, narrow ? "none" : "not corrected", { colour: "none", textAnchor: "end" }),
      house.text(300, 0.45, narrow ? "without t" : "by 1 − β, without t", { colour: "f2", textAnchor: "end" }),
      house.text(60, 35, narrow ? "multiplied" : "multiplied by 1 − βᵗ", { colour: "wrong", dx: 10 }),
    ],
  });
}
