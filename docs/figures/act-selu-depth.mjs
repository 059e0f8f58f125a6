import { spread } from "./kit/spread.mjs";

export const title = "Mean square behind each of 40 layers with SELU, ELU, tanh and ReLU";
export const results = ["act-selu-depth"];

export function draw({ Plot, house, results }) {
  const runs = results["act-selu-depth"];
  const series = [
    { id: "SELU from 4", name: "SELU", colour: "f1" },
    { id: "SELU from 0.25", name: "SELU from ¼", label: false, colour: "f1" },
    { id: "tanh", name: "tanh", colour: "f2" },
    { id: "ELU", name: "ELU", colour: "f3" },
    { id: "ReLU", name: "ReLU", label: false, colour: "f4" },
  ].map((s) => ({ ...s, data: spread(runs[s.id], "layer") }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 40], label: "layer" },
      y: { type: "log", domain: [1e-4, 10], label: "mean square of the outputs" },
    }),
    marks: [
      house.rule({ y: 1 }),
      ...series.map((s) => house.band(s.data, { x: "layer", y1: "least", y2: "greatest", colour: s.colour, clip: true })),
      ...house.lines(series, { x: "layer", y: "median", clip: true }),
      house.text(5, 2.6, "from 4 and from ¼ back to 1", { colour: "f1" }),
      house.text(10.4, 2e-3, "ReLU: halved by each layer", { colour: "f4" }),
    ],
  });
}
