import { spread } from "./kit/spread.mjs";

export const title = "Mean square behind each of 40 layers with SELU, ELU, tanh and ReLU";
export const results = ["act-selu-depth"];

export function draw({ house, results }) {
  const runs = results["act-selu-depth"];
  return house.chart({
    x: { name: "layer", from: 0, to: 40 },
    y: { name: "mean square of the outputs", log: true, from: 1e-4, to: 10 },
    clip: true,
    under: [house.rule({ y: 1 })],
    lines: [
      { name: "SELU", colour: "f1", ...spread(runs["SELU from 4"]) },
      { name: "SELU from ¼", label: false, colour: "f1", ...spread(runs["SELU from 0.25"]) },
      { name: "tanh", colour: "f2", ...spread(runs.tanh) },
      { name: "ELU", colour: "f3", ...spread(runs.ELU) },
      { name: "ReLU", label: false, colour: "f4", ...spread(runs.ReLU) },
    ],
    words: [
      [5, 2.6, "from 4 and from ¼ back to 1", { colour: "f1" }],
      [10.4, 2e-3, "ReLU: halved by each layer", { colour: "f4" }],
    ],
  });
}
