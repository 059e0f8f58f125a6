import { spread } from "./kit/spread.mjs";

export const title = "Gradient left after 1 to 20 layers of sigmoid, tanh and ReLU";
export const results = ["activation-layers"];

export function draw({ Plot, house, results }) {
  const { names } = results["activation-layers"];
  const series = [
    { name: "ReLU", id: "act-relu", colour: "f3" },
    { name: "tanh", id: "act-tanh", colour: "f2" },
    { name: "sigmoid", id: "act-sigmoid", colour: "f1" },
  ].map((s) => ({ ...s, data: spread(names[s.id], "layers") }));
  return Plot.plot({
    ...house.plot({
      labels: series,
      x: { domain: [0, 20], label: "layers below the top" },
      y: { type: "log", domain: [1e-13, 10], label: "‖gradient‖ / ‖gradient at the top‖" },
    }),
    marks: [
      ...series.map((s) => house.band(s.data, { x: "layers", y1: "least", y2: "greatest", colour: s.colour })),
      ...house.lines(series, { x: "layers", y: "median" }),
      house.text(10.4, 2e-5, "a factor of about ¼ a layer", { colour: "f1" }),
    ],
  });
}
