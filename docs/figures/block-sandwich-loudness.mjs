// How loud the stream gets when all weights are larger: pre-norm against sandwich-norm.
import { spread } from "./kit/spread.mjs";

export const title = "Variance of the stream after 12 blocks, against how many times larger all weights are";
export const results = ["block-sandwich-loudness"];

export const draw = ({ house, results: { "block-sandwich-loudness": { times: x, pre, sandwich } } }) =>
  house.chart({
    x: { name: "weights, times as drawn", log: true, base: 2, from: 1, to: 8, ticks: x, tickFormat: String },
    y: { name: "variance of the stream", log: true, from: 5, to: 1e5 },
    lines: [{ name: "pre", colour: "f1", x, ...spread(pre) }, { name: "sandwich", colour: "f4", x, ...spread(sandwich) }],
  });
