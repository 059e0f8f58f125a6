import { curves } from "./act-sigmoid-curves.mjs";

export const title = "ReLU, PReLU and squared ReLU with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-relu", name: "ReLU", kinks: [0] },
      { id: "act-prelu", name: "PReLU, α = ¼", kinks: [0] },
      { id: "act-relu2", name: "squared ReLU" },
    ],
    y: [-1.1, 3.1],
    words: [
      { name: "ReLU", x: 0.3, y: -0.3, text: "at 0: 0", colour: "gradient" },
      { name: "PReLU, α = ¼", x: 0.3, y: -0.3, text: "at 0: α", colour: "gradient" },
      { name: "squared ReLU", x: 0.3, y: -0.3, text: "no jump", colour: "gradient" },
    ],
  });
