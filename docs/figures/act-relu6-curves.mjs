import { curves } from "./act-sigmoid-curves.mjs";

export const title = "Hard sigmoid and hard Swish with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-hardsigmoid", name: "hard sigmoid", kinks: [-3, 3] },
      { id: "act-hardswish", name: "hard Swish", kinks: [-3, 3] },
    ],
    x_ticks: [-3, 0, 3],
    y: [-0.8, 2.1],
    words: [
      { name: "hard sigmoid", x: 0.9, y: 0.36, text: "slope 1/6", colour: "gradient" },
      { name: "hard Swish", x: -2.8, y: -0.58, text: "jumps to −½", colour: "gradient" },
      { name: "hard Swish", x: -1.9, y: 1.6, text: "falls from 1½ to 1", colour: "gradient" },
    ],
  });
