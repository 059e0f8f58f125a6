// What is left of a gradient at the first state, by the cell.
export const title = "The length of the gradient at the first state against the number of steps, for four cells";
export const results = ["cells-vanish"];

export function draw({ Plot, house, results }) {
  const cells = results["cells-vanish"];
  const data = (name) => cells.steps.map((steps, k) => ({ steps, left: cells[name][k] }));
  const series = [
    { name: "LSTM, f open", short: "f open", colour: "f1", data: data("lstm-forget-4") },
    { name: "GRU", colour: "f2", data: data("gru") },
    { name: "LSTM", colour: "f3", data: data("lstm") },
    { name: "Elman", colour: "none", data: data("elman") },
  ];
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 64], ticks: [1, 16, 32, 48, 64], label: "steps" },
      y: { type: "log", domain: [1e-24, 10], label: "gradient left at the first state" },
    }),
    marks: [...house.lines(series, { x: "steps", y: "left" }), house.rule({ y: 1 })],
  });
}
