import { spread } from "./kit/spread.mjs";

export const title = "Gradient left after 1 to 20 layers of sigmoid, tanh and ReLU";
export const results = ["activation-layers"];

export const draw = ({ house, results: { "activation-layers": { names } } }) =>
  house.chart({
    x: { name: "layers below the top", from: 0, to: 20 },
    y: { name: "‖gradient‖ / ‖gradient at the top‖", log: true, from: 1e-13, to: 10 },
    lines: [
      { name: "ReLU", colour: "f3", ...spread(names["act-relu"]) },
      { name: "tanh", colour: "f2", ...spread(names["act-tanh"]) },
      { name: "sigmoid", colour: "f1", ...spread(names["act-sigmoid"]) },
    ],
    words: [[10.4, 2e-5, "a factor of about ¼ a layer", { colour: "f1" }]],
  });
