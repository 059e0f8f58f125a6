// What is left of a gradient at the first state, by the cell.
export const title = "The length of the gradient at the first state against the number of steps, for four cells";
export const results = ["cells-vanish"];

export const draw = ({ house, results: { "cells-vanish": { steps: x, ...cells } } }) =>
  house.chart({
    x: { name: "steps", from: 0, to: 64, ticks: [1, 16, 32, 48, 64] },
    y: { name: "gradient left at the first state", log: true, from: 1e-24, to: 10 },
    lines: [
      { name: "LSTM, f open", short: "f open", colour: "f1", x, y: cells["lstm-forget-4"] },
      { name: "GRU", colour: "f2", x, y: cells.gru },
      { name: "LSTM", colour: "f3", x, y: cells.lstm },
      { name: "Elman", colour: "none", x, y: cells.elman },
    ],
    over: [house.rule({ y: 1 })],
  });
