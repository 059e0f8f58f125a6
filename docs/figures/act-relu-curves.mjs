import { curves } from "./act-sigmoid-curves.mjs";

export const title = "ReLU, PReLU and squared ReLU with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-relu", name: "ReLU", kinks: [0], words: [[0.3, -0.3, "at 0: 0"]] },
      { id: "act-prelu", name: "PReLU, α = ¼", kinks: [0], words: [[0.3, -0.3, "at 0: α"]] },
      { id: "act-relu2", name: "squared ReLU", words: [[0.3, -0.3, "no jump"]] },
    ],
    y: [-1.1, 3.1],
  });
