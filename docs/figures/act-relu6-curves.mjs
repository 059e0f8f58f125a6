import { curves } from "./act-sigmoid-curves.mjs";

export const title = "Hard sigmoid and hard Swish with their slopes";
export const results = ["activation-curves"];

const swish = [[-2.8, -0.58, "jumps to −½"], [-1.9, 1.6, "falls from 1½ to 1"]];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-hardsigmoid", name: "hard sigmoid", kinks: [-3, 3], words: [[0.9, 0.36, "slope 1/6"]] },
      { id: "act-hardswish", name: "hard Swish", kinks: [-3, 3], words: swish },
    ],
    x_ticks: [-3, 0, 3],
    y: [-0.8, 2.1],
  });
