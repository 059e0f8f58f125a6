import { curves } from "./act-sigmoid-curves.mjs";

export const title = "Hard tanh, soft shrink and hard shrink with their slopes";
export const results = ["activation-curves"];

export const draw = (tools) =>
  curves(tools, {
    panels: [
      { id: "act-hardtanh", name: "hard tanh", kinks: [-1, 1], words: [[1.1, -0.7, "0 beyond ±L"]] },
      { id: "act-softshrink", name: "soft shrink", kinks: [-0.5, 0.5], words: [[0.8, -1.2, "0 inside ±λ"]] },
      { id: "act-hardshrink", name: "hard shrink", kinks: [-0.5, 0.5], words: [[0.8, -1.2, "0 inside ±λ"]] },
    ],
    y: [-4.1, 4.1],
  });
